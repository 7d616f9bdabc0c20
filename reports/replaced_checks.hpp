#pragma once

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

namespace vernier {

/// A check that an earlier version made, and the one that has taken its place.
struct ReplacedCheck {
  std::string_view before;
  std::string_view now;
};

/// Ids that waivers, verdict documents and histories of earlier versions name.
inline constexpr std::array replaced_checks{ReplacedCheck{"effects/batch", "use/order"},
                                            ReplacedCheck{"use/packed", "use/order"},
                                            ReplacedCheck{"use/blocks", "use/order"},
                                            ReplacedCheck{"effects/rows", "use/lengths"},
                                            ReplacedCheck{"use/decoding", "use/lengths"},
                                            ReplacedCheck{"effects/sequence", "state/history"},
                                            ReplacedCheck{"use/longest", "state/history"},
                                            ReplacedCheck{"state/types", "state/history"},
                                            ReplacedCheck{"state/longer", "state/history"},
                                            ReplacedCheck{"state/shorter", "state/history"},
                                            ReplacedCheck{"state/shapes", "state/history"},
                                            ReplacedCheck{"state/streams", "state/history"},
                                            ReplacedCheck{"state/repeated", "effects/determinism"}};

/// The id that the check has now: its own unless it was replaced.
constexpr std::string_view current_check(std::string_view id) {
  const auto* const found = std::ranges::find(replaced_checks, id, &ReplacedCheck::before);
  return found == replaced_checks.end() ? id : found->now;
}

}  // namespace vernier
