#include "props/collisions/colliding_offsets.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <numbers>
#include <set>

#include "reference/numbers/rational.hpp"

namespace vernier {
namespace {

/// How near to whole turns k w / 2 pi must be, and how fast it turns.
struct TurnLimit {
  double turns_per_position;
  double limit;

  bool allows(std::int64_t offset) const {
    const double turns = static_cast<double>(offset) * turns_per_position;
    // NOLINTNEXTLINE(bugprone-incorrect-roundings): a half is within no limit, whichever way it goes
    const auto nearest = static_cast<double>(static_cast<std::int64_t>(turns + 0.5));
    return std::fabs(turns - nearest) <= limit;
  }
};

std::set<int> pairs_with(const TrigTable& table, Component component) {
  std::set<int> pairs;
  for (const auto& column : table.columns) {
    if (column.component == component) {
      pairs.insert(column.pair);
    }
  }
  return pairs;
}

/// The greatest width, as a part of the amplitude, of an interval of numbers up to the amplitude that round
/// to one. Infinite if the amplitude overflows.
double widest_rounding_interval(const TrigTable& table, Format format) {
  const double amplitude = approximately(table.amplitude);
  const auto& t = traits(format);
  if (!(amplitude < t.largest())) {
    return std::numeric_limits<double>::infinity();
  }
  int exponent = 0;
  std::frexp(amplitude, &exponent);
  if (amplitude == std::ldexp(0.5, exponent) && table.amplitude == exact_rational(amplitude)) {
    --exponent;
  }
  return std::ldexp(1.0, std::max(exponent, t.emin + 1) - t.precision) / amplitude;
}

/// The limits of the table's complete pairs. Turns are computed as k q with q = w / 2 pi to an ulp: off by at
/// most 3 units of roundoff of k q, for which 2^-51 of it is allowed; the distance to an integer is exact.
std::vector<TurnLimit> turn_limits(const TrigTable& table, Format format, std::int64_t last) {
  const double half_chord =
      std::min(1.0, widest_rounding_interval(table, format) * std::numbers::sqrt2 / 2 * (1 + 1e-12));
  const double within = std::asin(half_chord) / std::numbers::pi * (1 + 1e-12);
  const auto sines = pairs_with(table, Component::sine);
  const auto cosines = pairs_with(table, Component::cosine);
  const WorkingPrecision scope(128);
  const Interval two_pi = 8 * atan(enclose(std::int64_t{1}));
  std::vector<TurnLimit> limits;
  for (const int pair : sines) {
    if (cosines.contains(pair)) {
      const double rate = middle(Interval(table.frequencies.at(pair) / two_pi));
      limits.push_back({rate, within + static_cast<double>(last) * rate * 0x1p-51});
    }
  }
  return limits;
}

}  // namespace

std::vector<std::int64_t> colliding_offsets(const TrigTable& table, Format format, std::int64_t last) {
  assert(!table.zero_position);
  const auto limits = turn_limits(table, format, last);
  std::vector<std::int64_t> offsets;
  for (std::int64_t offset = 1; offset <= last; ++offset) {
    if (limits.empty() || limits.front().allows(offset)) {
      offsets.push_back(offset);
    }
  }
  for (const auto& limit : limits) {
    std::erase_if(offsets, [&](std::int64_t offset) { return !limit.allows(offset); });
  }
  return offsets;
}

}  // namespace vernier
