#include "reference/schemes/position_ids/position_rule.hpp"

namespace vernier {
namespace {

/// \param value not negative
std::int64_t cut_off(const Rational& value) {
  return static_cast<std::int64_t>(boost::multiprecision::mpz_int(numerator(value) / denominator(value)));
}

}  // namespace

std::int64_t PositionBlock::Axis::at(std::int64_t place) const {
  const auto count = place + skipped;
  if (step == 1) {
    return first + count;
  }
  return first + cut_off(rounding == TemporalRounding::nearest ? Rational(count * step + Rational(1, 2))
                                                               : Rational(count * step));
}

std::int64_t PositionBlock::at(std::int64_t row, std::size_t axis) const {
  const auto& one = axes[axis];
  const auto in_frame = row % (raster[1] * raster[2]);
  switch (one.index) {
    case 0:
      return one.at(row / (raster[1] * raster[2]));
    case 1:
      return one.at(in_frame / raster[2]);
    case 2:
      return one.at(in_frame % raster[2]);
    default:
      return one.first;
  }
}

}  // namespace vernier
