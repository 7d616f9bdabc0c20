#include "reports/html/number_text.hpp"

#include <array>
#include <charconv>
#include <cmath>

namespace vernier {

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

}  // namespace vernier
