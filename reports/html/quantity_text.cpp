#include "reports/html/quantity_text.hpp"

#include <cmath>

#include "reports/html/charts/svg/scale.hpp"
#include "reports/html/number_text.hpp"
#include "reports/value_text.hpp"

namespace vernier {
namespace {

constexpr double least_plain = 1e-3;
constexpr double most_plain = 1e6;

}  // namespace

std::string count_text(std::int64_t count) {
  return grouped_digits(std::to_string(count));
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
