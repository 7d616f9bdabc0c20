#include "reference/readers/rotation_difference.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "reference/numbers/interval.hpp"

namespace vernier {
namespace {

constexpr double same_share = 0x1p-45;
constexpr double last_position = 0x1p31;

bool are_close(double one, double other) {
  return std::abs(one - other) <= same_share * std::max(std::abs(one), std::abs(other));
}

int turning_pairs(const Frequencies& frequencies) {
  int pairs = 0;
  for (int pair = 0; pair < frequencies.pairs(); ++pair) {
    pairs += frequencies.approximate(pair) != 0 ? 1 : 0;
  }
  return pairs;
}

double frequency(const Frequencies& frequencies, int pair) {
  return pair < frequencies.pairs() ? frequencies.approximate(pair) : 0;
}

/// Whether both turn the same two dimensions as pair 0 and so on.
bool has_same_dimensions(const RopeSpec& one, const RopeSpec& other) {
  return one.dimensions(0) == other.dimensions(0);
}

}  // namespace

bool RotationDifference::is_none() const {
  return pairs == other_pairs && ratio == 1 && amplitude == 1 && has_same_positions && !first_position &&
         std::ranges::all_of(angles, [](double angle) { return angle == 0; });
}

double RotationDifference::cosine_at(std::int64_t position) const {
  const double sum =
      std::accumulate(angles.begin(), angles.end(), 0.0, [position](double total, double angle) {
        return total + std::cos(static_cast<double>(position) * angle);
      });
  return angles.empty() ? 1 : sum / static_cast<double>(angles.size());
}

RotationDifference rotation_difference(const RopeSpec& one, const RopeSpec& other) {
  const auto first = one.frequencies();
  const auto second = other.frequencies();
  RotationDifference result{.pairs = turning_pairs(first), .other_pairs = turning_pairs(second)};
  for (int pair = 0; pair < std::max(first.pairs(), second.pairs()); ++pair) {
    const double a = frequency(first, pair);
    const double b = frequency(second, pair);
    const bool same = are_close(a, b);
    result.angles.push_back(same ? 0 : b - a);
    const double ratio = same || a == 0 || b == 0 ? 1 : std::max(a / b, b / a);
    if (ratio > result.ratio) {
      result.ratio = ratio;
      result.pair = pair;
      result.is_faster = b > a;
    }
  }
  const double amplitude = middle(enclose(other.amplitude())) / middle(enclose(one.amplitude()));
  result.amplitude = are_close(amplitude, 1) ? 1 : amplitude;
  result.has_same_positions = one.mrope == other.mrope;
  double widest = 0;
  for (const double angle : result.angles) {
    widest = std::max(widest, std::abs(angle));
  }
  if (!has_same_dimensions(one, other)) {
    result.first_position = 1;
  } else if (widest * last_position > told_angle) {
    result.first_position = static_cast<std::int64_t>(std::floor(told_angle / widest)) + 1;
  }
  return result;
}

}  // namespace vernier
