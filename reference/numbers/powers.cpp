#include "reference/numbers/powers.hpp"

#include <cassert>
#include <map>
#include <utility>

namespace vernier {
namespace {

/// Of the last values that this thread asked for, by value and precision. 0, which has no logarithm, stands
/// for pi.
Interval remembered(const Rational& value) {
  constexpr std::size_t most = 64;
  thread_local std::map<std::pair<Rational, unsigned>, Interval> known;
  const std::pair<Rational, unsigned> key{value, Interval::default_precision()};
  if (const auto found = known.find(key); found != known.end()) {
    return found->second;
  }
  if (known.size() == most) {
    known.clear();
  }
  const Interval argument = value == 0 ? pi() : enclose(value);
  return known.emplace(key, log(argument)).first->second;
}

using Integer = boost::multiprecision::mpz_int;

/// A number halfway between two of binary64 is k/2^n with n <= 1075 and |k| < 2^1024, and the narrower
/// formats have shorter ones: what has more bits, above or below its line, is none.
constexpr unsigned most_midpoint_bits = 2048;

/// The integer that has `value` as its power, if there is one. \param value >= 1 \param degree >= 1
std::optional<Integer> exact_root(const Integer& value, const Integer& degree) {
  if (value == 1) {
    return value;
  }
  if (degree > msb(value)) {
    return std::nullopt;  // the root of a number below 2^degree is less than 2
  }
  Integer root;
  const bool exact =
      mpz_root(root.backend().data(), value.backend().data(), degree.convert_to<unsigned long>()) != 0;
  return exact ? std::optional(root) : std::nullopt;
}

}  // namespace

Interval log_of(const Rational& value) {
  assert(value > 0);
  return remembered(value);
}

Interval log_of_pi() {
  return remembered(0);
}

// A quotient of integers without common divisors has a rational root only if both have one.
std::optional<Rational> exact_power(const Rational& base, const Rational& exponent) {
  const Integer degree = denominator(exponent);
  const auto above = exact_root(numerator(base), degree);
  const auto below = exact_root(denominator(base), degree);
  const Integer times = abs(Integer(numerator(exponent)));
  if (!above || !below || times * msb(*above > *below ? *above : *below) > most_midpoint_bits) {
    return std::nullopt;
  }
  const auto count = times.convert_to<unsigned>();
  const Rational power(pow(*above, count), pow(*below, count));
  return exponent < 0 ? Rational(1 / power) : power;
}

Real rational_power(const Rational& base, const Rational& exponent, const Rational& factor) {
  assert(base > 0);
  if (const auto exact = exact_power(base, exponent)) {
    return [value = Rational(factor * *exact)] { return enclose(value); };
  }
  return [base, exponent, factor] {
    const Interval power = exp(Interval(enclose(exponent) * log_of(base)));
    return factor == 1 ? power : Interval(enclose(factor) * power);
  };
}

}  // namespace vernier
