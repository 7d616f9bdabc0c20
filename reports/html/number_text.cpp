#include "reports/html/number_text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include <fmt/core.h>

namespace vernier {
namespace {

constexpr double all_integers_below = 9007199254740992.0;  // 2^53

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

}  // namespace vernier
