#include "numerics/contracts/contract_allowance.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "numerics/budgets/frequency_error.hpp"

namespace vernier {

double base_allowance(const GeometricFrequencies& frequencies, Format compute) {
  double least = std::numeric_limits<double>::infinity();
  for (int pair = 0; pair < frequencies.pairs; ++pair) {
    const double exponent = std::fabs(approximately(frequencies.exponent(pair)));
    if (exponent > 0) {
      least = std::min(least, frequency_error(frequencies, pair, compute) / exponent);
    }
  }
  return least;
}

double amplitude_allowance(const BudgetModel& model) {
  constexpr int steps = 64;
  double least = std::numeric_limits<double>::infinity();
  for (int step = 0; step < steps; ++step) {
    // From the amplitude down to half of it, at the position 0, where the phase has no part in the budget.
    const double value = model.amplitude() * (1 - step / (2.0 * steps));
    least = std::min(least, model.at(0, model.pairs() - 1, value, 0).total() / value);
  }
  return least;
}

}  // namespace vernier
