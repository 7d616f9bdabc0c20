#include <algorithm>

#include "props/literature/topics.hpp"

namespace vernier {

std::span<const Evidence> evidence() {
  static const auto all = make_all_groups(topic_makers);
  return all;
}

const Evidence* evidence_named(std::string_view id) {
  const auto found = std::ranges::find(evidence(), id, &Evidence::id);
  return found == evidence().end() ? nullptr : &*found;
}

std::string_view name_of(Ruling finding) {
  switch (finding) {
    case Ruling::holds:
      return "holds";
    case Ruling::conditional:
      return "conditional";
    case Ruling::approximate:
      return "approximate";
    case Ruling::refuted:
      return "refuted";
    case Ruling::undecided:
      break;
  }
  return "undecided";
}

}  // namespace vernier
