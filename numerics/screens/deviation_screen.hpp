#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "numerics/budgets/budget.hpp"
#include "numerics/screens/phase_deviation.hpp"
#include "numerics/screens/selected_entries.hpp"
#include "numerics/screens/unit_rows.hpp"

namespace vernier {

/// Tells in one pass over a row which of its couples of cosine and sine may narrow what is known of their
/// pair's frequency. A couple is left out only if what it leaves surely includes all that is known.
///
/// The couple deviates from (C, S), the true unit vector, by x with |sin x - (C s - S c) / m| <= n / m
/// (phase_deviation.hpp), and leaves the errors d with |a| d within |a| E (1 + r) of x
/// (frequency_window.hpp). It leaves all from d to D if x - n <= sin t and x + n >= sin T, t = |a| d + slack
/// and T = |a| D - slack; sin t >= t - t^3 / 6 for t > 0, and sin t >= t for t < 0.
class DeviationScreen {
 public:
  /// One row of couples.
  struct Couples {
    std::span<const double> cosines;
    std::span<const double> cosine_bounds;  ///< what they may be off by, whatever the phase is
    std::span<const double> sines;
    std::span<const double> sine_bounds;
  };
  /// What a reader needs room for.
  struct Room {
    UnitRows::Block at;
    std::vector<double> least;
    std::vector<double> greatest;
    std::vector<std::int64_t> settled;  ///< as wide as the numbers, for the sake of vector instructions
  };

  /// \param pairs one a couple \param frequencies, frequency_errors one a pair
  /// \param models those of all tensors, with the amplitude of the first
  DeviationScreen(const std::vector<std::size_t>& pairs, std::span<const DoubleDouble> frequencies,
                  std::span<const double> frequency_errors, std::span<const BudgetModel> models);

  /// Sets room.settled: not zero for couples that say something and narrow nothing.
  /// \return how many are settled
  std::size_t look(std::int64_t position, const Couples& couples, const ErrorRanges& known, Room& room) const;

 private:
  static std::vector<DoubleDouble> each_of(std::span<const DoubleDouble> frequencies,
                                           std::span<const std::size_t> pairs);

  SelectedEntries pairs_;
  std::vector<BudgetModel> models_;
  UnitRows unit_rows_;
  double amplitude_;
  std::vector<double> frequencies_;  ///< one a couple, as are the others
  std::vector<double> slacks_;       ///< E (1 + r)
  std::vector<double> reaches_;      ///< r + E (1 + r)
};

}  // namespace vernier
