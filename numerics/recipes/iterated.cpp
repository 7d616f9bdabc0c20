#include <algorithm>
#include <cmath>

#include "numerics/recipes/recipes.hpp"

namespace vernier {
namespace {

/// theta_0 = p, theta_{i+1} = theta_i * base^(-2/d): the phase itself is carried from pair to pair.
class IteratedPhases final : public PhaseRule {
 public:
  explicit IteratedPhases(float ratio) : ratio_(ratio) {}

  double rounded(std::int64_t position) const override {
    return static_cast<double>(static_cast<float>(position));
  }

  void advance(int pair, std::span<const double> positions, std::span<double> phases) const override {
    if (pair == 0) {
      std::ranges::copy(positions, phases.begin());
      return;
    }
    for (double& phase : phases) {
      phase = static_cast<double>(static_cast<float>(phase) * ratio_);
    }
  }

 private:
  float ratio_;
};

std::unique_ptr<PhaseRule> prepare(const GeometricFrequencies& wanted) {
  const auto base = static_cast<float>(approximately(wanted.base));
  const auto exponent = static_cast<float>(-approximately(wanted.step));
  return std::make_unique<IteratedPhases>(std::pow(base, exponent));
}

}  // namespace

Recipe float32_iterated() {
  return {"float32-iterated", "phase *= base^(-2/d) from pair to pair in float32: ggml's CPU backend",
          Format::binary32, "float32-iterated", prepare};
}

}  // namespace vernier
