#include "reference/geometric_frequencies.hpp"

#include <cassert>
#include <cmath>

#include "reference/logarithm.hpp"
#include "reference/rational_power.hpp"

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

}  // namespace vernier
