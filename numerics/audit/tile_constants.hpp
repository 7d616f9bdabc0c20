#pragma once

#include <vector>

#include "numerics/audit/kernel.hpp"
#include "numerics/budgets/budget.hpp"
#include "reference/numbers/format.hpp"

namespace vernier {

/// The range of the joint histogram's index (TileSummary::index).
struct IndexRange {
  int binades;             ///< of the truth, from the amplitude's down
  int quarters;            ///< of octaves of the error, a power of two
  int lowest_quarter;      ///< 4 log2 of `smallest_error`
  int highest_binade;      ///< floor(log2 A)
  double greatest_error;   ///< in the tile's unit: larger ones are marked
  int first_ulp_bin;       ///< of ErrorSummary: the lowest error's in ulp of the highest binade
  int first_absolute_bin;  ///< the lowest error's
};

/// How far measures may be off that a tile gives of unmarked elements, apart from single precision's relative
/// share. Errors are formed in double to 6 u M, in double-double to 64 u^2 M for binary64, with M <= 2 A. In
/// ulp that counts most at the smallest truth, in phase roundings at phase 0, and as a share of the budget at
/// the smallest truth again: every contract allows half an ulp of the stored format, or more.
struct TileSlack {
  double error;
  double ulps;
  double phase_roundings;
  double budget_ratio;
};

/// What the kernels need to know of an audit of one implementation.
struct TileConstants {
  double scale;  ///< errors are counted in 1 / scale = 2^(1-p): an ulp of numbers in [1, 2)
  TileUnits units;
  TileScale tile;
  TileSlack slack;
  IndexRange index;
  std::vector<double> upper_edges;  ///< of absolute errors, by quarter
  bool usable;                      ///< single precision holds what it must: amplitudes from 2^-60 to 2^60
  std::vector<TileLanes> lanes;     ///< a group of `tile_lanes` pairs each; no pair is frequency 0

  /// Whether every budget is conclusive where the phase errors of a group of pairs are no larger than at a
  /// position of this magnitude and rounding error.
  bool surely_conclusive(std::size_t group, double position, double position_error) const;

  std::vector<double> phase_error;     ///< per group: the largest w rho
  std::vector<double> position_error;  ///< per group: the largest w (1 + rho)
  double amplitude;
  double greatest_apart;  ///< no budget but for its phase term exceeds it, while it is conclusive
};

/// \param below_one whether sines and cosines are less than 1, but at position 0
TileConstants tile_constants(const BudgetModel& model, Format stored, bool below_one);

}  // namespace vernier
