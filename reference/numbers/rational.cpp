#include "reference/numbers/rational.hpp"

#include <algorithm>
#include <cassert>
#include <charconv>
#include <cmath>
#include <limits>

#include <mpfr.h>

namespace vernier {
namespace {

using Integer = boost::multiprecision::mpz_int;

constexpr std::size_t longest_text = 4000;
constexpr int largest_exponent = 4000;

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/// Takes the digits at the front of `text`, which may be none.
std::string_view take_digits(std::string_view& text) {
  std::size_t count = 0;
  while (count < text.size() && is_digit(text[count])) {
    ++count;
  }
  const auto digits = text.substr(0, count);
  text.remove_prefix(count);
  return digits;
}

bool take(std::string_view& text, char expected) {
  if (text.empty() || text.front() != expected) {
    return false;
  }
  text.remove_prefix(1);
  return true;
}

std::optional<int> take_exponent(std::string_view& text) {
  if (!take(text, 'e') && !take(text, 'E')) {
    return 0;
  }
  const bool negative = take(text, '-');
  if (!negative) {
    take(text, '+');
  }
  const auto digits = take_digits(text);
  int exponent = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), exponent);
  if (error != std::errc{} || exponent > largest_exponent) {
    return std::nullopt;
  }
  return negative ? -exponent : exponent;
}

Integer power_of_ten(unsigned exponent) {
  return boost::multiprecision::pow(Integer(10), exponent);
}

/// Decimal digits to an integer; leading zeros must not make GMP read octal.
Integer from_digits(std::string digits) {
  digits.erase(0, std::min(digits.find_first_not_of('0'), digits.size() - 1));
  return Integer(digits);
}

}  // namespace

std::optional<Rational> parse_rational(std::string_view text) {
  if (text.size() > longest_text) {
    return std::nullopt;
  }
  const bool negative = take(text, '-');
  const auto whole = take_digits(text);
  const auto fraction = take(text, '.') ? take_digits(text) : std::string_view{"0"};
  const auto exponent = take_exponent(text);
  if (whole.empty() || fraction.empty() || !exponent || !text.empty()) {
    return std::nullopt;
  }
  const Integer digits = from_digits(std::string(whole) + std::string(fraction));
  const int shift = *exponent - static_cast<int>(fraction.size());
  const Integer power = power_of_ten(static_cast<unsigned>(std::abs(shift)));
  const Rational magnitude = shift >= 0 ? Rational(digits * power) : Rational(digits, power);
  return negative ? Rational(-magnitude) : magnitude;
}

std::optional<Rational> parse_quotient(std::string_view text) {
  const auto slash = text.find('/');
  auto dividend = parse_rational(text.substr(0, slash));
  if (slash == std::string_view::npos || !dividend) {
    return dividend;
  }
  const auto divisor = parse_rational(text.substr(slash + 1));
  if (!divisor || *divisor == 0) {
    return std::nullopt;
  }
  return Rational(*dividend / *divisor);
}

std::optional<std::int64_t> as_integer(const Rational& value) {
  if (denominator(value) != 1 || numerator(value) > std::numeric_limits<std::int64_t>::max() ||
      numerator(value) < std::numeric_limits<std::int64_t>::min()) {
    return std::nullopt;
  }
  return static_cast<std::int64_t>(numerator(value));
}

Rational exact_rational(double value) {
  assert(std::isfinite(value));
  Rational result;
  mpq_set_d(result.backend().data(), value);
  return result;
}

std::string to_string(const Rational& value) {
  Integer rest = denominator(value);
  unsigned twos = 0;
  unsigned fives = 0;
  for (; rest % 2 == 0; rest /= 2) {
    ++twos;
  }
  for (; rest % 5 == 0; rest /= 5) {
    ++fives;
  }
  if (rest != 1) {
    return value.str();
  }
  const unsigned places = std::max(twos, fives);
  const Integer scaled = numerator(Rational(value * Rational(power_of_ten(places))));
  std::string digits = Integer(abs(scaled)).str();
  if (places > 0) {
    if (digits.size() <= places) {
      digits.insert(0, places + 1 - digits.size(), '0');
    }
    digits.insert(digits.size() - places, 1, '.');
  }
  return (scaled < 0 ? "-" : "") + digits;
}

double approximately(const Rational& value) {
  const auto* above = mpq_numref(value.backend().data());
  const auto* below = mpq_denref(value.backend().data());
  constexpr std::size_t exact = std::numeric_limits<double>::digits;
  if (mpz_sizeinbase(above, 2) <= exact && mpz_sizeinbase(below, 2) <= exact) {
    return mpz_get_d(above) / mpz_get_d(below);  // of two doubles, rounded once
  }
  mpfr_t nearest;
  mpfr_init2(nearest, std::numeric_limits<double>::digits);
  mpfr_set_q(nearest, value.backend().data(), MPFR_RNDN);
  const double result = mpfr_get_d(nearest, MPFR_RNDN);
  mpfr_clear(nearest);
  return result;
}

}  // namespace vernier
