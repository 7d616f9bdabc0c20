#include "numerics/identification/screens/deviation_screen.hpp"

#include <algorithm>
#include <cmath>

namespace vernier {
namespace {

/// Beyond all roundings here and in the closer look, which are of numbers below 4: of the unit vectors 2^-49.
constexpr double deviation_margin = 0x1p-44;
/// Below a quarter turn.
constexpr double most_reach = 1.57;

/// Below the sine of t in (-pi/2, pi/2); and by less than that below anything beyond.
double below_sine(double t) {
  const double up = std::max(t, 0.0);
  return t - up * up * up * (1.0 / 6);
}

}  // namespace

DeviationScreen::DeviationScreen(std::vector<std::size_t> pairs, std::span<const DoubleDouble> frequencies,
                                 std::span<const double> frequency_errors,
                                 std::span<const BudgetModel> models)
    : pairs_(std::move(pairs)),
      models_(models.begin(), models.end()),
      unit_rows_(each_of(frequencies, pairs_)),
      amplitude_(models.front().amplitude()) {
  for (const auto pair : pairs_) {
    double row_error = 0;
    for (const auto& model : models) {
      row_error = std::max(row_error, model.row_error(0, static_cast<int>(pair)));
    }
    frequencies_.push_back(frequencies[pair].high);
    slacks_.push_back(row_error * (1 + frequency_errors[pair]));
    reaches_.push_back(frequency_errors[pair] + slacks_.back());
  }
}

std::vector<DoubleDouble> DeviationScreen::each_of(std::span<const DoubleDouble> frequencies,
                                                   std::span<const std::size_t> pairs) {
  std::vector<DoubleDouble> result;
  for (const auto pair : pairs) {
    result.push_back(frequencies[pair]);
  }
  return result;
}

void DeviationScreen::look(std::int64_t position, const ErrorRanges& known, Room& room) const {
  const auto count = pairs_.size();
  room.settled.assign(count, 0);
  const bool rounded =
      std::ranges::any_of(models_, [&](const auto& model) { return model.position_error(position) != 0; });
  if (rounded || position <= 0) {
    return;  // the few that are left are looked at closely
  }
  unit_rows_.move(room.at, position);
  room.least.resize(count);
  room.greatest.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    room.least[i] = known.least[pairs_[i]];
    room.greatest[i] = known.greatest[pairs_[i]];
  }
  const auto p = static_cast<double>(position);
  const double inverse = 1 / amplitude_;
  const double* cosines = room.at.cosines.data();
  const double* sines = room.at.sines.data();
  const auto& couples = room.couples;
  std::int64_t* settled = room.settled.data();
  for (std::size_t i = 0; i < count; ++i) {
    const double c = couples.cosines[i] * inverse;
    const double s = couples.sines[i] * inverse;
    const double b = couples.cosine_bounds[i] * inverse;
    const double a = couples.sine_bounds[i] * inverse;
    const double across = cosines[i] * s - sines[i] * c;
    const double along = cosines[i] * c + sines[i] * s;
    const double noise = std::fabs(cosines[i]) * a + std::fabs(sines[i]) * b;
    const double noise_along = std::fabs(cosines[i]) * b + std::fabs(sines[i]) * a;
    const double unsure = deviation_margin * (1 + std::fabs(c) + std::fabs(s));
    const double phase = p * frequencies_[i];
    const double slack = phase * slacks_[i];
    const double at_least = below_sine(phase * room.least[i] + slack) - (across - noise);
    const double at_most = (across + noise) + below_sine(slack - phase * room.greatest[i]);
    const double ahead = along - noise_along;
    const double decided = most_reach - phase * reaches_[i];
    // So written that what is no number is not settled.
    const bool includes = (at_least >= unsure) & (at_most >= unsure);
    const bool says_something = (ahead >= unsure) & (decided >= unsure) & (phase > 0);
    settled[i] = includes & says_something ? 1 : 0;
  }
}

}  // namespace vernier
