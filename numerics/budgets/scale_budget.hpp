#pragma once

#include <cstdint>
#include <vector>

#include "numerics/budgets/budget.hpp"
#include "reference/tables/trig_table.hpp"

namespace vernier {

/// What a pair's sines and cosines are multiplied by at one position, and what that may be off by.
struct ScaleAt {
  double value = 1;
  double error = 0;  ///< relative; zero for no scale, and where nothing is scaled
};

/// The relative errors allowed to scales: to s = z^x, x = (p - c)/B, of a pair with z = (2i + 0.4 d)/(1.4 d),
/// computed in the contract's format with roundoff u by a power, as torchscale, x-transformers and flash-attn
/// do; zero of a contract that says nothing of how results are computed.
///
/// z: 0.4 d, two roundings (the constant, the product), is the share h = (2/7)/z of the sum, which is
/// rounded; 2i is exact, or rounded if no number of the format; 1.4 d takes two roundings and the quotient
/// one: (4 + 2h) u and (1 - h) times the rounding of 2i. Dividing by d first, (2i/d + 0.4)/1.4, takes four.
/// The power makes |x| times that of it.
/// x: p and c are exact, or rounded, and then so is their difference; B is rounded if it is no number of the
/// format, and the quotient if B is no power of two. The power makes |x ln z| times that of it.
/// The power itself is good to 1 ulp, 2u, and the reciprocal is rounded, u. A power below the normal range is
/// off by the smallest subnormal more. Nothing is computed at p = c: z^0 is exact.
class ScaleErrors {
 public:
  ScaleErrors(const BudgetModel& model, const PositionScale& scale);

  double at(std::int64_t position, int pair) const;

 private:
  struct Pair {
    double error;      ///< of z, as a logarithm
    double magnitude;  ///< |ln z|
  };

  double exponent_error(std::int64_t position, double distance) const;

  BudgetModel model_;
  std::int64_t centre_;
  bool is_reciprocal_;
  double rounding_;    ///< one, as a logarithm
  double base_;        ///< B
  double base_error_;  ///< of B and of the quotient, relative
  std::vector<Pair> pairs_;
};

/// e: what a scale and the product with it may be off by together, the product rounded in a format. Zero
/// where nothing is scaled.
double product_error(const BudgetModel& model, const ScaleAt& scale, Format product);

/// The budget of s f, f a sine or cosine times the amplitude: the computed f' s' has |f' - f| <= D, of phase
/// and trigonometry, and |s' - s| <= e s, so |f' s' - f s| <= s (e |f| + (1 + e) D), and the smallest
/// subnormal more. Storage rounds what that makes at most.
/// \param value, partner f and the other component of its pair \param product in which the product is rounded
Budget scaled_budget(const BudgetModel& model, std::int64_t position, int pair, double value, double partner,
                     const ScaleAt& scale, Format product);

/// The same, given what the component may be off by before the scale: its phase and trigonometry.
Budget scaled(const BudgetModel& model, Budget component, double value, const ScaleAt& scale, Format product);

/// The budget of a component of a pair of vectors that is turned and scaled: rotated_budget() of the scaled
/// sines. \param c, s cosine and sine times the amplitude, before they are scaled  \param own, other the
/// numbers that they multiply
Budget turned_budget(const BudgetModel& model, std::int64_t position, int pair, double c, double s,
                     double own, double other, const ScaleAt& scale, Format arithmetic);

/// scaled_budget() of a component as large as it gets, the amplitude, for no error of the phase.
Budget greatest_scaled_budget(const BudgetModel& model, std::int64_t position, int pair, const ScaleAt& scale,
                              Format product);

}  // namespace vernier
