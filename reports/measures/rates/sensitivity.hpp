#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace vernier::rates {

/// How small a perturbation the verdict still catches. The implementation that is perturbed is honest: RoPE
/// with 128 dimensions and the base 500000, frequencies 1/pow and phases in float32, sines and cosines
/// rounded once, held to the float32 contract.
struct Sensitivity {
  std::string what;     ///< "one cosine"
  std::string tensors;  ///< "cos, sin, float32, 4096 rows"
  std::int64_t position = 0;
  int pair = -1;      ///< -1: all
  double caught = 0;  ///< the smallest size that is caught, to a tenth of an octave; infinite for none
  std::string unit;   ///< "radians"
};

/// \param next called before each search, which is left out where it says false
std::vector<Sensitivity> measure_sensitivity(const std::function<bool(const Sensitivity&)>& next);

std::string to_text(const std::vector<Sensitivity>& sensitivities);

}  // namespace vernier::rates
