#include "reference/frequencies/frequency_families.hpp"

#include <cassert>
#include <cmath>

#include "reference/numbers/powers.hpp"

namespace vernier {
namespace {

/// base^(offset - i step) as a power of e, in double.
double log_in_double(const GeometricFrequencies& w, int pair) {
  return (approximately(w.offset) - pair * approximately(w.step)) * std::log(approximately(w.base));
}

}  // namespace

Interval GeometricFrequencies::at(int pair) const {
  assert(pair >= 0 && pair < pairs);
  return exp(Interval(enclose(exponent(pair)) * log_of(base)));
}

std::vector<Interval> GeometricFrequencies::enclosures() const {
  const Interval ratio = exp(Interval(enclose(Rational(-step)) * log_of(base)));
  std::vector<Interval> result;
  result.reserve(static_cast<std::size_t>(pairs));
  result.push_back(at(0));
  while (result.size() < static_cast<std::size_t>(pairs)) {
    result.push_back(Interval(result.back() * ratio));
  }
  return result;
}

std::optional<Rational> GeometricFrequencies::exact(int pair) const {
  return exact_power(base, exponent(pair));
}

double GeometricFrequencies::approximate(int pair) const {
  return std::exp(log_in_double(*this, pair));
}

double GeometricFrequencies::log_magnitude(int pair) const {
  return std::fabs(log_in_double(*this, pair));
}

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

double BoundedFrequencies::approximate(int pair) const {
  const double low = approximately(first);
  const double high = approximately(last);
  const double t = approximately(share(pair));
  return spacing == Spacing::linear ? low + (high - low) * t : low * std::exp(t * std::log(high / low));
}

Interval ListedFrequencies::at(int pair) const {
  assert(pair >= 0 && pair < size());
  return enclose(value(pair));
}

Interval PowerFrequencies::at(int pair) const {
  assert(pair >= 0 && pair < pairs);
  if (pair == 0) {
    return enclose(std::int64_t{0});
  }
  return exp(Interval(enclose(exponent) * log(enclose(Rational(pair, pairs)))));
}

}  // namespace vernier
