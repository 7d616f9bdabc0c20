#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "numerics/diagnosis/computation/recovery.hpp"

namespace vernier {

/// Reads off a row which position it holds, given the frequencies of a computation: the one integer whose
/// phases all pairs of the row show. The pairs are a vernier scale: each leaves as many positions as fit its
/// tolerance into its period, and few pass several of them.
class PositionDecoder {
 public:
  /// Positions are looked for from as far before the first one as the last one is after it to as far after
  /// the last. \pre one axis of positions; both outlive this
  PositionDecoder(const Suspect& suspect, const Computation& computation);

  /// How many positions a row is compared with.
  std::int64_t candidates() const { return greatest_ - least_ + 1; }
  /// Nothing where no position or more than one fits.
  std::optional<std::int64_t> position(std::size_t row) const;
  /// Whether the row may hold the position.
  bool fits(std::size_t row, std::int64_t position) const;

 private:
  /// What a row shows of a pair.
  struct Seen {
    double turns_per_position;
    double turns;
    double tolerance;  ///< turns, apart from the error of the phase
    double error;

    bool fits(double place) const;
  };
  /// The most telling first; less than two say nothing.
  std::vector<Seen> seen(std::size_t row) const;

  const Suspect& suspect_;
  const Computation& computation_;
  PairView view_;
  std::vector<int> pairs_;      ///< complete ones that turn, the fastest first
  std::vector<double> errors_;  ///< relative, of the phases of `pairs_`
  std::int64_t least_ = 0;
  std::int64_t greatest_ = 0;
};

}  // namespace vernier
