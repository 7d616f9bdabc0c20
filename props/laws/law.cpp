#include "props/laws/law.hpp"

#include <algorithm>

namespace vernier {
namespace {

std::vector<Law> all_laws() {
  std::vector<Law> all;
  for (const bool about_rotations : {false, true}) {
    for (const auto& property : properties()) {
      for (const auto& judge : property.drawn) {
        if (judge.about_rotations() == about_rotations) {
          all.push_back(
              {judge, &property, (about_rotations ? "rope/" : "sinusoidal/") + std::string(property.id)});
        }
      }
    }
  }
  return all;
}

}  // namespace

std::span<const Law> laws() {
  static const auto all = all_laws();
  return all;
}

const Law* law_named(std::string_view id) {
  const auto found = std::ranges::find(laws(), id, &Law::id);
  return found == laws().end() ? nullptr : &*found;
}

bool applies(const Law& law, const LawTarget& subject) {
  if (!subject.is_implementation()) {
    return true;
  }
  if (law.back) {
    return static_cast<bool>(*law.back == RotationOperation::inverse ? subject.inverse : subject.gradient);
  }
  return law.about_rotations() ? static_cast<bool>(subject.rotation) : static_cast<bool>(subject.table);
}

LawDomain domain_of(const Law& law, const LawTarget& subject) {
  return law.narrow == nullptr ? subject.domain : law.narrow(subject.domain, subject);
}

}  // namespace vernier
