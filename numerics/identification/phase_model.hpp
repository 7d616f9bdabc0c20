#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "reference/frequencies.hpp"

namespace vernier {

/// Frequencies in radians a position, from `least` to `greatest`; negative ones turn clockwise.
struct FrequencyRange {
  double least = 0;
  double greatest = 0;
};

/// A way in which code comes from a position and a frequency to the phase whose sine it takes. Its frequency
/// may be any number; what a measurement says of it is within a few candidates.
class PhaseModel {
 public:
  PhaseModel() = default;
  PhaseModel(const PhaseModel&) = delete;
  PhaseModel& operator=(const PhaseModel&) = delete;
  virtual ~PhaseModel() = default;

  /// "the float32 product of position and float32 frequency"
  virtual std::string_view description() const = 0;
  /// What the pair may have been computed from, if its frequency is in the range: the float32 numbers there,
  /// say, and the one nearest to its middle in any case. Of very many, those around the middle.
  virtual std::vector<double> candidates(int pair, const FrequencyRange& range) const = 0;
  /// The phase that a candidate makes, exact in double precision or off by an ulp of it.
  virtual double phase(std::int64_t position, int pair, double candidate) const = 0;
  /// The phase whose sine should have been taken: another one where the model is of code that spoils it.
  virtual double intended_phase(std::int64_t position, int pair, double candidate) const {
    return phase(position, pair, candidate);
  }
  /// The same of several pairs, each from a candidate of its own.
  virtual void intended_phases(std::int64_t position, std::span<const int> pairs,
                               std::span<const double> candidates, std::span<double> out) const {
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      out[i] = intended_phase(position, pairs[i], candidates[i]);
    }
  }
  /// The frequency that a candidate stands for, in radians a position.
  virtual double frequency(int pair, double candidate) const {
    static_cast<void>(pair);
    return candidate;
  }
  /// What the intended phase is off from the product of the position and the frequency at most, relatively,
  /// for positions that the format of the product holds; infinite if it is not known.
  virtual double product_roundoff() const { return std::numeric_limits<double>::infinity(); }
};

/// The models that are tried for a table of these frequencies, the likeliest first:
/// the float32 product; positions divided by the factor of linear scaling, or multiplied by its reciprocal,
/// then the float32 product; the
/// float32 frequency with a product that is not rounded (float64, or fused); the true frequency with float64
/// phases; the phase carried from pair to pair by float32 products (ggml); and, as faults go, the float32
/// product reduced by the float32 number next to 2 pi, with and without a fused multiplication.
std::vector<std::unique_ptr<PhaseModel>> float32_phase_models(const Frequencies& declared);

}  // namespace vernier
