#include "reference/readers/rotation_difference.hpp"

#include <algorithm>
#include <cmath>

#include "reference/numbers/interval.hpp"

namespace vernier {
namespace {

constexpr double error_of_frequencies = 0x1p-45;
constexpr double last_position = 0x1p31;

bool are_close(double one, double other, double tolerance) {
  return std::abs(one - other) <= tolerance * std::max(std::abs(one), std::abs(other));
}

int turning_pairs(const TurnRates& turning) {
  return static_cast<int>(std::ranges::count_if(turning.frequencies, [](double w) { return w != 0; }));
}

}  // namespace

bool RotationDifference::is_none() const {
  return pairs == other_pairs && ratio == 1 && amplitude == 1 && has_same_positions && !first_position &&
         std::ranges::all_of(angles, [](double angle) { return angle == 0; });
}

TurnRates turn_rates_of(const RopeSpec& spec) {
  const auto frequencies = spec.frequencies();
  TurnRates turning{.amplitude = middle(enclose(spec.amplitude()))};
  for (int pair = 0; pair < frequencies.pairs(); ++pair) {
    turning.frequencies.push_back(frequencies.approximate(pair));
  }
  return turning;
}

RotationDifference rotation_difference(const TurnRates& one, const TurnRates& other, double tolerance) {
  RotationDifference result{.pairs = turning_pairs(one), .other_pairs = turning_pairs(other)};
  const auto frequency = [](const TurnRates& turning, std::size_t pair) {
    return pair < turning.frequencies.size() ? turning.frequencies[pair] : 0;
  };
  double widest = 0;
  for (std::size_t pair = 0; pair < std::max(one.frequencies.size(), other.frequencies.size()); ++pair) {
    const double a = frequency(one, pair);
    const double b = frequency(other, pair);
    const bool same = are_close(a, b, tolerance);
    result.angles.push_back(same ? 0 : b - a);
    widest = std::max(widest, std::abs(result.angles.back()));
    const double ratio = same || a == 0 || b == 0 ? 1 : std::max(a / b, b / a);
    if (ratio > result.ratio) {
      result.ratio = ratio;
      result.pair = static_cast<int>(pair);
      result.is_faster = b > a;
    }
  }
  result.amplitude =
      are_close(one.amplitude, other.amplitude, tolerance) ? 1 : other.amplitude / one.amplitude;
  if (widest * last_position > told_angle) {
    result.first_position = static_cast<std::int64_t>(std::floor(told_angle / widest)) + 1;
  }
  return result;
}

RotationDifference rotation_difference(const RopeSpec& one, const RopeSpec& other) {
  auto result = rotation_difference(turn_rates_of(one), turn_rates_of(other), error_of_frequencies);
  result.has_same_positions = one.mrope == other.mrope;
  if (one.dimensions(0) != other.dimensions(0)) {
    result.first_position = 1;
  }
  return result;
}

}  // namespace vernier
