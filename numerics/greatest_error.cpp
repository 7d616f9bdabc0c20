#include "numerics/greatest_error.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <numeric>

namespace vernier {
namespace {

constexpr std::int64_t rows_at_once = 512;
/// Where a recipe has lost the phase altogether, errors come as near to twice the amplitude as one looks.
constexpr double saturation = 1.99;

constexpr std::array components{Component::cosine, Component::sine};

/// A table of one pair's cosine and sine.
TrigTable of_pair(const TrigTable& table, int pair) {
  return {table.role,
          table.frequencies,
          table.amplitude,
          {{pair, components[0]}, {pair, components[1]}},
          std::nullopt};
}

}  // namespace

/// Computes the elements of one pair, a block of positions at a time, and their errors.
class ErrorSearch::Walk {
 public:
  Walk(const ErrorSearch& search, int pair)
      : table_(search.recipe_, search.phases_, of_pair(search.table_, pair), search.stored_),
        turns_(search.turns_[static_cast<std::size_t>(pair)]),
        amplitude_(search.amplitude_) {}

  /// Calls `take(position, component, error)` for both elements of each position.
  template <class Take>
  void block(std::int64_t first, std::int64_t end, Take take) {
    const std::span values(values_.data(), static_cast<std::size_t>(end - first) * components.size());
    table_.rows({first, 1, end - first}, values);
    for (auto position = first; position < end; ++position) {
      const auto truth = turns_.at(position);
      const auto* row = values.data() + static_cast<std::size_t>(position - first) * components.size();
      take(position, components[0], std::fabs(row[0] - amplitude_ * truth.cosine));
      take(position, components[1], std::fabs(row[1] - amplitude_ * truth.sine));
    }
  }

 private:
  RecipeTable table_;
  const PhaseTurns& turns_;
  double amplitude_;
  std::array<double, static_cast<std::size_t>(rows_at_once) * components.size()> values_;
};

ErrorSearch::ErrorSearch(const Recipe& recipe, const TrigTable& table, Format stored, std::int64_t positions)
    : recipe_(recipe),
      table_(table),
      stored_(stored),
      positions_(positions),
      phases_(recipe.prepare(RecipeFrequencies(table.frequencies, recipe.id))),
      amplitude_(approximately(table.amplitude)) {
  const WorkingPrecision precision(192);
  for (const auto& frequency : table.frequencies.enclosures()) {
    frequencies_.push_back(enclosure_of(frequency));
    turns_.emplace_back(frequency);
  }
  const double u = traits(recipe.compute).unit_roundoff();
  const double computed = 4 * u + (table.amplitude.is_one() ? 0 : 2 * u);
  apart_from_phase_ = amplitude_ * computed;
  if (stored != recipe.compute) {
    apart_from_phase_ += ulp_at(stored, amplitude_ * (1 + computed)) / 2;
  }
}

double ErrorSearch::bound(int pair, std::int64_t position) const {
  const double phase = phases_->phase_error(pair, position, frequencies_[static_cast<std::size_t>(pair)]);
  return 2 * amplitude_ * std::sin(std::min(phase, std::numbers::pi) / 2) + apart_from_phase_;
}

double ErrorSearch::certified_error(std::int64_t position, int pair, Component component) const {
  const RecipeTable computed(recipe_, phases_, of_pair(table_, pair), stored_);
  std::array<double, components.size()> row;
  computed.row(position, row);
  const double value = row[component == components[0] ? 0 : 1];
  const auto truth = tight_enclosure(table_.value(position, pair, component));
  return std::fabs((DoubleDouble{value, 0} - truth.middle).high);
}

GreatestError ErrorSearch::greatest() const {
  std::vector<int> order(frequencies_.size());
  std::iota(order.begin(), order.end(), 0);
  std::vector<double> bounds;
  for (const int pair : order) {
    bounds.push_back(bound(pair, positions_ - 1));
  }
  std::ranges::stable_sort(order, std::greater(),
                           [&](int pair) { return bounds[static_cast<std::size_t>(pair)]; });

  GreatestError best;
  best.slack = 2 * amplitude_ * PhaseTurns::error;
  auto component_of_best = components[0];
  for (const int pair : order) {
    if (bounds[static_cast<std::size_t>(pair)] <= best.error) {
      break;
    }
    Walk walk(*this, pair);
    for (auto end = positions_; end > 0 && bound(pair, end - 1) > best.error;
         end -= std::min(end, rows_at_once)) {
      walk.block(std::max<std::int64_t>(0, end - rows_at_once), end,
                 [&](std::int64_t position, Component component, double error) {
                   if (!(error <= best.error)) {
                     best.error = error;
                     best.position = position;
                     best.pair = pair;
                     component_of_best = component;
                   }
                 });
      best.not_finite = !std::isfinite(best.error);
      best.saturated = best.error > saturation * amplitude_;
      if (best.not_finite) {
        return best;
      }
      if (best.saturated) {
        break;
      }
    }
    if (best.saturated) {
      break;
    }
  }
  best.error = certified_error(best.position, best.pair, component_of_best);
  return best;
}

std::int64_t ErrorSearch::first_doubtful(int pair, double threshold) const {
  std::int64_t below = -1;
  std::int64_t beyond = positions_;
  while (beyond - below > 1) {
    const auto middle = below + (beyond - below) / 2;
    (bound(pair, middle) > threshold ? beyond : below) = middle;
  }
  return beyond;
}

std::optional<std::int64_t> ErrorSearch::first_beyond(double threshold) const {
  struct Doubtful {
    int pair;
    std::int64_t from;
  };
  std::vector<Doubtful> doubtful;
  for (int pair = 0; pair < static_cast<int>(frequencies_.size()); ++pair) {
    if (const auto from = first_doubtful(pair, threshold); from < positions_) {
      doubtful.push_back({pair, from});
    }
  }
  std::ranges::stable_sort(doubtful, {}, &Doubtful::from);
  auto first = positions_;
  for (const auto& [pair, from] : doubtful) {
    Walk walk(*this, pair);
    for (auto begin = from; begin < first; begin += rows_at_once) {
      walk.block(begin, std::min(begin + rows_at_once, first),
                 [&](std::int64_t position, Component, double error) {
                   if (!(error <= threshold)) {
                     first = std::min(first, position);
                   }
                 });
    }
  }
  return first < positions_ ? std::optional(first) : std::nullopt;
}

}  // namespace vernier
