#include "numerics/decoding/held_number.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <utility>

#include <fmt/core.h>

namespace vernier {
namespace {

constexpr double greatest_part = 0x1p31;

struct Fraction {
  double n = 0;
  double d = 1;
};

/// The fraction of the least denominator within the range, 0 <= low <= high (Stern and Brocot): what both
/// ends' continued fractions begin with alike, and then the least whole number between the rests.
std::optional<Fraction> simplest_positive(double low, double high, int depth = 0) {
  constexpr int deepest = 24;
  const double whole = std::ceil(low);
  if (whole <= high) {
    return Fraction{whole, 1};
  }
  if (depth == deepest) {
    return std::nullopt;
  }
  const double part = std::floor(low);
  const auto rest = simplest_positive(1 / (high - part), 1 / (low - part), depth + 1);
  if (!rest || rest->n > greatest_part) {
    return std::nullopt;
  }
  return Fraction{part * rest->n + rest->d, rest->n};
}

std::optional<Fraction> simplest_fraction(const HeldRange& range) {
  if (range.contains(0)) {
    return Fraction{0, 1};
  }
  if (range.low > 0) {
    return simplest_positive(range.low, range.high);
  }
  auto mirrored = simplest_positive(-range.high, -range.low);
  if (mirrored) {
    mirrored->n = -mirrored->n;
  }
  return mirrored;
}

/// The digits of a whole number, the zeros at its end not counted.
int decimal_digits(double n) {
  int digits = 1;
  for (n = std::fabs(n); n >= 10; n = std::floor(n / 10)) {
    digits += digits > 1 || std::fmod(n, 10) != 0 ? 1 : 0;
  }
  return digits;
}

/// Of a decimal with as many digits as the range leaves apart.
SimpleNumber decimal_number(const HeldRange& range) {
  for (int digits = 1;; ++digits) {
    auto text = fmt::format("{:.{}g}", range.middle(), digits);
    const double value = std::strtod(text.c_str(), nullptr);
    if (range.contains(value) || digits == 17) {
      return {value, std::move(text), 3.3 * digits + 3};
    }
  }
}

}  // namespace

SimpleNumber simple_number(double n, double d) {
  int exponent = 0;
  const bool is_power = std::frexp(std::fabs(n), &exponent) == 0.5;
  const double by_size = 2 * std::log2(1 + std::fabs(is_power && exponent > 3 ? exponent + 1.0 : n));
  const double by_digits = 3.3 * decimal_digits(n) + 3;
  auto words = d == 1 ? fmt::format("{:.0f}", n) : fmt::format("{:.0f}/{:.0f}", n, d);
  return {n / d, std::move(words), std::min(by_size, by_digits) + 2 * std::log2(d)};
}

std::vector<SimpleNumber> simple_numbers(const HeldRange& range) {
  std::vector<SimpleNumber> result;
  const auto fraction = simplest_fraction(range);
  auto decimal = decimal_number(range);
  if (fraction && std::fabs(fraction->n) < greatest_part) {
    result.push_back(simple_number(fraction->n, fraction->d));
    if (fraction->d > 12 && std::fabs(fraction->n) != 1) {  // 7/12 and 1/40 are told, 101/797 is not
      result.front().words = decimal.words;
    }
    // So many fractions of such a denominator would fall into the range by chance.
    const double chance = (range.high - range.low) * std::max(1.0, 0.3 * fraction->d * fraction->d);
    if (chance <= (fraction->d == 1 ? 0.1 : 0.01)) {
      if (fraction->d > 1 && decimal.bits < result.front().bits) {
        result.front() = std::move(decimal);  // 1.01 for 101/100
      }
      return result;
    }
  }
  result.push_back(std::move(decimal));
  return result;
}

std::string line_words(const SimpleNumber& scale, const SimpleNumber& offset, const std::string& of) {
  std::string text;
  if (scale.value == 1) {
    text = of;
  } else if (scale.value == -1) {
    text = "-" + of;
  } else if (scale.words.starts_with("1/")) {
    text = of + scale.words.substr(1);
  } else {
    text = scale.words + " " + of;
  }
  if (offset.value == 0) {
    return text;
  }
  if (scale.value < 0) {
    return offset.words + " - " + (scale.value == -1 ? of : text.substr(1));
  }
  return text + (offset.value > 0 ? " + " + offset.words : " - " + offset.words.substr(1));
}

}  // namespace vernier
