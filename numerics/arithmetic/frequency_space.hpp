#pragma once

#include <vector>

#include "numerics/contracts/arithmetic_stages.hpp"
#include "reference/frequencies/frequencies.hpp"

namespace vernier {

/// Frequencies with the same bits in every pair, and all computations that give them.
struct FrequencyClass {
  std::vector<double> values;            ///< one a pair; of iterated phases one: the ratio
  std::vector<ArithmeticWays> formulas;  ///< with the stages up to `frequency` only
  bool is_iterated = false;              ///< the phase is carried from pair to pair
  std::vector<double> divisors = {};     ///< of iterated phases under a scaling, one a pair; else none
  /// Whether all are numbers of float32.
  bool is_float32() const;
};

/// Every way of the space to compute these frequencies: those of a geometric progression from 1, scaled or
/// not, by all formulas, any others by rounding the true ones. Formulas whose bits are the same are one
/// class.
std::vector<FrequencyClass> frequency_classes(const Frequencies& frequencies);

}  // namespace vernier
