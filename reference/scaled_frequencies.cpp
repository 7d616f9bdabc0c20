#include "reference/scaled_frequencies.hpp"

#include <cmath>

namespace vernier {
namespace {

/// Bits that leave an ulp of double after the few operations of any scaling.
constexpr unsigned multiplier_precision = 128;

}  // namespace

Interval ScaledFrequencies::multiplier(int pair) const {
  return std::visit([&](const auto& rule) { return rule.multiplier(unscaled, pair); }, scaling);
}

PairTreatment ScaledFrequencies::treatment(int pair) const {
  return std::visit([&](const auto& rule) { return rule.treatment(unscaled, pair); }, scaling);
}

Interval ScaledFrequencies::at(int pair) const {
  return unscaled.at(pair) * multiplier(pair);
}

std::vector<Interval> ScaledFrequencies::enclosures() const {
  auto result = unscaled.enclosures();
  for (int pair = 0; pair < size(); ++pair) {
    result[static_cast<std::size_t>(pair)] *= multiplier(pair);
  }
  return result;
}

double ScaledFrequencies::approximate(int pair) const {
  const WorkingPrecision precision(multiplier_precision);
  return unscaled.approximate(pair) * middle(multiplier(pair));
}

double ScaledFrequencies::log_magnitude(int pair) const {
  return std::fabs(std::log(approximate(pair)));
}

std::optional<Rational> ScaledFrequencies::exact(int pair) const {
  const auto before = unscaled.exact(pair);
  if (!before || treatment(pair) == PairTreatment::unchanged) {
    return before;
  }
  return std::visit(
      [&](const auto& rule) -> std::optional<Rational> {
        if constexpr (requires { rule.divided(pair); }) {
          return treatment(pair) == PairTreatment::divided
                     ? std::optional<Rational>(*before * rule.divided(pair))
                     : std::nullopt;
        }
        return std::nullopt;
      },
      scaling);
}

}  // namespace vernier
