#pragma once

#include <cstdint>
#include <string>

#include "reference/numbers/constant.hpp"
#include "reference/numbers/position_range.hpp"

namespace vernier {

/// Places may be as large as this in magnitude: doubles hold them, and sums of two fit in 64 bits.
inline constexpr std::int64_t largest_place = std::int64_t{1} << 53;

/// From the numbers that positions are given as to the real ones that encodings turn by.
///
/// A position is given as an integer n and stands for the number n unit, exactly; the encoding turns by
/// x = scale n unit + offset. As scale and offset have a common measure, all x lie on a lattice:
/// x = quantum m, with integers m = stride n + shift. The integer m is the *place* of the position. Tables
/// are functions of places, and their frequencies are in radians a place, so that all that is true of
/// integer positions is true of real ones. Without scale and offset the place is n itself.
class PositionMap {
 public:
  PositionMap() = default;
  /// \param unit, scale > 0  \param offset of the power of pi that `scale` has, unless it is zero
  PositionMap(Rational unit, Constant scale, Constant offset);

  const Rational& unit() const { return unit_; }
  const Constant& scale() const { return scale_; }
  const Constant& offset() const { return offset_; }
  /// What one place is of x.
  const Constant& quantum() const { return quantum_; }
  std::int64_t stride() const { return stride_; }
  std::int64_t shift() const { return shift_; }

  /// Whether places are the integers that are given, and those the positions.
  bool is_plain() const { return unit_ == 1 && scale_.is_one() && offset_.factor == 0; }
  /// Whether places are the positions, as they are given.
  bool keeps_integers() const { return unit_ == 1 && stride_ == 1 && shift_ == 0; }

  /// The place of a given integer. \throws InputError beyond +-largest_place, or where x is beyond 2^31
  std::int64_t place(std::int64_t given) const;
  /// The places of evenly spaced ones. Throws what place() throws.
  PositionRange places(const PositionRange& given) const;
  /// The given integer n of a place. \param place of some position
  std::int64_t number(std::int64_t place) const { return (place - shift_) / stride_; }
  /// The position as it was given, n unit, exactly: "0.5", "-13/14". \param place of some position
  std::string text(std::int64_t place) const;
  /// The same to an ulp of double.
  double approximate(std::int64_t place) const { return approximately(given(place)); }

  bool operator==(const PositionMap&) const = default;

 private:
  Rational given(std::int64_t place) const { return Rational(place - shift_) / stride_ * unit_; }

  Rational unit_ = 1;
  Constant scale_;
  Constant offset_{0, 0};
  Constant quantum_;
  double approximate_quantum_ = 1;
  std::int64_t stride_ = 1;
  std::int64_t shift_ = 0;
};

}  // namespace vernier
