#include <algorithm>
#include <iterator>

#include "props/broken/broken_lists.hpp"
#include "props/law.hpp"

namespace vernier {
namespace {

std::vector<Broken> all_broken() {
  auto all = broken_tables();
  std::ranges::move(broken_rotations(), std::back_inserter(all));
  for (const auto& law : laws()) {
    for (const auto id : law.catches) {
      const auto found = std::ranges::find(all, id, &Broken::id);
      if (found != all.end()) {
        found->caught_by.push_back(law.id);
      }
    }
  }
  return all;
}

}  // namespace

std::span<const Broken> broken_implementations() {
  static const auto all = all_broken();
  return all;
}

LawTarget subject_of(const Broken& broken) {
  LawTarget subject{.id = "broken:" + std::string(broken.id),
                    .description = std::string(broken.description),
                    .contract = "float32",
                    .positions = Format::binary32,
                    .stored = Format::binary32,
                    .table = broken.table,
                    .rotation = broken.rotation,
                    .key_rotation = broken.key_rotation,
                    .gradient = broken.gradient,
                    .inverse = broken.inverse};
  subject.domain.rope = broken.spec;
  subject.domain.lowest_position = -(1 << 16);
  subject.domain.highest_position = 1 << 16;
  subject.domain.largest_dimension = 64;
  subject.domain.has_real_positions = true;
  subject.coverage = {{"", 0.25}};
  return subject;
}

std::optional<LawTarget> subject_named(std::string_view id) {
  for (auto& subject : subjects()) {
    if (subject.id == id) {
      return subject;
    }
  }
  for (const auto& broken : broken_implementations()) {
    if (auto subject = subject_of(broken); subject.id == id) {
      return subject;
    }
  }
  return std::nullopt;
}

}  // namespace vernier
