#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "numerics/decoding/couples.hpp"
#include "numerics/identification/apart_from_phase.hpp"
#include "numerics/identification/screens/row_bounds.hpp"
#include "props/properties/turn_view.hpp"
#include "reference/numbers/enclosure.hpp"

namespace vernier {

/// Tells cheaply, where it can, that a couple is judged and uses little of what it is allowed.
///
/// With S = c^2 + s^2 and u = 2^-53: two products, a sum, the square of the amplitude and a difference, each
/// rounded, are together off by less than 8 u (S + A^2); norm()'s excess, which is its last sum rounded, by
/// less than 2 u (S + A^2); the roundings of the comparison, as what is allowed is at most A^2 / 2, by less
/// than 4 u (S + A^2). Underflow adds nothing that counts against A^2 >= 2^-200.
class ConstantNormScreen {
 public:
  ConstantNormScreen(std::span<const BudgetModel> models, std::span<const Couple> couples,
                     const Enclosure& amplitude);

  /// What a reader needs room for.
  struct Room {
    std::vector<double> surplus;  ///< one a couple
    std::vector<double> cosine_least;
    std::vector<double> sine_least;
  };

  /// Sets room.surplus: for each couple a number that is not negative only where it is certain that the
  /// couple has finite numbers, is not too coarse to judge, and uses at most `budget_ratio` <= 1. It goes by
  /// the least that values of a binade are allowed.
  ///
  /// That a couple is fine enough to be judged needs no look at its values: were S > 4 A^2, its excess would
  /// be at least 3/4 S, more than it is allowed, as b and a are at most A / 8; so |c|, |s| <= 2 A, for which
  /// is_fine() holds.
  /// \param c, s of all couples \return of how many it is not negative
  std::size_t surplus(double budget_ratio, std::int64_t position, std::span<const double> c,
                      std::span<const double> s, Room& room) const;

  /// The same of one couple, by the bounds of its binades on both sides. False decides nothing.
  bool uses_at_most(double budget_ratio, std::int64_t position, const Couple& couple, double c,
                    double s) const;

 private:
  static constexpr double rounding = 16 * 0x1p-53;

  /// Whether no couple of numbers up to 2 A is too coarse to judge.
  bool is_fine() const;

  std::vector<BinadeBounds> bounds_;
  double amplitude_;
  double square_;
  bool works_;
  bool is_fine_;
  RowBounds cosine_bounds_;
  RowBounds sine_bounds_;
};

}  // namespace vernier
