#include "numerics/cost/rotation_change.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>
#include <set>

#include <oneapi/tbb/parallel_for.h>

namespace vernier {
namespace {

/// Pairs that one thread reads at once: a recipe makes them for little more than one.
constexpr std::size_t pairs_at_once = 8;
/// For sums and products of a bound that are computed in binary64.
constexpr double outward = 1 + 0x1p-48;

/// The distances that are told of a context of n positions.
std::set<std::int64_t> told_distances(std::int64_t n) {
  std::set<std::int64_t> result{0, n - 1};
  for (std::int64_t step = 1; step < n; step *= 2) {
    result.insert({step, std::min(step * 3 / 2, n - 1)});
  }
  return result;
}

/// The factors a of one pair.
std::vector<std::complex<double>> pair_errors(const Rotations& rotations, std::size_t pair,
                                              const Rotations::PairRows& rows) {
  std::vector<std::complex<double>> result;
  for (std::size_t row = 0; row < rows.factors.size(); ++row) {
    const auto [sine, cosine] = rotations.meant[pair].at(rotations.positions[row]);
    const auto [c, s] = std::pair(rows.factors[row].real() / rotations.amplitude,
                                  rows.factors[row].imag() / rotations.amplitude);
    // (c + i s) (cosine - i sine) - 1, without the cancellation of its real part: c cosine + s sine - 1 is
    // (c - cosine) cosine + (s - sine) sine but for cosine^2 + sine^2 - 1, which is 2^-47.
    result.emplace_back((c - cosine) * cosine + (s - sine) * sine, (s - sine) * cosine - (c - cosine) * sine);
  }
  return result;
}

/// The greatest |E| of all two rows at a distance, if there are any; NaN takes no part.
std::optional<double> greatest_change(std::span<const std::complex<double>> errors,
                                      std::span<const std::int64_t> positions, std::int64_t distance) {
  std::optional<double> greatest;
  for (std::size_t row = 0, earlier = 0; row < positions.size(); ++row) {
    while (positions[earlier] < positions[row] - distance) {
      ++earlier;
    }
    if (positions[earlier] == positions[row] - distance) {
      greatest = std::max(greatest.value_or(0), std::norm(factor_change(errors[row], errors[earlier])));
    }
  }
  return greatest ? std::optional(std::sqrt(*greatest)) : std::nullopt;
}

/// The change by one pair, as shares of A^2. The worst is that over all two rows. Let 1 + a = m e^(i f). |E|
/// = |m m' e^(i (f - f')) - 1|, whose square is (m m' - 1)^2 + 4 m m' sin^2((f - f')/2): no more than with
/// the greatest magnitudes, the span of the angles, and the greater of the two |m m' - 1|. Angles are
/// compared by their tangents, where all are acute.
RotationChange change_of_pair(const Rotations& rotations, int pair, const Rotations::PairRows& rows,
                              std::span<const std::complex<double>> errors) {
  const auto& positions = rotations.positions;
  const double apart = rows.apart / rotations.amplitude;
  bool is_finite = std::isfinite(apart);
  bool is_acute = true;
  double greatest_square = 0;
  double least_square = std::numeric_limits<double>::infinity();
  std::vector<double> tangents;
  for (std::size_t row = 0; row < errors.size(); ++row) {
    const auto turn = 1.0 + errors[row];
    const double square = std::norm(rows.factors[row] / rotations.amplitude);
    is_finite = is_finite && square < std::numeric_limits<double>::infinity();
    is_acute = is_acute && turn.real() > 0;
    greatest_square = std::max(greatest_square, square);
    least_square = std::min(least_square, std::norm(turn));
    tangents.push_back(turn.imag() / turn.real());
  }
  // Each a is off by factor_error (1 + |a|), so E by less than three times that and the greatest
  // magnitude; columns that are apart turn the second dimension by that much more.
  const double greatest = std::sqrt(greatest_square);
  const double size = std::max(1.0, greatest);
  const double slack = 4 * size * size * factor_error + (2 * size + apart) * apart;
  const auto bounds = [&](double found) {
    return ValueBounds{std::max(0.0, found - slack),
                       is_finite ? found * outward + slack : std::numeric_limits<double>::infinity()};
  };
  RotationChange result{{0, {}, pair}, {}, apart != 0};
  const auto attain = [&](double lower, std::int64_t distance) {
    if (lower > result.worst.change.lower) {
      result.worst = {distance, {lower, 0}, pair};
    }
  };
  for (const auto distance : told_distances(positions.back() - positions.front() + 1)) {
    if (const auto found = greatest_change(errors, positions, distance)) {
      result.by_distance.push_back({distance, bounds(*found), pair});
      attain(bounds(*found).lower, distance);
    }
  }
  double chord = 2 * greatest;
  if (is_acute) {
    const auto low = static_cast<std::size_t>(std::ranges::min_element(tangents) - tangents.begin());
    const auto high = static_cast<std::size_t>(std::ranges::max_element(tangents) - tangents.begin());
    attain(bounds(std::abs(factor_change(errors[low], errors[high]))).lower,
           std::abs(positions[high] - positions[low]));
    const double angle = std::atan(tangents[high]) - std::atan(tangents[low]);
    chord *= std::sin(std::min(angle, std::numbers::pi) / 2);
  }
  const double of_size = std::max(std::fabs(greatest * greatest - 1), std::fabs(1 - least_square));
  result.worst.change.upper = bounds(std::hypot(of_size, chord)).upper;
  return result;
}

/// The greater of two pairs everywhere.
void take_greater(RotationChange& greatest, const RotationChange& other) {
  const auto greater = [](const ValueBounds& x, const ValueBounds& y) {
    return ValueBounds{std::max(x.lower, y.lower), std::max(x.upper, y.upper)};
  };
  const auto worst = greater(greatest.worst.change, other.worst.change);
  greatest.worst = other.worst.change.lower > greatest.worst.change.lower ? other.worst : greatest.worst;
  greatest.worst.change = worst;
  for (std::size_t i = 0; i < other.by_distance.size(); ++i) {
    auto& at = greatest.by_distance[i];
    at.pair = other.by_distance[i].change.upper > at.change.upper ? other.by_distance[i].pair : at.pair;
    at.change = greater(at.change, other.by_distance[i].change);
  }
  greatest.are_columns_apart = greatest.are_columns_apart || other.are_columns_apart;
}

/// Calls `visit` with each pair, its rows and its errors, from several threads.
template <class Visit>
void for_each_pair(const Rotations& rotations, const Visit& visit) {
  const auto pairs = rotations.meant.size();
  const auto batches = (pairs + pairs_at_once - 1) / pairs_at_once;
  oneapi::tbb::parallel_for(std::size_t{0}, batches, [&](std::size_t batch) {
    const auto first = batch * pairs_at_once;
    std::vector<Rotations::PairRows> rows(std::min(pairs_at_once, pairs - first));
    rotations.read(first, rows);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      visit(first + i, rows[i], pair_errors(rotations, first + i, rows[i]));
    }
  });
}

}  // namespace

ValueBounds times(const ValueBounds& x, double factor) {
  constexpr double rounding = 0x1p-50;  // the factor's error and the product's
  return {x.lower * factor * (1 - rounding), x.upper * factor * (1 + rounding)};
}

RotationChange scaled(RotationChange change, double factor) {
  change.worst.change = times(change.worst.change, factor);
  for (auto& at : change.by_distance) {
    at.change = times(at.change, factor);
  }
  return change;
}

ErrorsByPair errors_of(const Rotations& rotations) {
  ErrorsByPair result(rotations.meant.size());
  for_each_pair(rotations,
                [&](std::size_t pair, const auto&, auto errors) { result[pair] = std::move(errors); });
  return result;
}

RotationChange measured_change(const Rotations& rotations, std::span<const std::size_t> rows,
                               ErrorsByPair& kept) {
  std::vector<RotationChange> changes(rotations.meant.size());
  kept.assign(changes.size(), {});
  for_each_pair(rotations, [&](std::size_t pair, const auto& factors, const auto& errors) {
    changes[pair] = change_of_pair(rotations, static_cast<int>(pair), factors, errors);
    for (const auto row : rows) {
      kept[pair].push_back(errors[row]);
    }
  });
  auto result = changes.front();
  for (const auto& change : changes) {
    take_greater(result, change);
  }
  return scaled(std::move(result), rotations.amplitude * rotations.amplitude);
}

double allowed_change(const BudgetModel& model, std::int64_t n, std::int64_t distance, int pair) {
  const auto& parameters = model.parameters();
  const auto index = static_cast<std::size_t>(pair);
  const double amplitude = model.amplitude();
  const double u = traits(parameters.compute).unit_roundoff();
  const auto farthest = static_cast<double>(n - 1);
  const double of_position = farthest * u <= 1 ? 0
                             : farthest <= traits(parameters.compute).largest()
                                 ? u
                                 : std::numeric_limits<double>::infinity();
  const double of_frequency = parameters.frequency_error[index];
  const double of_row = parameters.phase_rounding[index] * (1 + of_position) + of_position;
  const double w = model.frequency(pair);
  const double turn = w == 0 ? 0
                             : std::min(2.0, static_cast<double>(distance) * w * of_frequency +
                                                 2 * farthest * w * (1 + of_frequency) * of_row);
  const double of_trig = model.trig(n - 1, pair, amplitude);
  const double moved = std::numbers::sqrt2 * (of_trig + model.storage(amplitude + of_trig));
  return (amplitude * amplitude * turn + (2 * amplitude + moved) * moved) * outward;
}

RotationChange allowed_change(const BudgetModel& model, std::int64_t n) {
  RotationChange result;
  for (const auto distance : told_distances(n)) {
    DistanceChange greatest{distance, {}, 0};
    for (int pair = 0; pair < model.pairs(); ++pair) {
      const double change = allowed_change(model, n, distance, pair);
      if (change > greatest.change.upper) {
        greatest = {distance, {0, change}, pair};
      }
    }
    result.by_distance.push_back(greatest);
    if (greatest.change.upper > result.worst.change.upper) {
      result.worst = greatest;
    }
  }
  return result;
}

}  // namespace vernier
