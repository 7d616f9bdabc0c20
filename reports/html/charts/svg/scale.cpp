#include "reports/html/charts/svg/scale.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>
#include <string_view>

#include <fmt/core.h>

#include "reports/html/charts/svg/drawing.hpp"
#include "reports/html/number_text.hpp"

namespace vernier {
namespace {

constexpr std::size_t roomy = 8;

// The round step (1, 2 or 5 times a power of ten) that divides `range` into at most `most` parts.
double round_step(double range, std::size_t most) {
  const double least = range / static_cast<double>(std::max<std::size_t>(most, 1));
  const double power = std::pow(10, std::floor(std::log10(least)));
  for (const double digit : {1.0, 2.0, 5.0}) {
    if (digit * power >= least * (1 - 1e-9)) {
      return digit * power;
    }
  }
  return 10 * power;
}

std::string two_power_label(int exponent) {
  constexpr std::array<std::string_view, 4> units{"", "\u00a0K", "\u00a0M", "\u00a0G"};
  if (exponent < 0 || exponent >= 40) {
    return number_text(std::exp2(exponent), 3);
  }
  return std::to_string(1 << exponent % 10).append(units.at(static_cast<std::size_t>(exponent / 10)));
}

// Plain numbers where all of an axis can be read at a glance.
std::string ten_power_label(int exponent, bool plain) {
  return plain ? axis_number(std::pow(10, exponent), std::max(0, -exponent)) : power_of_ten(exponent);
}

}  // namespace

std::string power_of_ten(int exponent) {
  constexpr std::array<std::string_view, 10> superscripts{"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string text = "10";
  for (const char c : std::to_string(exponent)) {
    text += c == '-' ? std::string_view("⁻") : superscripts.at(static_cast<std::size_t>(c - '0'));
  }
  return text;
}

Scale::Scale(AxisScale kind, double low, double high, double from, double to)
    : kind_(kind), low_(low), high_(high), from_(from), to_(to) {
  if (!(low < high) || !std::isfinite(low) || !std::isfinite(high) || !has(low)) {
    throw std::logic_error(fmt::format("an axis cannot reach from {} to {}", low, high));
  }
}

double Scale::place(double value) const {
  const auto measure = [this](double v) { return kind_ == AxisScale::linear ? v : std::log2(v); };
  return from_ + (measure(value) - measure(low_)) / (measure(high_) - measure(low_)) * (to_ - from_);
}

std::vector<Tick> Scale::powers(double base, std::size_t most) const {
  constexpr double slack = 1e-9;
  const int first = static_cast<int>(std::ceil(std::log2(low_) / std::log2(base) - slack));
  const int last = static_cast<int>(std::floor(std::log2(high_) / std::log2(base) + slack));
  int step = 1;
  const auto count = [&] {  // of the multiples of step from first to last
    return std::floor(static_cast<double>(last) / step) - std::ceil(static_cast<double>(first) / step) + 1;
  };
  while (step < last - first && count() > static_cast<double>(std::max<std::size_t>(most, 2))) {
    ++step;
  }
  const bool plain = first >= -2 && last <= 5;
  std::vector<Tick> found;
  for (int exponent = first; exponent <= last; ++exponent) {
    if (exponent % step == 0) {
      found.push_back({std::pow(base, exponent),
                       base == 2 ? two_power_label(exponent) : ten_power_label(exponent, plain)});
    }
  }
  // A decade or less: its round values, as on a linear axis.
  return found.size() >= 2 ? found : even(most);
}

std::vector<Tick> Scale::even(std::size_t most) const {
  const double step = round_step(high_ - low_, std::min(most, roomy));
  const int decimals = std::max(0, -static_cast<int>(std::floor(std::log10(step) + 1e-9)));
  constexpr double slack = 1e-9;
  std::vector<Tick> found;
  // NOLINTNEXTLINE: whole numbers, as far as any axis goes
  for (double index = std::ceil(low_ / step - slack); index * step <= high_ + slack * step; ++index) {
    found.push_back({index * step, axis_number(index * step, decimals)});
  }
  return found;
}

std::string Scale::in_words() const {
  constexpr int digits = 12;
  return fmt::format("{} {} {} {} {}",
                     kind_ == AxisScale::linear        ? "linear"
                     : kind_ == AxisScale::logarithmic ? "log"
                                                       : "log2",
                     number_text(low_, digits), number_text(high_, digits), coordinate(from_),
                     coordinate(to_));
}

AxisRange axis_range(const ChartAxis& axis, double low, double high, bool rounded) {
  AxisRange range{low, high};
  if (axis.scale == AxisScale::linear) {
    if (rounded) {
      range.low = low > 0 && low < high / 2 ? 0 : low;
      const double step = round_step(std::max(range.high - range.low, 1e-300), roomy);
      range = {std::floor(range.low / step + 1e-9) * step, std::ceil(range.high / step - 1e-9) * step};
    }
    if (!(range.low < range.high)) {
      range.high = range.low + std::max(1.0, std::fabs(range.low));
    }
  } else {
    const double base = axis.scale == AxisScale::logarithmic ? 10 : 2;
    if (rounded) {
      const double first = std::floor(std::log2(low) / std::log2(base) + 1e-9);
      const double last = std::ceil(std::log2(high) / std::log2(base) - 1e-9);
      range = {std::pow(base, first), std::pow(base, std::max(first + 1, last))};
    }
    if (!(range.low < range.high)) {
      range.high = base * range.low;
    }
  }
  return {axis.low.value_or(range.low), axis.high.value_or(range.high)};
}

}  // namespace vernier
