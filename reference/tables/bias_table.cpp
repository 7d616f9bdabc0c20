#include "reference/tables/bias_table.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdlib>
#include <numbers>

namespace vernier {
namespace {

/// Whether a format with this roundoff holds a number, not negative, whatever its exponent.
bool is_held_exactly(const Rational& number, double roundoff) {
  const boost::multiprecision::mpz_int above = numerator(number);
  const boost::multiprecision::mpz_int below = denominator(number);
  return above == 0 ||
         (lsb(below) == msb(below) && static_cast<double>(msb(above) - lsb(above)) < -std::log2(roundoff));
}

/// That of 2^-step, which may have been rounded to the next binade: then 1.
double significand(double step, double roundoff) {
  const double result = std::exp2(std::ceil(step) - step);
  return result * (1 + 2 * roundoff * (1 + step)) < 2 ? result : 1;
}

}  // namespace

Interval Slope::enclosure() const {
  const Interval exponent = enclose(Rational(-step * power));
  Interval result = exponent;
  // MPFR rounds exp2 correctly both ways, so both ends of an exact power are the power itself.
  mpfi_exp2(result.backend().data(), exponent.backend().data());
  return result;
}

double Slope::growth(double roundoff) const {
  if (denominator(step) == 1) {
    return 0;
  }
  const double by = vernier::approximately(step);
  const auto k = static_cast<double>(power);
  const bool is_exact = is_held_exactly(step, roundoff) && is_held_exactly(Rational(step * power), roundoff);
  const double of_exponent = is_exact ? 0 : 2 * roundoff * by * k * std::numbers::ln2;
  const double of_base = std::log1p(2 * roundoff / significand(by, roundoff));
  const double of_power = std::log1p(roundoff) - std::log1p(-2 * roundoff);
  return std::expm1(std::max(k * of_base + (power > 1 ? of_power : 0), of_power) + of_exponent);
}

std::size_t BiasTable::heads() const {
  if (sines) {
    return static_cast<std::size_t>(sines->frequencies.pairs());
  }
  return curves.empty() ? slopes.size() : curves.size();
}

Real BiasTable::entry(std::size_t head, std::int64_t multiplier) const {
  if (sines) {
    return [sines = sines, head] { return sines->frequencies.at(static_cast<int>(head)); };
  }
  if (!curves.empty()) {
    return curves[head](multiplier).value;
  }
  return [slope = slopes[head], multiplier] { return Interval(slope.enclosure() * enclose(multiplier)); };
}

std::int64_t BiasTable::multiplier(std::span<const std::int64_t> keys, std::size_t queries, std::size_t query,
                                   std::size_t key) const {
  if (factor == Factor::one) {
    return 1;
  }
  assert(key < keys.size() && query < queries && queries <= keys.size());
  switch (factor) {
    case Factor::distance_to_last:
      return keys[key] - keys.back();
    case Factor::distance:
      return -std::abs(keys[keys.size() - queries + query] - keys[key]);
    case Factor::key_position:
    case Factor::one:
      break;
  }
  return keys[key];
}

}  // namespace vernier
