#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <boost/align/aligned_allocator.hpp>

#include "reference/ladder/kernel.hpp"
#include "reference/ladder/rotation.hpp"
#include "reference/position_range.hpp"
#include "reference/rational.hpp"

namespace vernier {

using AlignedDoubles = std::vector<double, boost::alignment::aligned_allocator<double, 64>>;

/// The planes of several rows of seeds.
struct SeedRows {
  std::size_t width = 0;
  AlignedDoubles sine_high, sine_low, cosine_high, cosine_low;

  SeedRows(std::size_t rows, std::size_t row_width);
  /// Stores the seed of one pair as double-doubles times `amplitude`.
  void set(std::size_t row, std::size_t pair, const Rotation& seed, const DoubleDouble* amplitude);
  DoubleDouble sine(std::size_t row, std::size_t pair) const;
  DoubleDouble cosine(std::size_t row, std::size_t pair) const;
};

/// The coarse rows of one chunk, with the magnitudes that bound their products with all fine rows.
struct CoarseRows {
  SeedRows seeds;
  AlignedDoubles sine_magnitude, cosine_magnitude;

  CoarseRows(std::size_t rows, std::size_t row_width);
  CoarsePlanes planes(std::size_t row) const;
};

/// The seeds of a table of consecutive rows, in three levels: a row is (chunk, coarse row, fine row), and its
/// rotation the product of the three. Chunks start from powers of one rotation, so any chunk can be made by
/// itself: nothing of the length of the table is held. All levels are products of two rotations a pair,
/// computed by MPFR: by the first position, and by the step.
///
/// Error of a seed. A rotation n rows from the first is off by at most 6 (n + 2) q (rotation.hpp), below
/// 2^-218 for n <= 2^32, hence by 2^-138 of each component that is 2^-80 or more; as a double-double by 2.26
/// u^2 of it, and coarse ones, which carry the amplitude (itself enclosed to 1.01 u^2), by 2.26 + 1.01 + 5 +
/// tiny < 9 u^2. Pairs with a smaller component that is not exactly zero carry no bound: their magnitudes are
/// infinite.
class SeedLadder {
 public:
  /// \param frequencies of the pairs, enclosed at `seed_precision`
  /// \param amplitude > 0 \param positions within +-2^31
  SeedLadder(std::span<const Interval> frequencies, const Rational& amplitude,
             const PositionRange& positions);

  static constexpr unsigned seed_precision = 384;

  std::size_t pairs() const { return pairs_; }
  std::size_t width() const { return width_; }
  std::size_t fine_rows() const { return fine_rows_; }
  std::size_t coarse_rows() const { return coarse_rows_; }
  std::int64_t rows_per_chunk() const { return static_cast<std::int64_t>(fine_rows_ * coarse_rows_); }

  /// \param first_row < fine_rows()
  FinePlanes fine_planes(std::size_t first_row) const;
  const SeedRows& fine() const { return fine_; }
  /// Makes the coarse rows of a chunk. Safe to call from several threads.
  CoarseRows coarse(std::int64_t chunk) const;

 private:
  struct Magnitudes {
    double sine = 0;
    double cosine = 0;
    bool bounded = true;
  };

  std::size_t pairs_;
  std::size_t width_;
  std::size_t fine_rows_;
  std::size_t coarse_rows_;
  DoubleDouble amplitude_;
  bool scaled_;
  std::vector<Rotation> first_;                     ///< one a pair
  std::vector<Rotation> coarse_step_;               ///< one a pair
  std::vector<std::vector<Rotation>> chunk_steps_;  ///< by 1, 2, 4 ... chunks, one a pair
  SeedRows fine_;
  std::vector<Magnitudes> greatest_fine_;  ///< one a pair
};

}  // namespace vernier
