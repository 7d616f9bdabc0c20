#include "numerics/computation/computation.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <functional>
#include <utility>

namespace vernier {
namespace {

/// A quotient of small integers, to the precision of the type.
long double extended(const Rational& value) {
  return numerator(value).convert_to<long double>() / denominator(value).convert_to<long double>();
}

/// What a contract says of the formats; nothing of frequencies.
BudgetModel::Parameters formats_of(BudgetModel::Parameters parameters) {
  parameters.frequency_error.clear();
  parameters.phase_rounding.clear();
  return parameters;
}

}  // namespace

Growth::Growth(const BudgetModel::Parameters& parameters, PositionScale scale)
    : scale_(std::move(scale)),
      model_(formats_of(parameters), std::vector<double>(), 1),
      errors_(model_, scale_),
      slope_((scale_.is_reciprocal ? -1 : 1) / extended(scale_.base)) {
  for (const auto& ratio : scale_.ratios) {
    logarithms_.push_back(std::log(extended(ratio)));
  }
}

std::shared_ptr<const Growth> Growth::with(PositionScale scale) const {
  return std::make_shared<const Growth>(model_.parameters(), std::move(scale));
}

Growth::Factor Growth::at(double place, std::int64_t position, int pair) const {
  const long double exponent =
      (static_cast<long double>(place) - static_cast<long double>(scale_.centre)) * slope_;
  const long double exact = std::exp(exponent * logarithms_[static_cast<std::size_t>(pair)]);
  return {exact, {static_cast<double>(exact), errors_.at(position, pair)}};
}

void Computation::allow_computed_frequencies() {
  for (auto& of_tensor : parameters) {
    if (of_tensor.trig_ulps == 0) {
      continue;  // it says nothing of how results are computed
    }
    const double u = traits(of_tensor.frequencies.value_or(of_tensor.compute)).unit_roundoff();
    const double of_phase = traits(of_tensor.compute).unit_roundoff();
    for (std::size_t i = 0; i < tones.size(); ++i) {
      const double w = static_cast<double>(std::min(std::fabs(tones[i].cosine), std::fabs(tones[i].sine)));
      if (w > 0 && w != 1) {
        const double error = (4 * std::fabs(std::log(w)) + 3) * u;
        of_tensor.frequency_error[i] = std::max(of_tensor.frequency_error[i], error);
        of_tensor.phase_rounding[i] = std::max(of_tensor.phase_rounding[i], of_phase);
      }
    }
  }
}

namespace {

double farthest(const Computation::Places& places) {
  double result = 0;
  for (const auto& of_axis : places) {
    for (const double place : of_axis) {
      result = std::isfinite(place) ? std::max(result, std::fabs(place)) : result;
    }
  }
  return result;
}

}  // namespace

BudgetModel::Parameters with_rounded_places(BudgetModel::Parameters parameters) {
  const double u = parameters.trig_ulps > 0 ? traits(parameters.compute).unit_roundoff() : 0;
  for (double& rounding : parameters.phase_rounding) {
    rounding = std::max(rounding, u) + u;  // that of a whole number by a power of two is none
  }
  return parameters;
}

void Computation::allow_phase_roundings(int more) {
  for (auto& of_tensor : parameters) {
    const double u = of_tensor.trig_ulps > 0 ? traits(of_tensor.compute).unit_roundoff() : 0;
    for (double& rounding : of_tensor.phase_rounding) {
      rounding += more * u;
    }
  }
}

void Computation::allow_rounded_places() {
  rounded_places = RoundedPlaces::moved;
  place_terms = farthest(*places);
}

void Computation::turn_along(std::vector<int> along) {
  assert(along.size() == axes.size());
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const auto by = static_cast<long double>(place_sizes[static_cast<std::size_t>(along[i])]) / place_size(i);
    tones[i] = {tones[i].cosine * by, tones[i].sine * by};
  }
  axes = std::move(along);
}

void Computation::change_tones(const std::function<long double(long double)>& change) {
  for (auto& tone : tones) {
    tone = {change(tone.cosine), change(tone.sine)};
  }
}

void Computation::set_frequencies(const std::function<long double(std::size_t)>& frequency) {
  for (std::size_t i = 0; i < tones.size(); ++i) {
    const auto w = frequency(i);
    tones[i] = {w, w};
  }
}

void Computation::change_frequencies(const std::function<long double(long double)>& change) {
  for (std::size_t i = 0; i < tones.size(); ++i) {
    const long double size = place_size(i);
    const auto changed = [&](long double w) { return w == 0 ? w : change(w / size) * size; };
    tones[i] = {changed(tones[i].cosine), changed(tones[i].sine)};
  }
}

void Computation::change_cells(const std::function<void(Cell&)>& change) {
  for (auto& of_table : cells) {
    std::ranges::for_each(of_table, change);
  }
}

std::vector<double> Computation::frequencies() const {
  std::vector<double> result;
  for (const auto& tone : tones) {
    result.push_back(static_cast<double>(tone.sine));
  }
  return result;
}

std::vector<double> Computation::magnitudes() const {
  auto result = frequencies();
  std::ranges::transform(result, result.begin(), [](double w) { return std::fabs(w); });
  return result;
}

void Computation::turn_round() {
  for (auto& d : rotated) {
    d.sign = -d.sign;
  }
}

bool Computation::allows_more_than(const Computation& other) const {
  Computation widened = other;
  widened.allow_as_much_as(*this);
  const auto is_widened = [](const BudgetModel::Parameters& a, const BudgetModel::Parameters& b) {
    return a.frequency_error != b.frequency_error || a.phase_rounding != b.phase_rounding;
  };
  return widened.trigonometry_error > other.trigonometry_error ||
         widened.reduced_rounding > other.reduced_rounding ||
         (rounded_places != RoundedPlaces::none && other.rounded_places == RoundedPlaces::none) ||
         !std::ranges::equal(widened.parameters, other.parameters, std::not_fn(is_widened));
}

void Computation::allow_as_much_as(const Computation& other) {
  const auto widen = [](std::vector<double>& to, const std::vector<double>& from) {
    for (std::size_t i = 0; i < std::min(to.size(), from.size()); ++i) {
      to[i] = std::max(to[i], from[i]);
    }
  };
  for (std::size_t t = 0; t < std::min(parameters.size(), other.parameters.size()); ++t) {
    widen(parameters[t].frequency_error, other.parameters[t].frequency_error);
    widen(parameters[t].phase_rounding, other.parameters[t].phase_rounding);
  }
  trigonometry_error = std::max(trigonometry_error, other.trigonometry_error);
  reduced_rounding = std::max(reduced_rounding, other.reduced_rounding);
  if (other.rounded_places != RoundedPlaces::none) {
    rounded_places = RoundedPlaces::all;
    place_terms = std::max(place_terms, other.place_terms);
  }
}

void Computation::reach_as_far_as(const Computation& other) {
  const double reach = farthest(*other.places);
  if (reach > farthest(*places)) {
    least_position = std::llround(std::min(reach, 0x1p53));
  }
}

}  // namespace vernier
