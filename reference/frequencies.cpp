#include "reference/frequencies.hpp"

#include <cassert>
#include <cmath>

namespace vernier {

Interval GeometricFrequencies::at(int pair) const {
  assert(pair >= 0 && pair < pairs);
  const Interval exponent = enclose(Rational(-pair * step)) * log(enclose(base));
  return exp(exponent);
}

std::vector<Interval> GeometricFrequencies::enclosures() const {
  const Interval ratio = exp(Interval(enclose(Rational(-step)) * log(enclose(base))));
  std::vector<Interval> result;
  result.reserve(static_cast<std::size_t>(pairs));
  result.push_back(enclose(std::int64_t{1}));
  while (result.size() < static_cast<std::size_t>(pairs)) {
    result.push_back(Interval(result.back() * ratio));
  }
  return result;
}

double GeometricFrequencies::approximate(int pair) const {
  return std::exp(-log_inverse(pair));
}

double GeometricFrequencies::log_inverse(int pair) const {
  return pair * approximately(step) * std::log(approximately(base));
}

}  // namespace vernier
