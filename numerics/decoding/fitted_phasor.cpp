#include "numerics/decoding/fitted_phasor.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <vector>

#include "reference/support/mapped.hpp"

namespace vernier {
namespace {

constexpr double half_turn = std::numbers::pi;

constexpr std::size_t least_phasor_points = 8;
/// So many pairs of rows are looked at for each size of distance.
constexpr std::size_t most_distances = 384;
/// An angle further than this from the phasor does not belong to it (radians).
constexpr double belonging = 0.5;
/// A phasor is followed while this share of the angles belongs to it: the median then still is an honest one,
/// as at most a fifth of the angles are anything.
constexpr double least_belonging_share = 0.6;

double median_magnitude(std::vector<double> values) {
  for (double& value : values) {
    value = std::fabs(value);
  }
  return median(std::move(values));
}

/// Into (-pi, pi].
double wrapped(double angle) {
  return std::remainder(angle, 2 * half_turn);
}

/// The direction of the medians of real and imaginary parts.
double median_direction(const std::vector<double>& angles) {
  std::vector<double> real;
  std::vector<double> imaginary;
  for (const double angle : angles) {
    real.push_back(std::cos(angle));
    imaginary.push_back(std::sin(angle));
  }
  return std::atan2(median(std::move(imaginary)), median(std::move(real)));
}

/// By how much the points turn between two rows whose positions are so far apart.
struct Turn {
  double distance;
  double angle;
};

/// The turns over distances of [least, 2 least), from rows all over the signal.
std::vector<Turn> turns_over(const PairSignal& signal, std::int64_t least) {
  std::vector<Turn> turns;
  const auto& positions = signal.positions;
  const std::size_t step = 1 + signal.size() / most_distances;
  for (std::size_t a = 0; a < signal.size(); a += step) {
    const auto wanted = positions[a] + least + (least - 1) / 2;
    auto found = std::ranges::lower_bound(positions, wanted);
    if (found == positions.end() || *found - positions[a] >= 2 * least) {
      found = found == positions.begin() ? found : found - 1;
    }
    const auto distance = *found - positions[a];
    if (distance >= least && distance < 2 * least) {
      const auto b = static_cast<std::size_t>(found - positions.begin());
      turns.push_back(
          {static_cast<double>(distance), std::arg(signal.points[b] * std::conj(signal.points[a]))});
    }
  }
  return turns;
}

/// The smallest distance of neighbouring rows that occurs four times or more, else the smallest.
std::int64_t usual_gap(const PairSignal& signal) {
  std::map<std::int64_t, int> counts;
  for (std::size_t i = 1; i < signal.size(); ++i) {
    ++counts[signal.positions[i] - signal.positions[i - 1]];
  }
  const auto frequent = std::ranges::find_if(counts, [](const auto& entry) { return entry.second >= 4; });
  return frequent != counts.end() ? frequent->first : counts.begin()->first;
}

/// A frequency before any refinement.
struct FirstFrequency {
  double value;
  double uncertainty;
};

/// The turn of one gap, over the gap. Fewer than four turns say nothing of their scatter: then it is taken to
/// be 2^-8 radians, what rounding to bfloat16 may cost.
FirstFrequency first_frequency(const PairSignal& signal, std::int64_t gap) {
  constexpr std::size_t enough = 4;
  std::vector<double> angles;
  for (std::size_t i = 1; i < signal.size(); ++i) {
    if (signal.positions[i] - signal.positions[i - 1] == gap) {
      angles.push_back(std::arg(signal.points[i] * std::conj(signal.points[i - 1])));
    }
  }
  const double direction = median_direction(angles);
  for (double& angle : angles) {
    angle = wrapped(angle - direction);
  }
  const double scatter = std::max(median_magnitude(angles), angles.size() < enough ? 0x1p-8 : 0x1p-40);
  return {direction / static_cast<double>(gap), scatter / static_cast<double>(gap)};
}

/// A frequency, and how well the turns keep to it.
struct Refinement {
  double frequency;
  double scatter;  ///< radians
  double share;    ///< of the turns that belong to the phasor
};

Refinement refine(const std::vector<Turn>& turns, double frequency) {
  std::vector<double> rates;
  for (const auto& [distance, angle] : turns) {
    rates.push_back(wrapped(angle - frequency * distance) / distance);
  }
  const double refined = frequency + median(std::move(rates));
  std::vector<double> residuals;
  for (const auto& [distance, angle] : turns) {
    residuals.push_back(wrapped(angle - refined * distance));
  }
  const auto belong = std::ranges::count_if(residuals, [](double r) { return std::fabs(r) < belonging; });
  return {refined, median_magnitude(residuals),
          static_cast<double>(belong) / static_cast<double>(residuals.size())};
}

struct Followed {
  double frequency;
  std::int64_t horizon;
};

/// Doubles the distance as long as the frequency known so far predicts the turn to a quarter of a circle.
std::optional<Followed> follow(const PairSignal& signal, std::int64_t gap, FirstFrequency first) {
  constexpr std::size_t least_turns = 4;
  const auto span = signal.positions.back() - signal.positions.front();
  std::optional<Followed> result;
  auto [frequency, uncertainty] = first;
  for (std::int64_t least = gap; least <= span; least *= 2) {
    const auto farthest = std::min(span, 2 * least);
    if (uncertainty * static_cast<double>(farthest) > half_turn / 2) {
      break;
    }
    const auto turns = turns_over(signal, least);
    if (turns.size() < least_turns) {
      continue;  // no rows so far apart: the next distance may still be predicted
    }
    const auto refined = refine(turns, frequency);
    if (refined.share < least_belonging_share) {
      break;
    }
    frequency = refined.frequency;
    uncertainty = (refined.scatter + 0x1p-40) / static_cast<double>(least);
    result = Followed{frequency, farthest};
  }
  return result;
}

/// The line through angles.
struct Line {
  double slope = 0;
  double intercept = 0;  ///< at `centre`
  double centre = 0;
  double scatter = 0;          ///< median magnitude of the residuals
  double slope_deviation = 0;  ///< from scatter
};

/// Weighted least squares, angles far from the line weighing less and less (J. Tukey's biweight).
Line robust_line(const std::vector<double>& positions, const std::vector<double>& angles) {
  constexpr int passes = 4;
  constexpr double cutoff = 6;  // times the median residual: a normal tail beyond 4 deviations
  Line line;
  std::vector<double> residuals = angles;
  for (int pass = 0; pass < passes; ++pass) {
    const double scale = cutoff * std::max(median_magnitude(residuals), 0x1p-45);
    double weights = 0;
    double first = 0;
    double level = 0;
    std::vector<double> weight(angles.size());
    for (std::size_t i = 0; i < angles.size(); ++i) {
      const double r = residuals[i] / scale;
      weight[i] = std::fabs(r) < 1 ? (1 - r * r) * (1 - r * r) : 0;
      weights += weight[i];
      first += weight[i] * positions[i];
      level += weight[i] * angles[i];
    }
    line.centre = first / weights;
    line.intercept = level / weights;
    double second = 0;
    double product = 0;
    for (std::size_t i = 0; i < angles.size(); ++i) {
      const double offset = positions[i] - line.centre;
      second += weight[i] * offset * offset;
      product += weight[i] * offset * (angles[i] - line.intercept);
    }
    line.slope = second > 0 ? product / second : 0;
    for (std::size_t i = 0; i < angles.size(); ++i) {
      residuals[i] = angles[i] - line.intercept - line.slope * (positions[i] - line.centre);
    }
    line.scatter = median_magnitude(residuals);
    // The median magnitude of normal errors is 0.6745 of their deviation.
    line.slope_deviation = second > 0 ? line.scatter / 0.6745 / std::sqrt(second) : half_turn;
  }
  return line;
}

/// The phasor from the line through the angles that are left when the followed frequency is taken out, of the
/// rows within the horizon of the first.
FittedPhasor fitted(const PairSignal& signal, const Followed& followed) {
  std::vector<double> positions;
  std::vector<double> angles;
  for (std::size_t i = 0; i < signal.size(); ++i) {
    if (signal.positions[i] - signal.positions.front() <= followed.horizon) {
      const auto p = static_cast<double>(signal.positions[i]);
      positions.push_back(p);
      angles.push_back(wrapped(std::arg(signal.points[i]) - followed.frequency * p));
    }
  }
  const double direction = median_direction(angles);
  for (double& angle : angles) {
    angle = wrapped(angle - direction);
  }
  const auto line = robust_line(positions, angles);
  auto magnitudes = mapped(signal.points, [&](const auto& point) { return std::abs(point); });
  FittedPhasor phasor;
  phasor.frequency = followed.frequency + line.slope;
  phasor.uncertainty = line.slope_deviation + 0x1p-25 * std::fabs(phasor.frequency);
  phasor.phase = wrapped(direction + line.intercept - line.slope * line.centre);
  phasor.phase_uncertainty = line.scatter + line.slope_deviation * std::fabs(line.centre);
  phasor.amplitude = median(std::move(magnitudes));
  phasor.scatter = line.scatter;
  phasor.horizon = followed.horizon;
  return phasor;
}

}  // namespace

double median(std::vector<double> values) {
  if (values.empty()) {
    return 0;
  }
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

std::optional<FittedPhasor> fit_phasor(const PairSignal& signal, std::optional<double> expected) {
  if (signal.size() < least_phasor_points) {
    return std::nullopt;
  }
  const auto gap = usual_gap(signal);
  auto first = first_frequency(signal, gap);
  const double period = 2 * half_turn / static_cast<double>(gap);
  if (gap > 1 && expected) {
    first.value += period * std::round((*expected - first.value) / period);
  }
  const auto followed = follow(signal, gap, first);
  if (!followed) {
    return std::nullopt;
  }
  auto phasor = fitted(signal, *followed);
  if (gap > 1) {
    phasor.ambiguity = period;
  }
  return phasor;
}

}  // namespace vernier
