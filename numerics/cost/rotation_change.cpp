#include "numerics/cost/rotation_change.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numbers>
#include <set>

#include <oneapi/tbb/parallel_for.h>

#include "numerics/decoding/pair_signal.hpp"
#include "numerics/views/case_views.hpp"
#include "reference/support/mapped.hpp"

namespace vernier {
namespace {

/// For sums and products of a bound that are computed in binary64.
constexpr double outward = 1 + 0x1p-48;

/// The greater of both ends, at the place where the named one is greater.
void take(DistanceChange& greatest, const DistanceChange& other, double ValueBounds::*end) {
  const ValueBounds change{std::max(greatest.change.lower, other.change.lower),
                           std::max(greatest.change.upper, other.change.upper)};
  greatest = greatest.change.*end < other.change.*end ? other : greatest;
  greatest.change = change;
}

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
                                              std::span<const std::complex<double>> factors) {
  std::vector<std::complex<double>> result;
  for (std::size_t row = 0; row < factors.size(); ++row) {
    const auto [sine, cosine] = rotations.meant[pair].at(rotations.positions[row]);
    const std::complex meant(cosine, sine);
    // z'/z - 1 without its cancellation: it is (z' - z) conj(z) / A^2 but for cosine^2 + sine^2 - 1 = 2^-47.
    result.push_back((factors[row] / rotations.amplitude - meant) * std::conj(meant));
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
/// the greatest magnitudes, the span of the angles, and the greater of the two |m m' - 1|. \param apart that
/// columns are, as a share of A
RotationChange change_of_pair(std::span<const std::int64_t> positions, int pair,
                              std::span<const std::complex<double>> errors, double apart) {
  bool is_finite = std::isfinite(apart);
  double greatest_square = 0;
  double least_square = INFINITY;
  std::vector<double> angles;
  for (const auto a : errors) {
    const double square = std::norm(1.0 + a);
    is_finite = is_finite && std::isfinite(square);
    greatest_square = std::max(greatest_square, square);
    least_square = std::min(least_square, square);
    angles.push_back(std::arg(1.0 + a));
  }
  // Each a is off by factor_error (1 + |a|), so E by less than three times that and the greatest
  // magnitude; columns that are apart turn the second dimension by that much more.
  const double greatest = std::sqrt(greatest_square);
  const double size = std::max(1.0, greatest);
  const double slack = 4 * size * size * factor_error + (2 * size + apart) * apart;
  const auto seen = [&](std::int64_t distance, double change) {
    const double upper = is_finite ? change * outward + slack : INFINITY;
    return DistanceChange{distance, {std::max(0.0, change - slack), upper}, pair};
  };
  RotationChange result{{0, {}, pair}, {}, apart != 0};
  for (const auto distance : told_distances(positions.back() - positions.front() + 1)) {
    if (const auto found = greatest_change(errors, positions, distance)) {
      result.by_distance.push_back(seen(distance, *found));
      take(result.worst, result.by_distance.back(), &ValueBounds::lower);
    }
  }
  const auto [least, most] = std::ranges::minmax_element(angles);
  const auto [low, high] = std::pair(least - angles.begin(), most - angles.begin());
  const auto change = factor_change(errors[low], errors[high]);
  take(result.worst, seen(std::abs(positions[high] - positions[low]), std::abs(change)), &ValueBounds::lower);
  const double chord = 2 * greatest * std::sin(std::min(*most - *least, std::numbers::pi) / 2);
  const double of_size = std::max(greatest_square - 1, 1 - least_square);
  result.worst.change.upper = seen(0, std::hypot(of_size, chord)).change.upper;
  return result;
}

}  // namespace

std::vector<PhaseTurns> turns_of(const Frequencies& frequencies) {
  const WorkingPrecision precision(192);
  const auto enclosures = frequencies.enclosures();
  return {enclosures.begin(), enclosures.end()};
}

Rotations rotations_of(const Recipe& recipe, TrigTable table, Format stored, const PositionRange& positions) {
  Rotations result{turns_of(table.frequencies), approximately(table.amplitude), {}, {}};
  for (std::int64_t row = 0; row < positions.count; ++row) {
    result.positions.push_back(positions.at(row));
  }
  const auto phases = recipe.prepare(table.frequencies);
  table.zero_position.reset();
  result.read = [=, &recipe](std::size_t pair) {
    auto wanted = table;
    wanted.columns = {{static_cast<int>(pair), Component::cosine}, {static_cast<int>(pair), Component::sine}};
    std::vector<double> numbers(static_cast<std::size_t>(positions.count) * 2);
    RecipeTable(recipe, phases, wanted, stored).rows(positions, numbers);
    Rotations::PairRows made;
    for (std::size_t at = 0; at < numbers.size(); at += 2) {
      made.factors.emplace_back(numbers[at], numbers[at + 1]);
    }
    return made;
  };
  return result;
}

std::optional<Rotations> rotations_of(const Case& subject) {
  const auto* rotation = subject.encoding->rotation();
  const auto views = views_of(subject);
  const auto found = std::ranges::find_if(
      views, [](const CaseView& viewed) { return viewed.view.parts().front().sines != nullptr; });
  if (rotation == nullptr || found == views.end() || !turns_queries_and_keys(*rotation)) {
    return std::nullopt;
  }
  const auto& meant = rotation->table;
  if (!std::ranges::all_of(found->view.parts(), [&](const TensorPart& part) {
        return part.sines->frequencies == meant.frequencies && part.sines->amplitude == meant.amplitude;
      })) {
    return std::nullopt;
  }
  Rotations result{turns_of(meant.frequencies), approximately(meant.amplitude), {}, {}};
  const auto rows = rows_to_measure(subject.positions, std::numeric_limits<std::size_t>::max());
  const auto firsts = first_points(found->view);
  if (rows.empty() || !std::ranges::all_of(firsts, [](const auto& point) { return point.has_value(); })) {
    return std::nullopt;
  }
  result.positions = mapped(rows, [&](auto row) { return subject.positions[row]; });
  result.read = [view = found->view, rows](std::size_t pair) {
    const auto of_pair =
        std::ranges::equal_range(view.layout().points, static_cast<int>(pair), {}, &PointLayout::Place::pair);
    Rotations::PairRows made;
    for (const auto row : rows) {
      const auto at = [&](const PointLayout::PartColumn& stored) {
        return view.parts()[stored.part].at(row, stored.column);
      };
      const auto factor = [&](const PointLayout::Place& point) {
        return std::complex(at(*point.real), at(*point.imaginary));
      };
      made.factors.push_back(factor(of_pair.front()));
      for (const auto& other : of_pair.next()) {
        const double apart = std::abs(factor(other) - made.factors.back());
        made.apart = std::max(made.apart, std::isfinite(apart) ? apart : INFINITY);
      }
    }
    return made;
  };
  return result;
}

bool turns_queries_and_keys(const HeadRotation& rotation) {
  return !rotation.scale && rotation.axes.empty() && rotation.table.positions.is_plain() &&
         rotation.operation != RotationOperation::inverse && rotation.operation != RotationOperation::shift;
}

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

RotationChange measured_change(const Rotations& rotations, std::span<const std::size_t> rows,
                               ErrorsByPair& kept) {
  const auto pairs = rotations.meant.size();
  std::vector<RotationChange> changes(pairs);
  kept.assign(pairs, {});
  oneapi::tbb::parallel_for(std::size_t{0}, pairs, [&](std::size_t pair) {
    const auto made = rotations.read(pair);
    const auto errors = pair_errors(rotations, pair, made.factors);
    changes[pair] =
        change_of_pair(rotations.positions, static_cast<int>(pair), errors, made.apart / rotations.amplitude);
    for (const auto row : rows) {
      kept[pair].push_back(errors[row]);
    }
  });
  auto result = changes.front();
  for (const auto& of_pair : changes) {
    take(result.worst, of_pair.worst, &ValueBounds::lower);
    for (std::size_t i = 0; i < result.by_distance.size(); ++i) {
      take(result.by_distance[i], of_pair.by_distance[i], &ValueBounds::upper);
    }
    result.are_columns_apart = result.are_columns_apart || of_pair.are_columns_apart;
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
      take(greatest, {distance, {0, allowed_change(model, n, distance, pair)}, pair}, &ValueBounds::upper);
    }
    result.by_distance.push_back(greatest);
    take(result.worst, greatest, &ValueBounds::upper);
  }
  return result;
}

}  // namespace vernier
