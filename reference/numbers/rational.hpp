#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <boost/multiprecision/gmp.hpp>

namespace vernier {

/// An exact rational number. Bases, factors and thresholds given in decimal are of this type: 0.1 is one
/// tenth.
using Rational = boost::multiprecision::mpq_rational;

/// The exact value of a JSON number ("10000", "5e5", "0.25"), or nothing if `text` is not one, or if it has
/// more than 4000 characters or an exponent beyond +-4000 (a value no specification means, and one that would
/// not fit in memory).
std::optional<Rational> parse_rational(std::string_view text);

/// The exact value of a JSON number or of a quotient of two ("1/3"), or nothing if `text` is neither.
std::optional<Rational> parse_quotient(std::string_view text);

/// The integer that `value` is, if it is one and fits.
std::optional<std::int64_t> as_integer(const Rational& value);

/// The exact rational value of a finite double.
Rational exact_rational(double value);

/// The shortest honest decimal: exact when the denominator divides a power of ten ("0.25"), else "p/q".
std::string to_string(const Rational& value);

/// The double nearest to `value` (rounded twice if subnormal): for display, for bounds that have slack, and
/// for recipes.
double approximately(const Rational& value);

}  // namespace vernier
