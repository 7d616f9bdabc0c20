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

std::string_view name_of(Finding finding) {
  switch (finding) {
    case Finding::holds:
      return "holds";
    case Finding::conditional:
      return "conditional";
    case Finding::approximate:
      return "approximate";
    case Finding::refuted:
      return "refuted";
    case Finding::undecided:
      break;
  }
  return "undecided";
}

}  // namespace vernier
