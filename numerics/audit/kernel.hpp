#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "reference/ladder/kernel.hpp"

// Notation. Of an element:
//
//   p    position
//   w    frequency of the pair
//   A    amplitude
//   rho  what the contract allows a phase to be off by relatively: the frequency and the phase's own rounding
//   u    unit roundoff: of double where truth and errors are formed, of the compute format in budgets
//   M    as in reference/ladder/kernel.hpp: what errors of the truth are relative to
//
// numerics/audit/README.md says which forms the budget has, and how they are tested to agree.

namespace vernier {

/// A tile: a few rows of sixteen pairs, small enough for the first-level cache. Sums over a tile are single
/// precision, over tiles double.
inline constexpr std::size_t tile_rows = 32;
inline constexpr std::size_t tile_lanes = kernel_lanes;

/// Indices of histograms count in steps of so many: a histogram has the lanes of a tile side by side.
inline constexpr int index_step = tile_lanes;

/// For sine and cosine, the error of each element that there is, got - truth, times a power of two; and the
/// truth's magnitude. Each is rounded to single precision last, so a relative 2^-24 off. The error is first
/// formed in double (in double-double for binary64): off by at most 6 u M (64 u^2 M) more, M <= 2 A as in
/// reference/ladder.
struct alignas(64) Tile {
  float error[2][tile_rows][tile_lanes];
  float truth[2][tile_rows][tile_lanes];
};

/// Elements under test, by pair: `stride` elements from row to row; null and 0 where there are none to
/// compare.
struct GotPlanes {
  const void* sine;
  const void* cosine;
  std::size_t sine_stride;
  std::size_t cosine_stride;
  std::size_t ahead;  ///< elements from one to that of the next block, which is fetched meanwhile
};

struct TileUnits {
  double scale;          ///< a power of two, which errors are multiplied by
  float greatest_truth;  ///< what larger ones count as
};

/// Fills a tile from lane `first_lane` of the seeds on. \param width of the fine rows
using DifferenceKernel = void (*)(const SeedPlanes& coarse, const SeedPlanes& fine, std::size_t width,
                                  std::size_t first_lane, std::size_t rows, const GotPlanes& got,
                                  TileUnits units, Tile& out);

/// What a tile's budgets need of its rows: |p|, and |p| times the relative error of rounding p.
struct TileRows {
  float position[tile_rows];
  float position_error[tile_rows];
};

/// And of its pairs: w, w rho and w (1 + rho), the latter two times `scale` and shrunk.
struct alignas(64) TileLanes {
  float frequency[tile_lanes];
  float phase_error[tile_lanes];
  float position_error[tile_lanes];
};

/// The constants of an audit, in errors' units (TileUnits). Those of budgets are shrunk by
/// 2^-20, so that single precision gives lower bounds of them (numerics/budgets/budget.hpp), tight to 2^-18.
struct TileScale {
  bool plain;               ///< amplitude 1, nothing rounded in storage
  float amplitude;          ///< A
  float inverse_amplitude;  ///< 1 / A, shrunk
  float half_inverse_scale;
  float inverse_scale;
  float phase_roundings;        ///< the number of them is the error times this over 1 + phase
  float smallest_truth;         ///< 2^-11 of A's binade: smaller ones are marked
  float smallest_error;         ///< added to errors before they are binned
  float greatest_budget_ratio;  ///< those that use more are marked
  float greatest_truth;         ///< as of the tile
  float error_next_to_one;      ///< smaller ones of that truth are marked
  float unsure_error;           ///< errors this near a power of two are marked
  float indexed_error;          ///< as are larger ones
  float trig_ulps;              ///< ulp(v) is this times the power of two below v
  float trig_floor;             ///< from a phase of pi/4 on
  float trig_factor;            ///< A (1 + 2u) if A is not 1
  float scaling;                ///< 2 u A if A is not 1
  float storage_ulps;
  float inconclusive;  ///< budgets above this prove nothing
  int exponent_shift;  ///< binades of the truth count from this bit of an index on
  std::int32_t index_origin;
};

/// What a kernel sums up of one component of a tile, a lane a pair. Elements that single or double precision
/// cannot judge are *marked*: index 0, and no part in sums and maxima.
struct alignas(64) TileSummary {
  float error[tile_lanes], magnitude[tile_lanes], square[tile_lanes];
  float ulps[tile_lanes], ulps_magnitude[tile_lanes], ulps_square[tile_lanes];
  float phase_roundings[tile_lanes], phase_roundings_square[tile_lanes];
  float greatest_error[tile_lanes], greatest_ulps[tile_lanes], greatest_phase_roundings[tile_lanes];
  float greatest_budget_ratio[tile_lanes];  ///< no less than by exact budgets, but for 2^-23 of it
  std::int32_t inconclusive[tile_lanes];
  std::int32_t marked[tile_lanes];  ///< how many elements
  /// Of quarters of octaves of the error, in low bits, and binades of the truth, downwards: `index_step`
  /// times index_origin + (4 log2 |error|) - (log2 |truth| << exponent_shift), at least 1, logarithms as the
  /// bits of floats have them.
  std::uint32_t index[tile_rows][tile_lanes];
};

/// Sums up a tile, and counts the indices of its elements. Marked are
/// - truths below `smallest_truth`, where the ulp error is not known well enough,
/// - truths within 2^-21 of a power of two, as their ulp is in doubt,
/// - errors within `unsure_error` of a power of two: whether they are below half an ulp (correctly rounded)
///   or one (faithful) is in doubt,
/// - errors below `error_next_to_one` of truths of 1, nearly: all may be so small, and are known to 6 u M,
/// - errors that are not finite, or beyond `indexed_error`,
/// - elements that use all of their budget but 2^-13: the error is known to 2^-14.4 of half an ulp at
///   `smallest_truth`, which is the least of budgets, and these are tight to 2^-18,
/// - elements whose budget is in doubt as it counts in ulp of a number near a power of two,
/// - in the kernel for budgets that may be inconclusive: those within 2^-14 of being so.
/// The errors in the tile may become 0 where they are marked.
/// \param counts of sine and cosine: `index_step` for each index
/// \param out likewise; null for one that is not wanted
using SummaryKernel = void (*)(Tile& tile, std::size_t rows, const TileRows& positions,
                               const TileLanes& lanes, const TileScale& scale, std::uint16_t* const counts[2],
                               TileSummary* const out[2]);

/// Sums of tiles of a component in one band of positions, by lane; maxima of them.
struct alignas(64) TileSums {
  double error[tile_lanes], magnitude[tile_lanes], square[tile_lanes];
  double ulps[tile_lanes], ulps_magnitude[tile_lanes], ulps_square[tile_lanes];
  double phase_roundings[tile_lanes], phase_roundings_square[tile_lanes];
  float greatest_error[tile_lanes], greatest_ulps[tile_lanes], greatest_phase_roundings[tile_lanes];
  float greatest_budget_ratio[tile_lanes];
  std::int32_t inconclusive[tile_lanes];
};

/// What a tile is compared with as it is added.
struct TileLimits {
  float block_error;  ///< the greatest one of the block so far
  /// From these on an element may be the greatest or the worst of all.
  float error, ulps, phase_roundings, budget_ratio;
};

struct TileFindings {
  bool marked = false;
  bool may_hold_greatest = false;
  bool grows = false;  ///< some error is beyond `block_error`
};

/// Adds a tile to sums.
using CommitKernel = TileFindings (*)(const TileSummary& summary, const TileLimits& limits, TileSums& sums);

/// The audit's kernels for one instruction set. They give the same bits on all.
struct AuditKernels {
  std::string_view name;
  DifferenceKernel binary64;
  DifferenceKernel binary32;
  DifferenceKernel binary16;
  DifferenceKernel bfloat16;
  DifferenceKernel widened;  ///< values of any format but binary64, given as doubles
  SummaryKernel conclusive;
  SummaryKernel doubtful;  ///< where budgets may prove nothing
  CommitKernel commit;
};

/// The kernels that this processor can run, the plainest first: as many as kernel_sets().
std::span<const AuditKernels> audit_kernel_sets();

}  // namespace vernier
