#include "numerics/diagnosis/computation/computation.hpp"

#include <algorithm>
#include <cmath>

namespace vernier {

void Computation::allow_computed_frequencies() {
  for (auto& of_tensor : parameters) {
    if (of_tensor.trig_ulps == 0) {
      continue;  // it says nothing of how results are computed
    }
    const double u = traits(of_tensor.compute).unit_roundoff();
    for (std::size_t i = 0; i < tones.size(); ++i) {
      const double w = static_cast<double>(std::min(std::fabs(tones[i].cosine), std::fabs(tones[i].sine)));
      if (w > 0 && w != 1) {
        const double error = (4 * std::fabs(std::log(w)) + 3) * u;
        of_tensor.frequency_error[i] = std::max(of_tensor.frequency_error[i], error);
        of_tensor.phase_rounding[i] = std::max(of_tensor.phase_rounding[i], u);
      }
    }
  }
}

void Computation::allow_rounded_places() {
  for (auto& of_tensor : parameters) {
    if (of_tensor.trig_ulps > 0) {
      const double u = traits(of_tensor.compute).unit_roundoff();
      for (double& rounding : of_tensor.phase_rounding) {
        // The place, and the phase, which is exact of a whole number by a power of two.
        rounding = std::max(rounding, u) + u;
      }
    }
  }
}

}  // namespace vernier
