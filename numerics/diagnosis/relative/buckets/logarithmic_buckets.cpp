#include "numerics/diagnosis/relative/buckets/logarithmic_buckets.hpp"

#include <algorithm>
#include <cmath>

namespace vernier {

ExactScale::ExactScale(std::int64_t first, std::int64_t last, int steps, std::int64_t reach,
                       ScaleRounding rounding)
    : first_(first),
      reach_(reach),
      rounding_(rounding),
      // The halves of a step are the edges between numbers that are rounded to the nearest.
      edges_(first, last, rounding == ScaleRounding::nearest ? 2 * steps : steps, reach) {}

Bucket ExactScale::at(std::int64_t n) const {
  if (n <= first_) {
    return {0};
  }
  const auto [reached, on_edge] = edges_.place(std::min(n, reach_));
  switch (rounding_) {
    case ScaleRounding::nearest: {
      const bool is_tie = on_edge && reached % 2 == 1;
      return {(reached + 1) / 2, is_tie ? std::optional(reached / 2) : std::nullopt};
    }
    case ScaleRounding::up:
      return on_edge ? Bucket{reached, reached + 1} : Bucket{reached + 1};
    case ScaleRounding::down:
      break;
  }
  return {reached, on_edge ? std::optional(reached - 1) : std::nullopt};
}

std::int64_t RoundedScale::at(std::int64_t n) const {
  const auto in_format = [&](double value) { return round_to(format, value); };
  const auto constant = [&](double value) { return constants_are_rounded ? in_format(value) : value; };
  const double quotient = in_format(in_format(in_format(static_cast<double>(n)) / first) + inside);
  double logarithm = in_format(std::log(quotient));
  for (int ulp = 0; ulp < std::abs(log_ulps); ++ulp) {
    logarithm = log_ulps > 0 ? next_up(format, logarithm) : next_down(format, logarithm);
  }
  const double range = std::log(last / first);
  const double scaled = divides_first ? in_format(in_format(logarithm / constant(range)) * steps)
                                      : in_format(logarithm * constant(steps / range));
  // A format may overflow; what is beyond it is beyond every bucket.
  constexpr double farthest = 0x1p40;
  const double whole = std::clamp(scaled * times, -farthest, farthest);
  switch (rounding) {
    case ScaleRounding::nearest:
      return static_cast<std::int64_t>(std::nearbyint(whole));
    case ScaleRounding::up:
      return static_cast<std::int64_t>(std::ceil(whole));
    case ScaleRounding::down:
      break;
  }
  return static_cast<std::int64_t>(std::trunc(whole));
}

}  // namespace vernier
