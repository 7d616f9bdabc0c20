#include "reference/numbers/constant.hpp"

#include <cassert>
#include <cmath>
#include <numbers>

#include <fmt/core.h>

namespace vernier {

Constant operator*(const Constant& a, const Constant& b) {
  return {a.factor * b.factor, a.power_of_pi + b.power_of_pi};
}

Constant operator/(const Constant& a, const Constant& b) {
  assert(b.factor != 0);
  return {a.factor / b.factor, a.power_of_pi - b.power_of_pi};
}

std::optional<Constant> parse_constant(std::string_view text) {
  const auto symbol = text.find("pi");
  if (symbol == std::string_view::npos) {
    const auto number = parse_quotient(text);
    return number ? std::optional(Constant{*number, 0}) : std::nullopt;
  }
  const auto before = text.substr(0, symbol);
  const auto after = text.substr(symbol + 2);
  const auto multiple = before.empty()  ? std::optional(Rational(1))
                        : before == "-" ? std::optional(Rational(-1))
                                        : parse_rational(before);
  const auto divisor = after.empty()          ? std::optional(Rational(1))
                       : after.front() == '/' ? parse_rational(after.substr(1))
                                              : std::nullopt;
  if (!multiple || !divisor || *divisor == 0) {
    return std::nullopt;
  }
  return Constant{*multiple / *divisor, 1};
}

std::string to_string(const Constant& value) {
  assert(value.power_of_pi == 0 || value.power_of_pi == 1);
  if (value.power_of_pi == 0) {
    return to_string(value.factor);
  }
  const Rational above = numerator(value.factor);
  const Rational below = denominator(value.factor);
  const std::string multiple = above == 1 ? "" : above == -1 ? "-" : to_string(above);
  return below == 1 ? multiple + "pi" : fmt::format("{}pi/{}", multiple, to_string(below));
}

Interval enclose(const Constant& value) {
  Interval result = enclose(value.factor);
  for (int i = 0; i < std::abs(value.power_of_pi); ++i) {
    if (value.power_of_pi > 0) {
      result *= pi();
    } else {
      result /= pi();
    }
  }
  return result;
}

double approximately(const Constant& value) {
  return approximately(value.factor) * std::pow(std::numbers::pi, value.power_of_pi);
}

}  // namespace vernier
