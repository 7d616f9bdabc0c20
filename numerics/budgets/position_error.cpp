#include "numerics/budgets/position_error.hpp"

#include <cmath>
#include <limits>

namespace vernier {
namespace {

bool is_binary64_power_of_two(const Rational& value) {
  const double nearest = approximately(value);
  return std::exp2(std::ilogb(nearest)) == nearest && exact_rational(nearest) == value;
}

bool holds(Format format, const Rational& value) {
  const double nearest = round_to(format, approximately(value));
  return std::isfinite(nearest) && exact_rational(nearest) == value;
}

bool is_exact_factor(const Constant& constant) {
  return constant.power_of_pi == 0 && is_binary64_power_of_two(constant.factor);
}

double rounding_error(Format format, double value) {
  const double rounded = round_to(format, value);
  return std::isfinite(rounded) ? std::fabs(rounded - value) : std::numeric_limits<double>::infinity();
}

}  // namespace

double constant_error(const Constant& constant, Format format) {
  const double u = traits(format).unit_roundoff();
  if (constant.power_of_pi == 0) {
    return holds(format, constant.factor) ? 0 : u;
  }
  if (is_binary64_power_of_two(abs(constant.factor))) {
    return u;
  }
  return holds(format, Rational(denominator(constant.factor))) ? 2 * u + u * u : 3 * u * (1 + 2 * u);
}

double product_error(const Constant& constant, Format format) {
  if (is_exact_factor(constant)) {
    return 0;
  }
  const double u = traits(format).unit_roundoff();
  const double of_constant = constant_error(constant, format);
  return of_constant + u + of_constant * u;
}

PositionError::PositionError(const PositionMap& map)
    : is_plain_(map.is_plain()),
      has_offset_(map.offset().factor != 0),
      unit_(approximately(Rational(map.unit() / map.stride()))),
      quantum_(approximately(map.quantum())),
      shift_(static_cast<double>(map.shift())),
      offset_size_(std::fabs(approximately(map.offset()))) {
  for (std::size_t i = 0; i < roundings_.size() && !is_plain_; ++i) {
    const auto& format = format_table[i];
    const double of_product = product_error(map.scale(), format.format);
    roundings_[i] = {of_product, constant_error(map.offset(), format.format) +
                                     (of_product > 0 ? format.unit_roundoff() : 0)};
  }
}

double PositionError::at(std::int64_t place, Format format) const {
  const auto m = static_cast<double>(place);
  const double u = traits(format).unit_roundoff();
  if (is_plain_) {
    return std::fabs(m) * u <= 1 ? 0 : rounding_error(format, m);
  }
  const double given = (m - shift_) * unit_;
  const double x = m * quantum_;
  if (std::fabs(x) > traits(format).largest()) {
    return std::numeric_limits<double>::infinity();
  }
  const double of_given = given == 0 ? 0 : rounding_error(format, given) / std::fabs(given);
  const auto& roundings = roundings_[static_cast<std::size_t>(format)];
  const double of_product = roundings.product;
  const double scaled = std::fabs(m - shift_) * quantum_;
  double error = scaled * (of_given + of_product + of_given * of_product);
  if (has_offset_) {
    error += offset_size_ * roundings.offset;
    error += error == 0 ? rounding_error(format, x) : u * (std::fabs(x) + error);
  }
  return error / quantum_;
}

}  // namespace vernier
