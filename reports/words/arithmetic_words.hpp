#pragma once

#include <string>
#include <vector>

#include "numerics/arithmetic/comparison.hpp"
#include "numerics/arithmetic/pinned_bits.hpp"
#include "reference/json/json.hpp"

namespace vernier {

/// What is known of one program's arithmetic, or of two programs'.
struct ArithmeticReport {
  std::vector<std::string> files;                                 ///< one or two
  std::vector<ArithmeticFinding> findings;                        ///< one a file
  std::optional<ArithmeticComparison> comparison = std::nullopt;  ///< of two

  std::string contract = {};                         ///< that each is held to, if any
  std::vector<std::vector<PinnedBits>> pinned = {};  ///< how each keeps to it; none without a contract

  bool keeps_contract() const;

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

/// What a contract that pins an arithmetic is, with all stages and their ways: several lines.
std::string pinning_contract_text();

/// How bits keep to a contract, in a clause: "3 of 4096 numbers are not predicted, the first at position 7
/// ..."
std::string pinned_text(const PinnedBits& bits);
/// The stages at which they do not, in a clause; empty where none is known.
std::string parted_text(const PinnedBits& bits);
/// {"position", "7"}, {"pair", "0"}, ... of the first exception. \pre there is one
std::vector<std::pair<std::string, std::string>> exception_text(const PinnedBits& bits);

}  // namespace vernier
