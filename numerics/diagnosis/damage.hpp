#pragma once

#include <optional>

#include "numerics/computation/prediction.hpp"

namespace vernier {

/// A few elements, rows or columns that were overwritten: where a computation predicts all others, and what
/// these are instead is told.
struct Damage {
  std::vector<Finding> findings;
  Prediction rest;  ///< of the elements that are not damaged
  double bits = 0;
};

/// \name What stands out of the elements that hold
/// What a computation that is a little off does to the elements shades from what fails into what holds.
/// @{
/// A parameter that is a little off leaves some elements just beyond their budgets.
inline constexpr double least_error_ratio = 4;
/// Or many within them: next to one element that is damaged the others use less than half as much.
inline constexpr double least_gap = 2;
/// \param failing, holding the greatest shares of their budgets
inline bool stands_out(double failing, double holding) {
  return failing >= least_error_ratio && failing >= least_gap * holding;
}
/// @}

/// Nothing where what fails under the computation is no such thing. \param threads how many may work
std::optional<Damage> find_damage(const Suspect& suspect, const Computation& computation, unsigned threads);

/// That all elements of each tensor are one number; nothing where they are not.
std::optional<Explanation> find_constant(const Suspect& suspect);
/// The same of one tensor, of biases or values.
std::optional<Explanation> find_constant(const Tensor& tensor, const std::string& role);

}  // namespace vernier
