#pragma once

#include <optional>
#include <string>
#include <vector>

#include "numerics/arithmetic/finding.hpp"

namespace vernier {

/// A stage at which two programs part, and what that does to what they store.
struct ArithmeticParting {
  std::optional<ArithmeticStage> stage;  ///< nothing where bits part and no stage says why
  std::vector<std::int8_t> first;        ///< the ways that the first may have there
  std::vector<std::int8_t> second;
  Differences stored = {};  ///< of the numbers that both store of one input
  /// Where none of those differ, the smallest input at which a computation of each does.
  std::optional<PartingInput> computed = std::nullopt;
};

struct ArithmeticComparison {
  bool are_same = false;
  std::size_t shared = 0;  ///< stored numbers that both have of one input
  std::vector<ArithmeticParting> parts = {};
  std::string reason = {};  ///< how far "the same" goes
};

/// Whether two programs have one arithmetic, or where they part.
/// \throws InputError where one stores tables or vectors and the other does not
ArithmeticComparison compared(const StoredBits& first, const ArithmeticFinding& of_first,
                              const StoredBits& second, const ArithmeticFinding& of_second);

}  // namespace vernier
