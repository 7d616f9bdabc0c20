#include "numerics/searches/greatest_error.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <span>

#include "numerics/tolerances/greatest_rounding.hpp"

namespace vernier {
namespace {

constexpr std::int64_t walked_rows_at_once = 512;
/// Where a recipe has lost the phase altogether, errors come as near to twice the amplitude as one looks.
constexpr double saturation = 1.99;
/// An error that exceeds the greatest found by no more than this share of it is not looked for.
constexpr double least_indifference = 0x1p-10;
constexpr unsigned walk_precision = 192;

constexpr std::array walked_components{Component::cosine, Component::sine};

}  // namespace

double error_apart_from_phase(const Recipe& recipe, const Amplitude& amplitude, Format stored) {
  const double u = traits(recipe.compute()).unit_roundoff();
  const double computed = 4 * u + (amplitude.is_one() ? 0 : 2 * u);
  if (stored == recipe.compute()) {
    return computed;
  }
  const double size = approximately(amplitude);
  return computed + greatest_rounding(stored, size + size * computed) / size;
}

ErrorSearch::ErrorSearch(const Recipe& recipe, const TrigTable& table, Format stored, std::int64_t positions)
    : table_(table),
      positions_(positions),
      phases_(recipe.prepare(table.frequencies)),
      elements_(recipe, phases_, table, stored),
      amplitude_(approximately(table.amplitude)) {
  const WorkingPrecision precision(walk_precision);
  for (const auto& frequency : table.frequencies.enclosures()) {
    frequencies_.push_back(enclosure_of(frequency));
    turns_.emplace_back(frequency);
  }
  apart_from_phase_ =
      amplitude_ * (error_apart_from_phase(recipe, table.amplitude, stored) + 2 * PhaseTurns::error);
}

double ErrorSearch::bound(double phase_error) const {
  return amplitude_ * std::fmin(phase_error, 2) + apart_from_phase_;
}

double ErrorSearch::bound(int pair, std::int64_t position) const {
  return bound(phases_.phase_error(pair, position, frequencies_[static_cast<std::size_t>(pair)]));
}

std::vector<int> ErrorSearch::by_bound() const {
  std::vector<int> order(frequencies_.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, std::greater(), [this](int pair) { return bound(pair, positions_ - 1); });
  return order;
}

template <class Take>
void ErrorSearch::walk(int pair, std::int64_t first, std::int64_t end, double limit, const Take& take) const {
  const auto index = static_cast<std::size_t>(pair);
  const auto& frequency = frequencies_[index].middle;
  std::array<double, static_cast<std::size_t>(walked_rows_at_once)> room;
  const auto phases = std::span(room).first(static_cast<std::size_t>(end - first));
  phases_.phases_from(first, pair, phases);
  for (auto position = first; position < end; ++position) {
    const double phase = phases[static_cast<std::size_t>(position - first)];
    const auto p = static_cast<double>(position);
    const auto exact = two_product(p, frequency.high);
    // Off by what a few roundings of numbers of its own size make of it, and 2^-60 of the phase.
    const double phase_error = std::fabs(((phase - exact.high) - exact.low) - p * frequency.low);
    if (bound(phase_error) <= limit) {
      continue;
    }
    const auto truth = turns_[index].at(position);
    for (const auto component : walked_components) {
      take(position, component,
           std::fabs(elements_.element(component, phase) - amplitude_ * truth.at(component)));
    }
  }
}

double ErrorSearch::error_at(const ErrorPlace& place) const {
  const auto truth = turns_[static_cast<std::size_t>(place.pair)].at(place.position);
  return std::fabs(elements_.element(place.component, used_phase(phases_, place.position, place.pair)) -
                   amplitude_ * truth.at(place.component));
}

double ErrorSearch::certified_error(const ErrorPlace& place) const {
  const double value = elements_.element(place.component, used_phase(phases_, place.position, place.pair));
  const auto truth = tight_enclosure(table_.value(place.position, place.pair, place.component));
  return std::fabs((DoubleDouble{value, 0} - truth.middle).high);
}

std::optional<ErrorPlace> ErrorSearch::certainly_beyond(std::int64_t position, double threshold) const {
  for (int pair = 0; pair < static_cast<int>(frequencies_.size()); ++pair) {
    for (const auto component : walked_components) {
      const ErrorPlace place{position, pair, component};
      if (!(error_at(place) <= threshold + 2 * amplitude_ * PhaseTurns::error)) {
        return place;
      }
    }
  }
  return std::nullopt;
}

GreatestError ErrorSearch::greatest(std::int64_t patience) const {
  GreatestError best;
  double indifference = least_indifference;
  std::int64_t looked_at = 0;
  const auto limit = [&] { return best.error * (1 + indifference); };
  const auto ended = [&best] { return best.saturated || best.not_finite; };
  for (const int pair : by_bound()) {
    for (auto end = positions_; end > 0 && !ended() && bound(pair, end - 1) > limit();
         end -= std::min(end, walked_rows_at_once)) {
      walk(pair, std::max<std::int64_t>(0, end - walked_rows_at_once), end, limit(),
           [&](std::int64_t position, Component component, double error) {
             if (!best.not_finite && !(error <= best.error)) {
               const bool is_number = std::isfinite(error);
               best = {{position, pair, is_number ? component : Component::sine},
                       error,
                       0,
                       error > saturation * amplitude_,
                       !is_number};
             }
           });
      looked_at += walked_rows_at_once;
      if (looked_at >= patience) {
        indifference *= 2;
        looked_at = 0;
      }
    }
  }
  if (!best.not_finite) {
    best.bound = best.saturated ? bound(2.0) : limit() + 2 * amplitude_ * PhaseTurns::error;
    best.error = certified_error(best);
  }
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
    for (auto begin = from; begin < first; begin += walked_rows_at_once) {
      walk(pair, begin, std::min(begin + walked_rows_at_once, first), threshold,
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
