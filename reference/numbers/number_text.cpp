#include "reference/numbers/number_text.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <limits>

#include <fmt/core.h>

namespace vernier {
namespace {

template <class... Style>
std::string written(Style... style) {
  std::array<char, 128> buffer{};
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
  return fmt::format("0x{:0{}x}", encode_bits(format, value), traits(format).bits / 4);
}

std::string exact_text(Format format, double value) {
  return fmt::format("{} = {} = {}", shortest_text(format, value), hex_text(value), bits_text(format, value));
}

}  // namespace vernier
