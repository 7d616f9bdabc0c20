#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "reference/frequencies/frequencies.hpp"

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
  enum class Product {
    float32,    ///< of the position and a float32 frequency
    unrounded,  ///< the same, not rounded to float32
    exact,      ///< of the position and the true frequency, in float64
    carried     ///< the phase of the pair before times a float32 ratio
  };
  /// By one float32 value of 2 pi.
  enum class Reduction { none, separate, fused };

  std::string_view description;  ///< "the float32 product of position and float32 frequency"
  Product product = Product::float32;
  float divisor = 1;  ///< of the position in float32, before it is multiplied by the frequency
  float factor = 1;   ///< likewise; one of both is 1
  Reduction reduction = Reduction::none;
  const Frequencies* declared = nullptr;  ///< of Product::exact

  /// What the pair may have been computed from, if its frequency is in the range: the float32 numbers there,
  /// say, and the one nearest to its middle in any case; ratios of neighbouring pairs' frequencies where
  /// phases are carried. Of very many, those around the middle.
  std::vector<double> candidates(int pair, const FrequencyRange& range) const;
  /// The phase that a candidate makes, exact in double precision or off by an ulp of it.
  double phase(std::int64_t position, int pair, double candidate) const;
  /// The phase whose sine should have been taken: another one where it is reduced, which spoils it.
  double intended_phase(std::int64_t position, int pair, double candidate) const;
  /// The same of several pairs, each from a candidate of its own.
  void intended_phases(std::int64_t position, std::span<const int> pairs, std::span<const double> candidates,
                       std::span<double> out) const;
  /// The frequency that a candidate stands for, in radians a position.
  double frequency(int pair, double candidate) const;

 private:
  /// Whether the position is multiplied by the frequency as it is, and nothing else.
  bool is_plain() const { return divisor == 1 && factor == 1 && reduction == Reduction::none; }
  float float32_product(std::int64_t position, double candidate) const;
};

/// The models that are tried for a table of these frequencies, the likeliest first:
/// the float32 product; positions divided by the factor of linear scaling, or multiplied by its reciprocal,
/// then the float32 product; the
/// float32 frequency with a product that is not rounded (float64, or fused); the true frequency with float64
/// phases; the phase carried from pair to pair by float32 products (ggml); and, as faults go, the float32
/// product reduced by the float32 number next to 2 pi, with and without a fused multiplication.
std::vector<PhaseModel> float32_phase_models(const Frequencies& declared);

}  // namespace vernier
