#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "reference/ladder/fixed_point_rotation.hpp"
#include "reference/numbers/enclosure.hpp"
#include "reference/tables/trig_table.hpp"

namespace vernier {

/// Certified sin and cos of position * w_i for all pairs of a position at once, by angle addition from two
/// short tables of seeds: t = a K + b, and (cos, sin)(t w) is one complex product of a coarse row a and a
/// fine row b. Seeds are double-double, made when they are first needed, by multiplication of rotations in
/// fixed point: all fine ones, and a coarse one of those by the digits of a. All are powers of one rotation,
/// by a position, which the multiprecision reference makes.
///
/// The same step stands in ladder/, for another question. Here any position is asked for, in any order, and
/// the answer is an enclosure of about 100 bits. There positions are evenly spaced, and an element is wanted
/// in its format only, so that most of it is done in double and in vectors.
///
/// Error. Write x = A1 B1 +- A2 B2 with M = |A1 B1| + |A2 B2|. Each seed is off by at most s = 2^-104
/// relative: the rotation by a position is its power of the first, hence off by 6 2^53 q < 2^-198 at most
/// (fixed_point_rotation.hpp), which is 2^-118 of a component of 2^-80, and its double-double by 2.25 u^2 of
/// itself. So each product by (2 s + 5u^2)(1 + tiny) of itself, and the sum by 3u^2
/// |x| <= 3u^2 M more: with s = 4u^2, 16u^2 M in all. `radius` is 32 u^2 M, which leaves a factor of two for
/// what is neglected at order u^3 and for computing it. Seeds smaller than 2^-80 that are not exactly
/// zero (underflow in the products, s out of reach) send the row to direct evaluation.
class CertifiedPhases {
 public:
  /// \param fine_rows K
  CertifiedPhases(Frequencies frequencies, std::int64_t fine_rows);
  /// K for so many consecutive positions: about their square root.
  static std::int64_t fine_rows_for(std::int64_t positions);

  int pairs() const { return frequencies_.pairs(); }
  /// Writes the enclosures of one position. \param sine, cosine pairs() elements each
  void row(std::int64_t position, std::span<Enclosure> sine, std::span<Enclosure> cosine);

 private:
  struct Seed {
    DoubleDouble sine;
    DoubleDouble cosine;
    bool usable = false;
  };
  using SeedRow = std::vector<Seed>;

  using RotationRow = std::vector<FixedPointRotation>;
  /// Of frequency zero, exactly; of another; or so wide that no rotation by it has a bound.
  enum class Turning { none, bounded, wide };

  /// \param is_nothing whether the row is no rotation, exactly
  SeedRow seeds_of(const RotationRow& rotations, bool is_nothing) const;
  RotationRow rotations_by_a_position() const;
  const RotationRow& rotations_of_place(std::size_t place);
  RotationRow rotations_of_block(std::int64_t block);
  const RotationRow& kept_rotations_of_block(std::int64_t block);
  const SeedRow& coarse_seeds(std::int64_t block);
  void make_fine_seeds();

  Frequencies frequencies_;
  std::vector<Interval> enclosed_frequencies_;
  std::vector<RationalAngles> rational_angles_;
  std::vector<Turning> turning_;  ///< one a pair, as are the rotations and seeds of a row
  std::int64_t fine_rows_;
  std::vector<RotationRow> places_;                          ///< by 1, 64, 64^2 ... blocks
  std::unordered_map<std::int64_t, RotationRow> rotations_;  ///< by block: of one digit, or ending with zeros
  std::unordered_map<std::int64_t, SeedRow> coarse_;         ///< by block
  std::vector<SeedRow> fine_;                                ///< all or none
};

/// Streams a table row by row, certified: enclosures of its entries, and the entries correctly rounded.
class CertifiedTable {
 public:
  /// \param expected_rows about how many consecutive positions will be asked for
  explicit CertifiedTable(TrigTable table, std::int64_t expected_rows = 4096);

  const TrigTable& table() const { return table_; }
  std::size_t columns() const { return table_.columns.size(); }

  /// The enclosures of one row. \param out columns() elements
  void row(std::int64_t position, std::span<Enclosure> out);
  /// The enclosures of one row and, beside each, of the other component of the same pair (the derivative by
  /// the phase, up to sign), scaled alike. Zero where the entry is zero by definition. \param out, partner
  /// columns() elements
  void row(std::int64_t position, std::span<Enclosure> out, std::span<Enclosure> partner);
  /// The entry correctly rounded: from its enclosure if that decides, else by Ziv's loop; nothing if
  /// undecided at the cap.
  std::optional<double> rounded_entry(Format format, std::int64_t position, std::size_t column,
                                      const Enclosure& enclosure) const;

 private:
  TrigTable table_;
  Enclosure amplitude_;
  CertifiedPhases phases_;
  std::vector<Enclosure> sine_;
  std::vector<Enclosure> cosine_;
};

/// A certified table that makes few seeds for just these positions, however they are spread.
CertifiedTable certified_table_for(const TrigTable& table, std::span<const std::int64_t> positions);

}  // namespace vernier
