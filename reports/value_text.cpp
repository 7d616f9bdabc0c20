#include "reports/value_text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>

namespace vernier {
namespace {

using Buffer = std::array<char, 128>;

template <class... Style>
std::string written(Style... style) {
  Buffer buffer{};
  const auto result = std::to_chars(buffer.data(), buffer.data() + buffer.size(), style...);
  return {buffer.data(), result.ptr};
}

double read_back(const std::string& text) {
  double value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

}  // namespace

std::string shortest_text(Format format, double value) {
  if (format == Format::binary64 || !std::isfinite(value)) {
    return written(value);
  }
  if (format == Format::binary32) {
    return written(static_cast<float>(value));
  }
  std::string text;
  for (int digits = 1; digits <= std::numeric_limits<double>::max_digits10; ++digits) {
    text = written(value, std::chars_format::general, digits);
    if (round_to(format, read_back(text)) == value) {
      break;
    }
  }
  return text;
}

std::string hex_text(double value) {
  if (!std::isfinite(value)) {
    return written(value);
  }
  return (std::signbit(value) ? "-0x" : "0x") + written(std::fabs(value), std::chars_format::hex);
}

std::string bits_text(Format format, double value) {
  const auto digits = written(encode_bits(format, value), 16);
  const auto width = static_cast<std::size_t>(traits(format).bits / 4);
  return "0x" + std::string(width - digits.size(), '0') + digits;
}

std::string significant_text(double value, int digits) {
  const double magnitude = std::fabs(value);
  if (!std::isfinite(value) || value == 0) {
    return written(value);
  }
  if (magnitude < 1e-4 || magnitude >= 1e9) {
    return written(value, std::chars_format::scientific, digits - 1);
  }
  const int leading = static_cast<int>(std::floor(std::log10(magnitude)));
  return written(value, std::chars_format::fixed, std::max(0, digits - 1 - leading));
}

std::string percent_text(double share) {
  if (share > 0.999 && share < 1) {
    return "more than 99.9 %";
  }
  return significant_text(100 * share, share >= 0.1 ? 3 : 2) + " %";
}

std::string usage_text(double used) {
  if (!std::isfinite(used)) {
    return "breaks every budget";
  }
  return used <= 1 ? "uses " + percent_text(used) + " of its budget"
                   : "is off by " + significant_text(used, 3) + " times its budget";
}

std::string counted(std::uint64_t count, std::string_view one, std::string_view many) {
  return std::to_string(count) + " " + std::string(count == 1 ? one : many);
}

std::string one_line(std::string_view text) {
  std::string result(text);
  std::ranges::replace_if(
      result, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }, '?');
  return result;
}

}  // namespace vernier
