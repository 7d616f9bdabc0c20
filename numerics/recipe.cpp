#include "numerics/recipe.hpp"

#include <cassert>
#include <cmath>

namespace vernier {
namespace {

double as_double_or_float(Format compute, double phase, double (*wide)(double), float (*narrow)(float)) {
  return compute == Format::binary64
             ? wide(phase)
             : round_to(compute, static_cast<double>(narrow(static_cast<float>(phase))));
}

}  // namespace

double recipe_sine(Format compute, double phase) {
  return as_double_or_float(compute, phase, std::sin, std::sin);
}
double recipe_cosine(Format compute, double phase) {
  return as_double_or_float(compute, phase, std::cos, std::cos);
}

double multiply(Format format, double a, double b) {
  // The product of two 24-bit numbers is exact in binary64, so one rounding remains for every narrower
  // format.
  return round_to(format, a * b);
}

double add(Format format, double a, double b) {
  return format == Format::binary64
             ? a + b
             : round_to(format, static_cast<double>(static_cast<float>(a) + static_cast<float>(b)));
}

void ProductPhases::phases(std::int64_t position, std::span<double> out) const {
  assert(out.size() == frequencies_.size());
  const double p = round_to(format_, static_cast<double>(position));
  for (std::size_t pair = 0; pair < out.size(); ++pair) {
    out[pair] = multiply(format_, p, frequencies_[pair]);
  }
}

RecipeTable::RecipeTable(const Recipe& recipe, TrigTable table, Format stored)
    : compute_(recipe.compute),
      stored_(stored),
      table_(std::move(table)),
      amplitude_(round_to(compute_, approximately(table_.amplitude))),
      phases_(recipe.prepare(table_.frequencies)) {}

void RecipeTable::row(std::int64_t position, std::span<double> out) const {
  assert(out.size() == columns());
  std::vector<double> phases(static_cast<std::size_t>(table_.frequencies.pairs));
  phases_->phases(position, phases);
  for (std::size_t c = 0; c < out.size(); ++c) {
    if (table_.is_zero(position, c)) {
      out[c] = 0;
      continue;
    }
    const double phase = phases[static_cast<std::size_t>(table_.columns[c].pair)];
    const bool is_sine = table_.columns[c].component == Component::sine;
    const double value = is_sine ? recipe_sine(compute_, phase) : recipe_cosine(compute_, phase);
    out[c] = round_to(stored_, amplitude_ == 1 ? value : multiply(compute_, amplitude_, value));
  }
}

RecipeRotation::RecipeRotation(const Recipe& recipe, RopeSpec spec, Format stored)
    : spec_(std::move(spec)),
      stored_(stored),
      cosine_(recipe, RopeEncoding(spec_).table(Component::cosine), stored),
      sine_(recipe, RopeEncoding(spec_).table(Component::sine), stored) {}

void RecipeRotation::rotate(std::int64_t position, std::span<const double> x, std::span<double> y) const {
  assert(x.size() == head_dim() && y.size() == head_dim());
  std::vector<double> cosine(cosine_.columns());
  std::vector<double> sine(sine_.columns());
  cosine_.row(position, cosine);
  sine_.row(position, sine);
  const double sign = spec_.direction == RopeSpec::Direction::counterclockwise ? 1 : -1;
  for (int pair = 0; pair < spec_.pairs(); ++pair) {
    const auto i = static_cast<std::size_t>(pair);
    const auto [first, second] = spec_.dimensions(pair);
    const auto a = static_cast<std::size_t>(first);
    const auto b = static_cast<std::size_t>(second);
    const double s = sign * sine[i];
    y[a] = add(stored_, multiply(stored_, x[a], cosine[i]), multiply(stored_, -x[b], s));
    y[b] = add(stored_, multiply(stored_, x[a], s), multiply(stored_, x[b], cosine[i]));
  }
  for (auto dim = static_cast<std::size_t>(spec_.rotary_dim()); dim < x.size(); ++dim) {
    y[dim] = x[dim];
  }
}

}  // namespace vernier
