#include "reference/bounded_frequencies.hpp"

#include <cassert>
#include <cmath>

#include "reference/logarithm.hpp"
#include "reference/rational_power.hpp"

namespace vernier {

std::optional<Constant> BoundedFrequencies::exact(int pair) const {
  assert(pair >= 0 && pair < pairs && first.power_of_pi == last.power_of_pi);
  if (pair == 0) {
    return first;
  }
  if (pair == pairs - 1) {
    return last;
  }
  const auto of = [&](const Rational& factor) { return Constant{factor, first.power_of_pi}; };
  if (spacing == Spacing::linear) {
    return of(first.factor + (last.factor - first.factor) * share(pair));
  }
  const auto power = exact_power(last.factor / first.factor, share(pair));
  return power ? std::optional(of(first.factor * *power)) : std::nullopt;
}

Interval BoundedFrequencies::at(int pair) const {
  if (const auto known = exact(pair)) {
    return enclose(*known);
  }
  const Interval power = exp(Interval(enclose(share(pair)) * log_of(last.factor / first.factor)));
  return Interval(enclose(first) * power);
}

std::vector<Interval> BoundedFrequencies::enclosures() const {
  std::vector<Interval> result;
  for (int pair = 0; pair < pairs; ++pair) {
    result.push_back(at(pair));
  }
  return result;
}

double BoundedFrequencies::approximate(int pair) const {
  const double low = approximately(first);
  const double high = approximately(last);
  const double t = approximately(share(pair));
  return spacing == Spacing::linear ? low + (high - low) * t : low * std::exp(t * std::log(high / low));
}

double BoundedFrequencies::log_magnitude(int pair) const {
  return std::fabs(std::log(approximate(pair)));
}

}  // namespace vernier
