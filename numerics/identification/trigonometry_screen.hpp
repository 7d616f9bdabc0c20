#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "numerics/identification/attribution.hpp"
#include "numerics/screens/selected_entries.hpp"
#include "numerics/screens/unit_rows.hpp"
#include "numerics/views/row_view.hpp"

namespace vernier {

/// Tells in one pass over a row which of its elements are surely within a share of what their trigonometry
/// may be off by, taken of the phase of the likeliest hypothesis.
///
/// That phase is off from p w by a small d, w the hypothesis's frequency: by the rounding of a product, say.
/// The sine or cosine is that of p w (unit_rows.hpp) turned by d (kernel.cpp). Its error is below 2^-44
/// of the amplitude, and that of d below 2^-52 of the phase.
class TrigonometryScreen {
 public:
  /// What a reader needs room for.
  struct Room {
    UnitRows::Block at;
    std::vector<double> phases;
    std::vector<double> numbers;        ///< of the screen's columns, where they are not side by side
    std::vector<double> errors;         ///< what the elements are off by at most
    std::vector<double> magnitudes;     ///< of the sines and cosines times the amplitude
    std::vector<std::int64_t> settled;  ///< as wide as the numbers, for the sake of vector instructions
  };

  /// \param columns of the tensor, those whose pairs are explained by the attribution, which outlives it
  TrigonometryScreen(const TensorPart& tensor, const std::vector<std::size_t>& columns,
                     const BudgetModel& model, const Attribution& attribution);

  /// Sets room.settled, for each of the columns: 1 of an element that surely is a number within its share of
  /// the limit, else 0. \param numbers of all the tensor's columns \param shares one a column of the screen
  /// \return how many are settled
  std::size_t look(std::int64_t position, std::span<const double> numbers, std::span<const double> shares,
                   Room& room) const;

 private:
  void compare(std::int64_t position, std::span<const double> numbers, Room& room) const;

  SelectedEntries columns_;
  const PhaseModel& phase_model_;
  UnitRows unit_rows_;
  double amplitude_;
  double most_frequency_ = 0;
  std::vector<int> pairs_;  ///< one a column, as are the others
  std::vector<double> candidates_;
  std::vector<double> frequencies_;
  std::vector<double> most_turns_;  ///< most_small_turn; negative where the hypothesis is of another model
  std::vector<double> limits_;      ///< a binade: the limit at its least number
};

}  // namespace vernier
