#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include <boost/multiprecision/gmp.hpp>
#include <mpfi.h>

#include "reference/numbers/enclosure.hpp"
#include "reference/numbers/sine_cosine.hpp"
#include "reference/tables/trig_table.hpp"

namespace vernier {

/// A point of the unit circle, e^(i x), in fixed point: many are made by multiplication from one that was
/// evaluated, at a tenth of an evaluation's price each.
///
/// Error. It is the distance to the true point, in units of 2^-fraction. Of a product of two points off by a
/// and b it is at most a + b + a b 2^-fraction, as both truths have modulus one, and the two parts that are
/// rounded down add less than sqrt 2. So it grows by addition, and stays far below 2^(fraction/2).
struct CirclePoint {
  using Integer = boost::multiprecision::mpz_int;
  static constexpr int fraction = 240;

  Integer cosine = Integer(1) << fraction;
  Integer sine = 0;
  double error = 0;  ///< zero of the point 1 alone
};

/// \param of_phase both functions of one phase, enclosed
inline CirclePoint circle_point_at(const SineCosine& of_phase) {
  CirclePoint point;
  const auto scaled_width = [](const Interval& interval, CirclePoint::Integer& lower) {
    Interval scaled = interval;
    auto* ends = scaled.backend().data();
    mpfi_mul_2si(ends, ends, CirclePoint::fraction);
    CirclePoint::Integer upper;
    mpfr_get_z(lower.backend().data(), &ends->left, MPFR_RNDD);
    mpfr_get_z(upper.backend().data(), &ends->right, MPFR_RNDU);
    return CirclePoint::Integer(upper - lower).convert_to<double>();
  };
  const double cosine = scaled_width(of_phase.cosine, point.cosine);
  const double sine = scaled_width(of_phase.sine, point.sine);
  point.error = 1.5 * std::max(cosine, sine);  // more than sqrt 2; small integers are doubles exactly
  return point;
}

inline CirclePoint operator*(const CirclePoint& a, const CirclePoint& b) {
  CirclePoint product;
  product.cosine = (a.cosine * b.cosine - a.sine * b.sine) >> CirclePoint::fraction;
  product.sine = (a.sine * b.cosine + a.cosine * b.sine) >> CirclePoint::fraction;
  const bool is_exact = a.error == 0 || b.error == 0;  // by the point 1
  product.error = a.error + b.error + (is_exact ? 0 : 2);
  return product;
}

/// One part of a point with this error.
inline Enclosure enclosure_of(const CirclePoint::Integer& part, double error) {
  // Each conversion truncates, and what two leave is less than 2^-104 of the part.
  const double first = part.convert_to<double>();
  CirclePoint::Integer rest = part - CirclePoint::Integer(first);
  const double second = rest.convert_to<double>();
  rest -= CirclePoint::Integer(second);
  const auto [high, low] = fast_two_sum(first, second);
  // Truncated and added, it is off by less than 2^-52 of itself and 2^-53 of the low part, which is 2^-53 of
  // the high.
  const double all_low = low + rest.convert_to<double>();
  const double conversion = rest == 0 ? 0 : 0x1p-105 * std::fabs(high);
  const auto in_units = [](double value) { return std::ldexp(value, -CirclePoint::fraction); };
  return {fast_two_sum(in_units(high), in_units(all_low)), in_units(error + conversion)};
}

/// Certified sin and cos of position * w_i for all pairs of a position at once, by angle addition from two
/// short tables of seeds: t = a K + b, and (cos, sin)(t w) is one complex product of a coarse row a and a
/// fine row b. Seeds are double-double, made when they are first needed, by multiplication of points of the
/// circle (CirclePoint): all fine ones by the first, and a coarse one of those by the digits of a. The
/// multiprecision reference makes one point of each place.
///
/// The same step stands in ladder/, for another question. Here any position is asked for, in any order, and
/// the answer is an enclosure of about 100 bits. There positions are evenly spaced, and an element is wanted
/// in its format only, so that most of it is done in double and in vectors.
///
/// Error. Write x = A1 B1 +- A2 B2 with M = |A1 B1| + |A2 B2|. Each seed is off by at most s = 2^-104
/// relative (checked as it is made), so each product by (2 s + 5u^2)(1 + tiny) of itself, and the sum by 3u^2
/// |x| <= 3u^2 M more: with s = 4u^2, 16u^2 M in all. `radius` is 32 u^2 M, which leaves a factor of two for
/// what is neglected at order u^3 and for computing it. Seeds smaller than 2^-80 (underflow in the products,
/// s out of reach) send the row to direct evaluation.
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

  using PointRow = std::vector<CirclePoint>;

  static Seed seed_of(const CirclePoint& point);
  PointRow points_at(std::int64_t position) const;
  PointRow points_of_block(std::int64_t block);
  const PointRow& kept_points_of_block(std::int64_t block);
  const SeedRow& coarse_seeds(std::int64_t block);
  void make_fine_seeds();

  Frequencies frequencies_;
  std::vector<Interval> enclosed_frequencies_;
  std::vector<RationalAngles> rational_angles_;
  std::int64_t fine_rows_;
  std::unordered_map<std::int64_t, PointRow> points_;  ///< by block: of one digit, or ending with zeros
  std::unordered_map<std::int64_t, SeedRow> coarse_;   ///< by block
  std::unordered_map<std::int64_t, SeedRow> fine_;     ///< all or none
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
