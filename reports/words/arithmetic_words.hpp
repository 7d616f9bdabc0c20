#pragma once

#include <string>
#include <vector>

#include "numerics/arithmetic/comparison.hpp"
#include "reference/json/json.hpp"

namespace vernier {

/// What is known of one program's arithmetic, or of two programs'.
struct ArithmeticReport {
  std::vector<std::string> files;                                 ///< one or two
  std::vector<ArithmeticFinding> findings;                        ///< one a file
  std::optional<ArithmeticComparison> comparison = std::nullopt;  ///< of two

  std::string contract = {};  ///< that each is held to, if any
  bool keeps_contract = true;

  /// 0 where a computation predicts every bit, or both are one arithmetic; 1 where bits part from all
  /// computations, or from each other's; 4 where nothing is claimed.
  int exit_code() const;
};

/// As specs/arithmetic.schema.json describes it.
OrderedJson arithmetic_value(const ArithmeticReport& report);
/// The same in words. \param is_verbose with every computation
std::string arithmetic_text(const ArithmeticReport& report, bool is_verbose);
/// One sentence on the arithmetic of a finding that predicts.
std::string arithmetic_summary(const ArithmeticFinding& finding);

}  // namespace vernier
