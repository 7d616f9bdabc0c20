#include "reports/html/number_text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include <fmt/core.h>

#include "reports/html/charts/svg/scale.hpp"
#include "reports/words/value_text.hpp"

namespace vernier {
namespace {

constexpr double all_integers_below = 9007199254740992.0;  // 2^53

constexpr double least_plain = 1e-3;
constexpr double most_plain = 1e6;

}  // namespace

std::string grouped_digits(std::string digits) {
  const auto first = digits.find_first_of("0123456789");
  const auto end = std::min(digits.find('.'), digits.size());
  if (end - first < 5) {
    return digits;
  }
  for (auto at = end; at > first + 3;) {
    at -= 3;
    digits.insert(at, "\u202f");
  }
  return digits;
}

std::string number_text(double value, int digits) {
  if (std::isnan(value)) {
    return "–";
  }
  if (std::isinf(value)) {
    return value > 0 ? "∞" : "−∞";
  }
  std::array<char, 64> buffer{};
  const auto written =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::general, digits);
  return {buffer.data(), written.ptr};
}

std::string readable_number(double value) {
  constexpr int digits = 3;
  if (!std::isfinite(value)) {
    return number_text(value, digits);
  }
  if (value == std::trunc(value) && std::fabs(value) < all_integers_below) {
    return grouped_digits(fmt::format("{:.0f}", value + 0.0));
  }
  if (std::fabs(value) >= 1000 && std::fabs(value) < 1e7) {
    return grouped_digits(fmt::format("{:.0f}", value));
  }
  auto text = number_text(value, digits);
  if (const auto exponent = text.find('e'); exponent != std::string::npos) {
    text.replace(exponent, std::string::npos, fmt::format("e{}", std::stoi(text.substr(exponent + 1))));
  }
  return text;
}

std::string axis_number(double value, int decimals) {
  auto text = grouped_digits(fmt::format("{:.{}f}", value + 0.0, decimals));
  if (text.front() == '-') {
    text.replace(0, 1, "−");
  }
  return text;
}

std::string measure_text(double value) {
  auto plain = number_text(value, shown_digits);
  const double size = std::fabs(value);
  if (!std::isfinite(value) || size == 0) {
    return plain;
  }
  if (size >= least_plain && size < most_plain) {
    if (size < 1000) {
      return plain;
    }
    const double last = std::pow(10.0, std::floor(std::log10(size)) + 1 - shown_digits);
    return count_text(std::llround(std::round(value / last) * last));
  }
  auto exponent = static_cast<int>(std::floor(std::log10(size)));
  auto mantissa = number_text(value / std::pow(10.0, exponent), shown_digits);
  if (mantissa == "10" || mantissa == "-10") {
    ++exponent;
    mantissa = value > 0 ? "1" : "-1";
  }
  return mantissa + " × " + power_of_ten(exponent);
}

}  // namespace vernier
