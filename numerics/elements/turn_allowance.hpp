#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "numerics/budgets/scale_budget.hpp"
#include "numerics/contracts/contract.hpp"
#include "numerics/elements/element_source.hpp"
#include "numerics/elements/mixed_budget.hpp"
#include "reference/frequencies/frequencies.hpp"
#include "reference/ladder/certified_scale.hpp"
#include "reference/numbers/double_double.hpp"

namespace vernier {

/// What a unit vector is turned to in a row, and what a contract allows to that.
struct AllowedTurn {
  double radius = 1;            ///< how long it gets
  DoubleDouble square{1, 0};    ///< of that
  std::int64_t place = 0;       ///< the position that the pair turns by, as a place (position_map.hpp)
  double phase_error = 0;       ///< the most that the phase may be off by, radians
  double row_error = 0;         ///< the part of it that each row has of its own, of the phase
  bool shows_frequency = true;  ///< whether the phase says anything of a frequency
};

/// What turns the pairs of a row, and what a contract allows to that: of tables and of rotated vectors alike.
class TurnAllowance {
 public:
  /// \param models one for each axis, or one for all; none where pairs turn by all axes, which have those of
  /// the row \param rows what they refer to outlives this
  TurnAllowance(const TurnedTable& table, const Contract& contract, Format stored,
                std::vector<BudgetModel> models, const SourceRows& rows);

  /// Whether pairs turn by all axes at once, so that a phase is no multiple of one frequency.
  bool is_mixed() const { return mixed_.has_value(); }

  void go_to(std::size_t row);

  /// \name Of the row \param axis that a pair turns by, or all_axes
  /// @{
  /// Whether it is zeros by definition.
  bool is_zero() const {
    return (!rows_.zero_rows.empty() && rows_.zero_rows[row_]) ||
           (zero_position_ && *zero_position_ == rows_.positions[row_]);
  }
  const BudgetModel& model(int axis) const {
    return mixed_ ? *of_row_ : models_[models_.size() == 1 ? 0 : static_cast<std::size_t>(axis)];
  }
  /// The position of a pair, in its model: a model of mixed axes is that of place 1.
  std::int64_t place(int axis) const {
    return mixed_      ? 1
           : has_axes_ ? rows_.by_axis[static_cast<std::size_t>(axis)][row_]
                       : rows_.positions[row_];
  }
  /// What the scale of a pair may be off by, relatively.
  double scale_error(std::int64_t place, int pair) const { return errors_->at(place, pair); }
  /// Sets what a pair turns by, or lets its errors grow to what this allows.
  /// \param product the format in which the product with a scale is rounded
  /// \returns the scale; nothing where no number holds it
  std::optional<ScaleAt> describe_turn(int pair, int axis, Format product, AllowedTurn& turn);
  /// @}

 private:
  bool has_axes_;
  std::optional<std::int64_t> zero_position_;
  SourceRows rows_;
  std::vector<BudgetModel> models_;
  std::optional<MixedBudget> mixed_;
  std::optional<CertifiedScale> scale_;
  std::optional<ScaleErrors> errors_;
  DoubleDouble square_{1, 0};  ///< of the amplitude
  std::size_t row_ = 0;
  std::optional<BudgetModel> of_row_;  ///< of mixed axes
};

/// The models of a table for TurnAllowance. \throws InputError where the contract says nothing of its
/// frequencies
std::vector<BudgetModel> models_by_axis(const TurnedTable& table, const Contract& contract, Format stored);

/// The frequencies of all pairs, to some 100 bits.
std::vector<DoubleDouble> exact_frequencies(const Frequencies& frequencies);

}  // namespace vernier
