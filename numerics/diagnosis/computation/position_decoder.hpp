#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "numerics/diagnosis/computation/recovery.hpp"

namespace vernier {

/// Reads off rows which positions they may hold, given all of a computation but its places: the integers
/// whose phases the pairs of a row show. The pairs are a vernier scale: each leaves as many positions as fit
/// its tolerance into its period, and few pass several of them. Pairs that hold something else than the
/// others say in most rows are left out.
class PositionDecoder {
 public:
  /// \param axis of the positions that are read; both others outlive this
  PositionDecoder(const Suspect& suspect, const Computation& computation, std::size_t axis = 0);

  /// Leaves out the pairs that hold something else in most rows where most pairs hold the declared positions,
  /// and reads a few rows. \return whether there are such pairs
  bool leave_out_strangers();
  /// Reads these rows: what follows counts them. At first a few are read.
  void read(std::span<const std::size_t> rows);
  std::size_t rows() const { return rows_.size(); }
  std::size_t row(std::size_t i) const { return rows_[i]; }
  std::int64_t declared(std::size_t i) const { return suspect_.positions()[axis_][rows_[i]]; }

  /// Whether there are pairs enough to tell positions.
  bool can_tell() const { return scales_.size() >= 2; }
  /// Whether a row may hold the position.
  bool fits(std::size_t i, std::int64_t position) const;
  /// All positions that a row may hold, from as far before zero, or the first one, as the last one is after
  /// the first to as far after the last; none if there are more than so many.
  std::vector<std::int64_t> positions(std::size_t i, std::size_t most) const;

 private:
  /// What a pair shows of a position.
  struct Scale {
    int pair;
    double turns_per_position;
    double error;  ///< relative, of the phase
  };
  /// What a row shows of a pair.
  struct Seen {
    double turns = 0;
    double tolerance = 0;  ///< turns, apart from the error of the phase; more than a half says nothing
  };

  bool fits(const Scale& scale, const Seen& seen, double place, double place_error) const;
  void keep_some();

  const Suspect& suspect_;
  std::size_t axis_;
  BudgetModel model_;
  PairView view_;
  double amplitude_;
  double phase_shift_;     ///< turns
  double more_tolerance_;  ///< turns: what the computation's edits make of the tolerances
  std::vector<Scale> all_scales_;
  std::vector<Scale> scales_;  ///< those that are looked at
  std::vector<std::size_t> rows_;
  std::vector<Seen> seen_;  ///< a row, a scale
  std::int64_t least_ = 0;
  std::int64_t greatest_ = 0;
};

}  // namespace vernier
