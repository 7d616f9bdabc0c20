#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "numerics/computation/recovery.hpp"
#include "numerics/decoding/row_rules.hpp"
#include "reference/tables/position_map.hpp"

namespace vernier {

/// The place of a number as positions are given, whole or not, to some ulp: what PositionMap::approximate()
/// is the inverse of.
inline double real_place(const PositionMap& map, double number) {
  return number / approximately(map.unit()) * static_cast<double>(map.stride()) +
         static_cast<double>(map.shift());
}

/// The number that a real place stands for.
inline double real_number(const PositionMap& map, double place) {
  return (place - static_cast<double>(map.shift())) / static_cast<double>(map.stride()) *
         approximately(map.unit());
}

/// Reads off rows which positions they hold along an axis, given all of a computation but its places. The
/// pairs are a vernier scale: each leaves as many stretches as fit into the reach of the positions, of which
/// few pass the next faster one. Pairs that hold something else than the others say in most rows can be left
/// out.
///
/// Numbers are positions as they are given (PositionMap), whole or not.
class PositionDecoder final : public HeldNumbers {
 public:
  /// \param axis of the positions that are read \param unread rows that may hold anything; null: none. The
  /// others outlive this
  PositionDecoder(const Suspect& suspect, const Computation& computation, std::size_t axis = 0,
                  const std::vector<bool>* unread = nullptr);

  /// Leaves out the pairs that hold something else in most rows where most pairs hold the declared positions.
  /// \return whether there are such pairs
  bool leave_out_strangers();
  /// Reads all rows; before that, a few are.
  void read_all();

  /// Whether there are pairs enough to tell positions, and not too many rows to read.
  bool can_tell() const;
  /// Whether pairs are read off cosines, or sines, alone.
  bool reads_one_component() const;
  /// Of the few rows that are read first, one that does not hold its position; nothing where all may.
  std::optional<std::size_t> a_wrong_row() const;

  std::size_t rows() const override { return suspect_.rows(); }
  bool fits(std::size_t row, double number) const override;
  std::span<const HeldRange> numbers(std::size_t row) const override;
  /// The declared numbers, one a row.
  std::vector<double> declared() const;

 private:
  /// What a pair shows of a position.
  struct Scale {
    int pair;
    double turns_per_place;
    double error;  ///< relative, of the phase
  };
  /// What a row shows of a pair.
  struct Seen {
    double turns = 0;
    double apart = 0;      ///< of one component alone: the phase is so far before or behind, turns
    double tolerance = 1;  ///< turns, apart from the error of the phase; more than a half says nothing
  };

  bool fits(const Scale& scale, const Seen& seen, double place, double place_error) const;
  double place_error(double place) const;
  std::vector<HeldRange> decode(std::size_t row) const;
  std::optional<std::vector<HeldRange>> refined(const std::vector<HeldRange>& ranges, const Scale& scale,
                                                const Seen& seen) const;
  Seen seen_alone(const std::optional<SeenComponent>& component) const;
  void keep_some();
  void read(std::span<const std::size_t> rows);
  std::span<const Seen> seen(std::size_t row) const;

  const Suspect& suspect_;
  std::size_t axis_;
  const std::vector<bool>* unread_;
  BudgetModel model_;
  PairView view_;
  double amplitude_;
  double phase_shift_;     ///< turns
  double more_tolerance_;  ///< turns: what the computation's edits make of the tolerances
  const PositionMap& map_;
  std::vector<Scale> all_scales_;
  std::vector<Scale> scales_;        ///< those that are looked at, the slowest first
  std::vector<std::size_t> sample_;  ///< the rows that are read first
  bool has_all_ = false;
  std::vector<Seen> seen_;  ///< a row that is read, a scale
  HeldRange reach_;         ///< places
  /// Of rows that were asked for.
  mutable std::vector<std::optional<std::vector<HeldRange>>> decoded_;
};

}  // namespace vernier
