#pragma once

#include <bit>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <vector>

#include "numerics/budgets/budget.hpp"

namespace vernier {

/// A bound on how far a stored component may be from A cos f (or A sin f), f being the phase *as computed*:
/// the part of the budget that no error of the phase explains, at V, the largest value that can have been
/// stored as `got`.
double apart_from_phase(const BudgetModel& model, std::int64_t position, int pair, double got);

/// Bounds of apart_from_phase for what one tensor stores, by binade.
///
/// It depends on position and pair only by whether the phase is reduced, and grows with |got|: so do the ulp,
/// the sum and the minimum it is made of, and rounding keeps the order. What it gives at the two ends of a
/// binade encloses what it gives within.
class BinadeBounds {
 public:
  struct Bounds {
    double least = 0;
    double greatest = std::numeric_limits<double>::infinity();
  };

  /// A double's exponent field has so many values, above so many bits of fraction.
  static constexpr std::size_t binades = 2048;
  static constexpr int fraction_bits = 52;

  explicit BinadeBounds(const BudgetModel& model);

  /// From which |position| on the phase of the pair is reduced.
  double reduced_from(int pair) const {
    return static_cast<double>(first_reduced_[static_cast<std::size_t>(pair)]);
  }
  /// The greatest for any value at all.
  double greatest() const { return reduced_[binades - 2].greatest; }

  /// Of the binade of an exponent field, where phases are plain and where they are reduced.
  const Bounds& plain(std::size_t binade) const { return plain_[binade]; }
  const Bounds& reduced(std::size_t binade) const { return reduced_[binade]; }

  /// Of NaN and std::numeric_limits<double>::infinity(): no bounds.
  const Bounds& at(std::int64_t position, int pair, double got) const {
    const auto binade = (std::bit_cast<std::uint64_t>(got) >> fraction_bits) % binades;
    return std::abs(position) < first_reduced_[static_cast<std::size_t>(pair)] ? plain_[binade]
                                                                               : reduced_[binade];
  }

 private:
  std::vector<Bounds> plain_ = std::vector<Bounds>(binades);
  std::vector<Bounds> reduced_ = std::vector<Bounds>(binades);
  std::vector<std::int64_t> first_reduced_;
};

}  // namespace vernier
