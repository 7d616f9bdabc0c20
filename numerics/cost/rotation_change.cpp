#include "numerics/cost/rotation_change.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include <oneapi/tbb/parallel_for.h>
namespace vernier {
namespace {

/// Pairs that one thread computes at once: a recipe makes them for little more than one.
constexpr int pairs_at_once = 8;
/// For sums and products of a bound that are computed in binary64.
constexpr double outward = 1 + 0x1p-48;

/// Rows of which each is at one distance from the row of the same index in the other stretch.
struct RowStretch {
  std::size_t row = 0;
  std::size_t earlier = 0;
  std::size_t count = 0;
};

/// All two rows at one distance. \param positions ascending, each once
std::vector<RowStretch> rows_at(std::span<const std::int64_t> positions, std::int64_t distance) {
  std::vector<RowStretch> result;
  std::size_t earlier = 0;
  for (std::size_t row = 0; row < positions.size(); ++row) {
    while (positions[earlier] < positions[row] - distance) {
      ++earlier;
    }
    if (positions[earlier] != positions[row] - distance) {
      continue;
    }
    if (!result.empty() && result.back().row + result.back().count == row &&
        result.back().earlier + result.back().count == earlier) {
      ++result.back().count;
    } else {
      result.push_back({row, earlier, 1});
    }
  }
  return result;
}

/// The factors a of one pair, its rows side by side.
struct PairErrors {
  std::vector<double> real;
  std::vector<double> imaginary;
  double greatest = 0;  ///< |1 + a|
  bool is_finite = true;

  std::complex<double> at(std::size_t row) const { return {real[row], imaginary[row]}; }
};

PairErrors errors_of(const StoredRotations::PairRows& stored, std::span<const std::int64_t> positions,
                     const PhaseTurns& turns, double amplitude) {
  PairErrors result;
  result.real.resize(positions.size());
  result.imaginary.resize(positions.size());
  double greatest = 0;
  bool is_finite = true;
  for (std::size_t row = 0; row < positions.size(); ++row) {
    const auto [sine, cosine] = turns.at(positions[row]);
    const double c = stored.cosines[row] / amplitude;
    const double s = stored.sines[row] / amplitude;
    // (c + i s) (cosine - i sine) - 1, without the cancellation of its real part: c cosine + s sine - 1 is
    // (c - cosine) cosine + (s - sine) sine but for cosine^2 + sine^2 - 1, which is 2^-47.
    result.real[row] = (c - cosine) * cosine + (s - sine) * sine;
    result.imaginary[row] = (s - sine) * cosine - (c - cosine) * sine;
    const double square = c * c + s * s;
    is_finite = is_finite && square < std::numeric_limits<double>::infinity();
    greatest = std::max(greatest, square);
  }
  result.greatest = std::sqrt(greatest);
  result.is_finite = is_finite;
  return result;
}

/// |E| = |(1 + a)(1 + conj b) - 1|
double change(std::complex<double> a, std::complex<double> b) {
  const auto other = std::conj(b);
  return std::abs(a + other + a * other);
}

/// The greatest |E| of two stretches; NaN takes no part.
double greatest_change(const PairErrors& errors, std::span<const RowStretch> stretches) {
  double greatest = 0;
  for (const auto& [row, earlier, count] : stretches) {
    const double* x = errors.real.data() + row;
    const double* y = errors.imaginary.data() + row;
    const double* v = errors.real.data() + earlier;
    const double* w = errors.imaginary.data() + earlier;
    for (std::size_t i = 0; i < count; ++i) {
      const double real = x[i] + v[i] + (x[i] * v[i] + y[i] * w[i]);
      const double imaginary = y[i] - w[i] + (y[i] * v[i] - x[i] * w[i]);
      const double square = real * real + imaginary * imaginary;
      greatest = square > greatest ? square : greatest;
    }
  }
  return std::sqrt(greatest);
}

/// What one pair finds, as shares of A^2.
struct PairChange {
  std::vector<ValueBounds> by_distance;
  ValueBounds worst;
  std::int64_t worst_distance = 0;
};

/// The worst over all two rows. Let 1 + a = m e^(i f). |E| = |m m' e^(i (f - f')) - 1|, whose square is (m m'
/// - 1)^2 + 4 m m' sin^2((f - f')/2): no more than with the greatest magnitudes, the span of the angles, and
/// the greater of the two |m m' - 1|. Angles are compared by their tangents, where all are acute.
PairChange change_of(const PairErrors& errors, std::span<const std::int64_t> positions,
                     std::span<const std::vector<RowStretch>> at_distances,
                     std::span<const std::int64_t> distances, double apart) {
  // Each a is off by factor_error (1 + |a|), so E by less than three times that and the greatest
  // magnitude; columns that are apart turn the second dimension by that much more.
  const double size = std::max(1.0, errors.greatest);
  const double slack = 4 * size * size * factor_error + (2 * size + apart) * apart;
  const auto bounds = [&](double found) {
    return ValueBounds{std::max(0.0, found - slack), errors.is_finite && std::isfinite(apart)
                                                         ? found * outward + slack
                                                         : std::numeric_limits<double>::infinity()};
  };
  PairChange result;
  for (std::size_t i = 0; i < distances.size(); ++i) {
    result.by_distance.push_back(bounds(greatest_change(errors, at_distances[i])));
    if (result.by_distance.back().lower > result.worst.lower) {
      result.worst.lower = result.by_distance.back().lower;
      result.worst_distance = distances[i];
    }
  }
  std::size_t least_angle = 0;
  std::size_t greatest_angle = 0;
  double least_tangent = std::numeric_limits<double>::infinity();
  double greatest_tangent = -least_tangent;
  double least_square = std::numeric_limits<double>::infinity();
  bool is_acute = true;
  for (std::size_t row = 0; row < positions.size(); ++row) {
    const double x = 1 + errors.real[row];
    const double y = errors.imaginary[row];
    is_acute = is_acute && x > 0;
    least_square = std::min(least_square, x * x + y * y);
    const double tangent = y / x;
    if (tangent < least_tangent) {
      least_tangent = tangent;
      least_angle = row;
    }
    if (tangent > greatest_tangent) {
      greatest_tangent = tangent;
      greatest_angle = row;
    }
  }
  const auto found = bounds(change(errors.at(least_angle), errors.at(greatest_angle)));
  if (is_acute && found.lower > result.worst.lower) {
    result.worst.lower = found.lower;
    result.worst_distance = std::abs(positions[greatest_angle] - positions[least_angle]);
  }
  const double greatest_square = errors.greatest * errors.greatest;
  const double of_size = std::max(std::fabs(greatest_square - 1), std::fabs(1 - least_square));
  const double span = std::atan(greatest_tangent) - std::atan(least_tangent);
  const double chord =
      is_acute ? 2 * errors.greatest * std::sin(std::min(span, std::numbers::pi) / 2) : 2 * errors.greatest;
  result.worst.upper = bounds(std::hypot(of_size, chord)).upper;
  return result;
}

RotationChange merged(std::span<const PairChange> pairs, std::span<const std::int64_t> distances,
                      double amplitude) {
  RotationChange result;
  for (const auto distance : distances) {
    result.by_distance.push_back({distance, {}, 0});
  }
  for (std::size_t pair = 0; pair < pairs.size(); ++pair) {
    const auto& one = pairs[pair];
    if (one.worst.lower > result.worst.lower) {
      result.worst.lower = one.worst.lower;
      result.worst_pair = static_cast<int>(pair);
      result.worst_distance = one.worst_distance;
    }
    result.worst.upper = std::max(result.worst.upper, one.worst.upper);
    for (std::size_t i = 0; i < one.by_distance.size(); ++i) {
      auto& at = result.by_distance[i];
      if (one.by_distance[i].upper > at.change.upper) {
        at.pair = static_cast<int>(pair);
      }
      at.change = {std::max(at.change.lower, one.by_distance[i].lower),
                   std::max(at.change.upper, one.by_distance[i].upper)};
    }
  }
  const double square = amplitude * amplitude;
  result.worst = times(result.worst, square);
  for (auto& at : result.by_distance) {
    at.change = times(at.change, square);
  }
  return result;
}

}  // namespace

std::vector<PhaseTurns> turns_of(const Frequencies& frequencies) {
  const WorkingPrecision precision(192);
  std::vector<PhaseTurns> result;
  for (const auto& frequency : frequencies.enclosures()) {
    result.emplace_back(frequency);
  }
  return result;
}

std::vector<std::int64_t> told_distances(std::int64_t n) {
  std::vector<std::int64_t> result{0};
  for (std::int64_t step = 1; step < n; step *= 2) {
    result.push_back(step);
    if (step > 1 && step + step / 2 < n) {
      result.push_back(step + step / 2);
    }
  }
  if (n > 1 && result.back() != n - 1) {
    result.push_back(n - 1);
  }
  return result;
}

RotationChange measured_change(const StoredRotations& rotations, std::span<const std::size_t> rows,
                               ErrorsOfRows& kept) {
  const auto& positions = rotations.positions();
  const auto& meant = rotations.meant();
  const int pairs = meant.frequencies.pairs();
  const double amplitude = approximately(meant.amplitude);
  auto distances = told_distances(positions.back() - positions.front() + 1);
  std::vector<std::vector<RowStretch>> at_distances;
  std::erase_if(distances, [&](std::int64_t distance) {
    auto found = rows_at(positions, distance);
    const bool is_empty = found.empty();
    if (!is_empty) {
      at_distances.push_back(std::move(found));
    }
    return is_empty;
  });
  kept = {{}, pairs, std::vector<std::complex<double>>(rows.size() * static_cast<std::size_t>(pairs))};
  for (const auto row : rows) {
    kept.positions.push_back(positions[row]);
  }
  const auto turns = turns_of(meant.frequencies);
  std::vector<PairChange> found(static_cast<std::size_t>(pairs));
  std::vector<double> apart(static_cast<std::size_t>(pairs));
  oneapi::tbb::parallel_for(0, (pairs + pairs_at_once - 1) / pairs_at_once, [&](int batch) {
    const int first = batch * pairs_at_once;
    std::vector<StoredRotations::PairRows> stored(
        static_cast<std::size_t>(std::min(pairs_at_once, pairs - first)));
    rotations.pairs(first, stored);
    for (std::size_t i = 0; i < stored.size(); ++i) {
      const auto pair = static_cast<std::size_t>(first) + i;
      const auto errors = errors_of(stored[i], positions, turns[pair], amplitude);
      found[pair] = change_of(errors, positions, at_distances, distances, stored[i].apart / amplitude);
      apart[pair] = stored[i].apart;
      for (std::size_t row = 0; row < rows.size(); ++row) {
        kept.errors[row * static_cast<std::size_t>(pairs) + pair] = errors.at(rows[row]);
      }
    }
  });
  auto result = merged(found, distances, amplitude);
  result.are_columns_apart = std::ranges::any_of(apart, [](double one) { return one != 0; });
  return result;
}

std::vector<double> allowed_change_by_pair(const BudgetModel& model, std::int64_t n, std::int64_t distance) {
  const auto& parameters = model.parameters();
  const double amplitude = model.amplitude();
  const double u = traits(parameters.compute).unit_roundoff();
  const auto farthest = static_cast<double>(n - 1);
  const double of_position = farthest * u <= 1 ? 0
                             : farthest <= traits(parameters.compute).largest()
                                 ? u
                                 : std::numeric_limits<double>::infinity();
  std::vector<double> result;
  for (int pair = 0; pair < model.pairs(); ++pair) {
    const auto index = static_cast<std::size_t>(pair);
    const double of_frequency = parameters.frequency_error[index];
    const double of_row = parameters.phase_rounding[index] * (1 + of_position) + of_position;
    const double w = model.frequency(pair);
    const double turn = w == 0 ? 0
                               : std::min(2.0, static_cast<double>(distance) * w * of_frequency +
                                                   2 * farthest * w * (1 + of_frequency) * of_row);
    const double of_trig = model.trig(n - 1, pair, amplitude);
    const double moved = std::numbers::sqrt2 * (of_trig + model.storage(amplitude + of_trig));
    result.push_back((amplitude * amplitude * turn + (2 * amplitude + moved) * moved) * outward);
  }
  return result;
}

RotationChange allowed_change(const BudgetModel& model, std::int64_t n) {
  RotationChange result;
  for (const auto distance : told_distances(n)) {
    const auto by_pair = allowed_change_by_pair(model, n, distance);
    const auto greatest = std::ranges::max_element(by_pair);
    const auto pair = static_cast<int>(greatest - by_pair.begin());
    result.by_distance.push_back({distance, {0, *greatest}, pair});
    if (*greatest > result.worst.upper) {
      result.worst = {0, *greatest};
      result.worst_distance = distance;
      result.worst_pair = pair;
    }
  }
  return result;
}

}  // namespace vernier
