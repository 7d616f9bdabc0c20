#pragma once

#include <optional>

#include "numerics/budgets/budget.hpp"
#include "reference/numbers/enclosure.hpp"
#include "reference/numbers/format.hpp"
#include "reference/numbers/real.hpp"
#include "reference/tables/bias_table.hpp"
#include "reference/tables/exact_table.hpp"

namespace vernier {

/// What a contract allows the biases of one head, or the entries of a table of values, to be off by: a share
/// of the value, from computing it, and the rounding to the format that stores it.
struct BiasBudget {
  Format stored = Format::binary64;
  double relative = 0;      ///< of the true value
  double storage_ulps = 0;  ///< of the value in the stored format
  double absolute = 0;      ///< of computing it too, whatever the value

  /// In absolute terms, by cause. \param got the element, where there is one: what is only rounded has
  /// rounding_budget()
  Budget by_cause(std::optional<double> got, const Enclosure& truth) const;
  /// The same in all, of any element. \param value the true value
  double at(double value) const { return by_cause(std::nullopt, exactly(value)).total(); }
  /// Whether it proves nothing of a value, whose storage may cost it all.
  bool inconclusive_at(double value) const;
};

/// The budget of a bias computed in `compute`, a format with roundoff u, as people do: the slope is off by
/// Slope::growth(u) of it; the position, no number of the format when large, is rounded, and so is its
/// product with the slope: (1 + growth) (1 + u)^2 - 1. A slope below the normal numbers of `compute`, unless
/// all is exact, is off by an ulp and by half of one where it multiplies a first slope, and half an ulp of
/// its product is no more in relation: 2 ulp of the slope are added. So is half an ulp of the stored format
/// if that is narrower.
///
/// Where step is an integer the base is a power of two, and so are the slopes: nothing is rounded but a
/// position that the format does not hold, and its product is as exact as it is. The half ulp that is left
/// allows a value that the format holds no error at all.
BiasBudget power_budget(const Slope& slope, Format compute, Format stored);

/// The budget of the entries of a table of values computed in `compute`, with roundoff u. What is looked up
/// is rounded to the format that stores it and no more: half an ulp, and u first if `compute` is the
/// narrower. A quotient rounds the dividend, the divisor, the reciprocal or the quotient, and the product
/// with a reciprocal; the divisor's rounding divides, 1/(1 - u) <= 1 + u + 2u^2, so together (1 + u + 2u^2)^4
/// - 1. Where the quotient multiplies a sine, that product is rounded too: the fifth power. Half an ulp of
/// the stored format is added if that is narrower.
BiasBudget value_budget(const ExactTable& table, Format compute, Format stored);

/// The budget of a number computed in `compute` by a formula that says its own roundings (ComputedReal), with
/// half an ulp of the stored format if that is narrower. What takes no rounding is looked up.
BiasBudget computed_budget(const ComputedReal& number, Format compute, Format stored);

}  // namespace vernier
