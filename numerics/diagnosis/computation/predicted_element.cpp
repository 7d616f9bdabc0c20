#include "numerics/diagnosis/computation/predicted_element.hpp"

#include <cmath>
#include <limits>

namespace vernier {

double PredictedElement::ratio() const {
  if (std::isnan(got) || std::isnan(predicted)) {
    return std::isnan(got) == std::isnan(predicted) ? 0 : std::numeric_limits<double>::infinity();
  }
  const double error = std::fabs((got - predicted) - rest);
  if (error == 0 || (got == predicted && allowed == 0)) {
    return 0;
  }
  return std::isfinite(error) ? error / allowed : std::numeric_limits<double>::infinity();
}

void PredictedElement::leave_open() {
  conclusive = false;
  predicted = std::isfinite(got) ? predicted : got;
}

}  // namespace vernier
