#include <algorithm>

#include "props/laws/laws.hpp"

namespace vernier {

std::span<const Law> laws() {
  static const auto all = make_all(law_makers);
  return all;
}

const Law* law_named(std::string_view id) {
  const auto found = std::ranges::find(laws(), id, &Law::id);
  return found == laws().end() ? nullptr : &*found;
}

bool applies(const Law& law, const SubjectUnderLaw& subject) {
  if (!subject.is_implementation()) {
    return true;
  }
  return law.about_rotations() ? static_cast<bool>(subject.rotation) : static_cast<bool>(subject.table);
}

Domain domain_of(const Law& law, const SubjectUnderLaw& subject) {
  return law.narrow == nullptr ? subject.domain : law.narrow(subject.domain, subject);
}

}  // namespace vernier
