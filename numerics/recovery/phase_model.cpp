#include "numerics/recovery/phase_model.hpp"

#include <cmath>
#include <numbers>

#include "reference/format.hpp"

namespace vernier {
namespace {

/// So many neighbours of a measured frequency on either side may be the one.
constexpr int neighbours = 4;

double float32(double value) {
  return static_cast<double>(static_cast<float>(value));
}

/// The float32 numbers around a value, the nearest first.
std::vector<double> float32_neighbours(double value) {
  double above = float32(value);
  double below = above;
  std::vector<double> result{above};
  for (int i = 0; i < neighbours; ++i) {
    above = next_up(Format::binary32, above);
    below = next_down(Format::binary32, below);
    const bool above_first = above - value < value - below;
    result.push_back(above_first ? above : below);
    result.push_back(above_first ? below : above);
  }
  return result;
}

class Float32Product final : public PhaseModel {
 public:
  std::string_view description() const override {
    return "the float32 product of the position and a float32 frequency";
  }
  std::vector<double> candidates(int, double measured) const override { return float32_neighbours(measured); }
  double phase(std::int64_t position, int, double candidate) const override {
    return static_cast<double>(static_cast<float>(position) * static_cast<float>(candidate));
  }
};

class DividedPosition final : public PhaseModel {
 public:
  explicit DividedPosition(double factor) : factor_(static_cast<float>(factor)) {}

  std::string_view description() const override {
    return "the float32 product of the position, divided by the scaling factor first, and a float32 "
           "frequency";
  }
  std::vector<double> candidates(int, double measured) const override {
    return float32_neighbours(measured * static_cast<double>(factor_));
  }
  double phase(std::int64_t position, int, double candidate) const override {
    return static_cast<double>(static_cast<float>(position) / factor_ * static_cast<float>(candidate));
  }
  double frequency(int, double candidate) const override { return candidate / static_cast<double>(factor_); }

 private:
  float factor_;
};

class UnroundedProduct final : public PhaseModel {
 public:
  std::string_view description() const override {
    return "the product of the position and a float32 frequency, not rounded to float32";
  }
  std::vector<double> candidates(int, double measured) const override { return float32_neighbours(measured); }
  double phase(std::int64_t position, int, double candidate) const override {
    return static_cast<double>(position) * candidate;
  }
};

class TrueFrequency final : public PhaseModel {
 public:
  explicit TrueFrequency(const Frequencies& declared) : declared_(declared) {}

  std::string_view description() const override { return "the true frequency and a phase in float64"; }
  std::vector<double> candidates(int pair, double) const override { return {declared_.approximate(pair)}; }
  double phase(std::int64_t position, int, double candidate) const override {
    return static_cast<double>(position) * candidate;
  }

 private:
  const Frequencies& declared_;
};

class CarriedPhase final : public PhaseModel {
 public:
  /// \param ratio of neighbouring pairs' frequencies, as measured
  explicit CarriedPhase(double ratio) : ratio_(ratio) {}

  std::string_view description() const override {
    return "the phase of the pair before times a float32 ratio, rounded to float32";
  }
  std::vector<double> candidates(int, double) const override { return float32_neighbours(ratio_); }
  double phase(std::int64_t position, int pair, double candidate) const override {
    auto phase = static_cast<float>(position);
    for (int i = 0; i < pair; ++i) {
      phase *= static_cast<float>(candidate);
    }
    return static_cast<double>(phase);
  }
  double frequency(int pair, double candidate) const override { return std::pow(candidate, pair); }

 private:
  double ratio_;
};

/// x - T rint(x / T) with T the float32 number next to 2 pi: off by 2.8e-8 of x where T is off, and by the
/// rounding of the product.
class ReducedProduct final : public PhaseModel {
 public:
  explicit ReducedProduct(bool fused) : fused_(fused) {}

  std::string_view description() const override {
    return "the float32 product of the position and a float32 frequency, reduced by one float32 value of 2 "
           "pi";
  }
  std::vector<double> candidates(int, double measured) const override {
    return float32_neighbours(measured * (1 + excess));
  }
  double phase(std::int64_t position, int, double candidate) const override {
    const float whole = product(position, candidate);
    const float turns = std::rint(whole / two_pi);
    return static_cast<double>(fused_ ? std::fma(-two_pi, turns, whole) : whole - two_pi * turns);
  }
  double intended_phase(std::int64_t position, int, double candidate) const override {
    return static_cast<double>(product(position, candidate));
  }

 private:
  static constexpr float two_pi = 6.2831853F;
  /// The phase that is left turns more slowly by the relative error of T.
  static constexpr double excess = static_cast<double>(two_pi) / (2 * std::numbers::pi) - 1;

  static float product(std::int64_t position, double candidate) {
    return static_cast<float>(position) * static_cast<float>(candidate);
  }

  bool fused_;
};

}  // namespace

std::vector<std::unique_ptr<PhaseModel>> float32_phase_models(const Frequencies& declared,
                                                              const std::vector<double>& measured) {
  std::vector<std::unique_ptr<PhaseModel>> models;
  models.push_back(std::make_unique<Float32Product>());
  if (const auto* scaled = declared.scaled()) {
    if (const auto* linear = std::get_if<LinearScaling>(&scaled->scaling)) {
      models.push_back(std::make_unique<DividedPosition>(approximately(linear->factor)));
    }
  }
  models.push_back(std::make_unique<UnroundedProduct>());
  models.push_back(std::make_unique<TrueFrequency>(declared));
  if (measured.size() > 1) {
    models.push_back(std::make_unique<CarriedPhase>(measured[1] / measured[0]));
  }
  models.push_back(std::make_unique<ReducedProduct>(false));
  models.push_back(std::make_unique<ReducedProduct>(true));
  return models;
}

}  // namespace vernier
