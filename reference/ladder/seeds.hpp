#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <boost/align/aligned_allocator.hpp>

#include "reference/frequencies/amplitude.hpp"
#include "reference/frequencies/frequencies.hpp"
#include "reference/ladder/fixed_point_rotation.hpp"
#include "reference/ladder/kernel.hpp"
#include "reference/numbers/double_double.hpp"
#include "reference/numbers/enclosure.hpp"
#include "reference/numbers/position_range.hpp"
#include "reference/tables/trig_table.hpp"

namespace vernier {

using AlignedDoubles = std::vector<double, boost::alignment::aligned_allocator<double, 64>>;

/// The magnitude from which on a component that is not exactly zero carries a bound.
inline constexpr double smallest_seed = 0x1p-80;

/// Several rows of seeds.
struct SeedRows {
  std::size_t width = 0;
  AlignedDoubles sine_high, sine_low, cosine_high, cosine_low;

  SeedRows(std::size_t rows, std::size_t row_width);
  void set(std::size_t row, std::size_t pair, DoubleDouble sine, DoubleDouble cosine);
  DoubleDouble sine(std::size_t row, std::size_t pair) const {
    return {sine_high[row * width + pair], sine_low[row * width + pair]};
  }
  DoubleDouble cosine(std::size_t row, std::size_t pair) const {
    return {cosine_high[row * width + pair], cosine_low[row * width + pair]};
  }
  /// The rows from `first_row` on.
  SeedPlanes planes(std::size_t first_row = 0) const;
};

/// The coarse rows of one chunk.
struct CoarseRows {
  SeedRows seeds;
  AlignedDoubles sine_spread, cosine_spread, sine_magnitude, cosine_magnitude;

  CoarseRows(std::size_t rows, std::size_t row_width);
  CoarsePlanes planes(std::size_t row) const;
  CoarseOutput output();
};

/// The seeds of a table of evenly spaced rows, in three levels: chunk, coarse row of the chunk, fine row. A
/// row's rotation is the product of the chunk's first rotation and two of steps. Chunks start from powers of
/// one rotation, so any of them can be made by itself: nothing of the length of the table is held. All comes
/// from two rotations a pair that MPFR computes, by the first position and by the step.
///
/// Error of a seed. A rotation n rows from the first is off by at most 6 (n + 2) q (rotation.hpp), below
/// 2^-218 for n <= 2^32, hence by 2^-138 of each component that is 2^-80 or more; as a double-double by 2.26
/// u^2 of it. First rows carry the amplitude, enclosed to 1.01 u^2: they are off by 2.26 + 1.01 + 5 (the
/// product) + tiny < 9 u^2 of themselves. Pairs with a smaller component that is not exactly zero carry no
/// bound.
class SeedLadder {
 public:
  /// \param frequencies of the pairs \param amplitude > 0 \param positions within +-2^53
  SeedLadder(const Frequencies& frequencies, const Amplitude& amplitude, const PositionRange& positions);

  static constexpr unsigned seed_precision = 384;

  std::size_t pairs() const { return pairs_; }
  std::size_t width() const { return width_; }
  std::size_t fine_rows() const { return fine_rows_; }
  std::int64_t rows_per_chunk() const { return static_cast<std::int64_t>(fine_rows_ * coarse_rows_); }

  const SeedRows& fine() const { return fine_; }
  /// Makes the coarse rows of a chunk. Safe to call from several threads. \param chunk >= 0
  CoarseRows coarse(std::int64_t chunk, CombineKernel combine) const;

 private:
  struct Seed {
    DoubleDouble sine;
    DoubleDouble cosine;
  };

  FixedPointRotation first_rotation(std::int64_t chunk, std::size_t pair) const;
  /// What a rotation by the phase of a place is, exactly where that is a quarter of a turn.
  Seed seed_of(const FixedPointRotation& rotation, std::size_t pair, std::int64_t place) const;

  std::size_t pairs_;
  std::size_t width_;
  std::size_t fine_rows_;
  std::size_t coarse_rows_;
  PositionRange positions_;
  std::vector<RationalAngles> rational_angles_;  ///< one a pair
  DoubleDouble amplitude_;
  bool scaled_;
  std::vector<FixedPointRotation> first_;                     ///< one a pair
  std::vector<std::vector<FixedPointRotation>> chunk_steps_;  ///< by 1, 2, 4 ... chunks, one a pair
  SeedRows fine_;                                             ///< by 0, 1, 2 ... rows
  SeedRows coarse_steps_;                                     ///< by 0, 1, 2 ... times fine_rows_
  /// Of the fine rows, per pair; infinite where a fine row or a coarse step carries no bound.
  AlignedDoubles greatest_sine_, greatest_cosine_;
};

/// One component of one pair in a row of the ladder, x = A1 B1 + A2 B2: its seeds in full.
struct SumOfProducts {
  DoubleDouble a1, b1, a2, b2;
  double spread1, spread2;  ///< of the A's (CoarsePlanes)
  bool bounded;             ///< else the seeds carry no bound, and x must be had another way

  /// What stage one computes.
  double in_double() const { return a1.high * b1.high + a2.high * b2.high; }
  /// The M of kernel.hpp, of this row alone.
  double magnitude() const { return spread1 * std::fabs(b1.high) + spread2 * std::fabs(b2.high); }
  /// Stage two. \pre bounded \param bound_scale as in LadderOptions
  Enclosure enclosure(double bound_scale = 1) const;
};

/// \param component sine or cosine
SumOfProducts sum_of_products(const CoarseRows& coarse, std::size_t coarse_row, const SeedRows& fine,
                              std::size_t fine_row, std::size_t pair, Component component);

}  // namespace vernier
