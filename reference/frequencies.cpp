#include "reference/frequencies.hpp"

#include <cassert>
#include <cmath>

namespace vernier {

Interval GeometricFrequencies::at(int pair) const {
  assert(pair >= 0 && pair < pairs);
  const Interval exponent = enclose(Rational(-pair * step)) * log(enclose(base));
  return exp(exponent);
}

double GeometricFrequencies::approximate(int pair) const {
  return std::exp(-log_inverse(pair));
}

double GeometricFrequencies::log_inverse(int pair) const {
  return pair * approximately(step) * std::log(approximately(base));
}

}  // namespace vernier
