#include "reference/computed_real.hpp"

#include <cmath>

namespace vernier {

double growth_by(double roundings, double roundoff) {
  return std::expm1(roundings * std::log1p(roundoff));
}

}  // namespace vernier
