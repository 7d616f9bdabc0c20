#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace vernier {

/// What the checks of one kind mean, for whoever reads a verdict.
struct CheckMeaning {
  std::string id;       ///< "accuracy/<role>": what stands in angle brackets varies
  std::string meaning;  ///< what is required, and what a failure means to the reader, in a few sentences
  std::string source;   ///< what it rests on, a clause

  /// The id without angle brackets, as tools expect the ids of rules: "accuracy/role".
  std::string rule() const;
};

/// The meanings of everything that a verdict can hold, in the order of reports. A new family of checks is one
/// line in check_meaning.cpp.
std::vector<CheckMeaning> check_meanings();

/// The meaning of the check of this id ("accuracy/cos"), or of the kind that is named itself; nothing if
/// there is none.
std::optional<CheckMeaning> check_meaning_of(std::string_view id);

/// What stands in for the names in braces of a sentence: {"elements", "64"}.
using SentenceValues = std::vector<std::pair<const char*, std::string>>;
/// A sentence of a kind of check that judges elements, as checks.json has it under the name: "required",
/// "pass", "fail", "inconclusive". \param kind its id; one without such a sentence has that of values/<role>
std::string check_sentence(std::string_view kind, std::string_view name, const SentenceValues& values);

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
