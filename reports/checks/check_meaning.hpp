#pragma once

#include <optional>
#include <string>
#include <string_view>
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

}  // namespace vernier
