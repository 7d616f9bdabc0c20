#include "numerics/tolerances/table_errors.hpp"

#include <cmath>

#include "numerics/tolerances/greatest_rounding.hpp"

namespace vernier {
namespace {

/// Values below 2^-30 of the amplitude have errors below any that counts, but for the phase's.
constexpr int octaves_of_values = 30;
/// Moves a number off the end of an octave, into it.
constexpr double inward = 0x1p-48;

/// Where ulp change, of v and of v times the amplitude, from 1 down; last 0.
std::vector<double> octave_ends(double amplitude) {
  std::vector<double> ends{1, 0};
  const double least_product = std::ldexp(1.0, std::ilogb(amplitude) + 1);
  for (int k = 0; k <= octaves_of_values; ++k) {
    for (const double end : {std::ldexp(1.0, -k), std::ldexp(least_product, -k) / amplitude}) {
      if (end < 1) {
        ends.push_back(end);
      }
    }
  }
  std::ranges::sort(ends, std::ranges::greater());
  ends.erase(std::ranges::unique(ends).begin(), ends.end());
  return ends;
}

/// The bound of the values of a pair between two numbers, as shares of the amplitude. \param radians that the
/// phase may be off by
ErrorBound bound_between(const BudgetModel& model, std::int64_t farthest, int pair, double radians,
                         double low, double high) {
  const double amplitude = model.amplitude();
  const auto trig = [&](double v) { return model.trig(farthest, pair, amplitude * v); };
  ErrorBound bound;
  bound.phase = amplitude * moved_by_turn(high, std::sqrt(1 - low * low), radians);
  bound.trig = low == high ? trig(high) : std::max(trig(low * (1 + inward)), trig(high * (1 - inward)));
  const double reach = amplitude * high + bound.phase + bound.trig;
  const auto& parameters = model.parameters();
  bound.stored = parameters.storage_ulps == 0
                     ? 0
                     : 2 * parameters.storage_ulps * greatest_rounding(parameters.stored, reach);
  return bound;
}

}  // namespace

GreatestErrors table_errors(const BudgetModel& model, std::int64_t farthest) {
  GreatestErrors greatest;
  greatest.last_ulps = model.parameters().storage_ulps;
  const auto ends = octave_ends(model.amplitude());
  for (int pair = 0; pair < model.pairs(); ++pair) {
    const double radians = greatest_phase_error(model, pair, farthest);
    greatest.add(bound_between(model, farthest, pair, radians, 1, 1));
    for (std::size_t i = 0; i + 1 < ends.size(); ++i) {
      greatest.add(bound_between(model, farthest, pair, radians, ends[i + 1], ends[i]));
    }
  }
  return greatest;
}

}  // namespace vernier
