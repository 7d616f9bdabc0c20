#include "numerics/identification/phase_model.hpp"

#include <cmath>
#include <numbers>

#include "reference/format.hpp"

namespace vernier {
namespace {

/// So many candidates on either side of the middle at most.
constexpr int most_on_a_side = 32;

double float32(double value) {
  return static_cast<double>(static_cast<float>(value));
}

/// The float32 numbers within a range, and the one nearest to its middle.
std::vector<double> float32_numbers_in(double least, double greatest) {
  const double middle = float32(least + (greatest - least) / 2);
  std::vector<double> result{middle};
  double above = middle;
  double below = middle;
  for (int i = 0; i < most_on_a_side; ++i) {
    above = next_up(Format::binary32, above);
    below = next_down(Format::binary32, below);
    if (above <= greatest) {
      result.push_back(above);
    }
    if (below >= least) {
      result.push_back(below);
    }
  }
  return result;
}

class Float32Product final : public PhaseModel {
 public:
  std::string_view description() const override {
    return "the float32 product of the position and a float32 frequency";
  }
  std::vector<double> candidates(int, const FrequencyRange& range) const override {
    return float32_numbers_in(range.least, range.greatest);
  }
  double phase(std::int64_t position, int, double candidate) const override {
    return static_cast<double>(static_cast<float>(position) * static_cast<float>(candidate));
  }
  double product_roundoff() const override { return 0x1p-24; }
  void intended_phases(std::int64_t position, std::span<const int>, std::span<const double> candidates,
                       std::span<double> out) const override {
    const auto p = static_cast<float>(position);
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      out[i] = static_cast<double>(p * static_cast<float>(candidates[i]));
    }
  }
};

class DividedPosition final : public PhaseModel {
 public:
  explicit DividedPosition(double factor) : factor_(static_cast<float>(factor)) {}

  std::string_view description() const override {
    return "the float32 product of the position, divided by the scaling factor first, and a float32 "
           "frequency";
  }
  std::vector<double> candidates(int, const FrequencyRange& range) const override {
    const auto factor = static_cast<double>(factor_);
    return float32_numbers_in(range.least * factor, range.greatest * factor);
  }
  double phase(std::int64_t position, int, double candidate) const override {
    return static_cast<double>(static_cast<float>(position) / factor_ * static_cast<float>(candidate));
  }
  double frequency(int, double candidate) const override { return candidate / static_cast<double>(factor_); }

 private:
  float factor_;
};

/// As (position * scale) with a scale of 1 / factor, which MLX asks for.
class MultipliedPosition final : public PhaseModel {
 public:
  explicit MultipliedPosition(double factor) : scale_(1 / static_cast<float>(factor)) {}

  std::string_view description() const override {
    return "the float32 product of the position, multiplied by the reciprocal of the scaling factor first, "
           "and a float32 frequency";
  }
  std::vector<double> candidates(int, const FrequencyRange& range) const override {
    const auto scale = static_cast<double>(scale_);
    return float32_numbers_in(range.least / scale, range.greatest / scale);
  }
  double phase(std::int64_t position, int, double candidate) const override {
    return static_cast<double>(static_cast<float>(position) * scale_ * static_cast<float>(candidate));
  }
  double frequency(int, double candidate) const override { return candidate * static_cast<double>(scale_); }

 private:
  float scale_;
};

void products(std::int64_t position, std::span<const double> candidates, std::span<double> out) {
  const auto p = static_cast<double>(position);
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    out[i] = p * candidates[i];
  }
}

class UnroundedProduct final : public PhaseModel {
 public:
  std::string_view description() const override {
    return "the product of the position and a float32 frequency, not rounded to float32";
  }
  std::vector<double> candidates(int, const FrequencyRange& range) const override {
    return float32_numbers_in(range.least, range.greatest);
  }
  double phase(std::int64_t position, int, double candidate) const override {
    return static_cast<double>(position) * candidate;
  }
  double product_roundoff() const override { return 0x1p-53; }
  void intended_phases(std::int64_t position, std::span<const int>, std::span<const double> candidates,
                       std::span<double> out) const override {
    products(position, candidates, out);
  }
};

class TrueFrequency final : public PhaseModel {
 public:
  explicit TrueFrequency(const Frequencies& declared) : declared_(declared) {}

  std::string_view description() const override { return "the true frequency and a phase in float64"; }
  std::vector<double> candidates(int pair, const FrequencyRange&) const override {
    return {declared_.approximate(pair)};
  }
  double phase(std::int64_t position, int, double candidate) const override {
    return static_cast<double>(position) * candidate;
  }
  double product_roundoff() const override { return 0x1p-53; }
  void intended_phases(std::int64_t position, std::span<const int>, std::span<const double> candidates,
                       std::span<double> out) const override {
    products(position, candidates, out);
  }

 private:
  const Frequencies& declared_;
};

class CarriedPhase final : public PhaseModel {
 public:
  std::string_view description() const override {
    return "the phase of the pair before times a float32 ratio, rounded to float32";
  }
  /// Ratios of neighbouring pairs' frequencies. No ratio carries a phase that turns the other way.
  std::vector<double> candidates(int pair, const FrequencyRange& range) const override {
    if (pair == 0) {
      return {1};
    }
    if (!(range.least > 0)) {
      return {};
    }
    return float32_numbers_in(std::pow(range.least, 1.0 / pair), std::pow(range.greatest, 1.0 / pair));
  }
  double phase(std::int64_t position, int pair, double candidate) const override {
    auto phase = static_cast<float>(position);
    for (int i = 0; i < pair; ++i) {
      phase *= static_cast<float>(candidate);
    }
    return static_cast<double>(phase);
  }
  double frequency(int pair, double candidate) const override { return std::pow(candidate, pair); }
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
  std::vector<double> candidates(int, const FrequencyRange& range) const override {
    return float32_numbers_in(range.least * (1 + excess), range.greatest * (1 + excess));
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

std::vector<std::unique_ptr<PhaseModel>> float32_phase_models(const Frequencies& declared) {
  std::vector<std::unique_ptr<PhaseModel>> models;
  models.push_back(std::make_unique<Float32Product>());
  if (const auto* scaled = declared.scaled()) {
    if (const auto* linear = std::get_if<LinearScaling>(&scaled->scaling)) {
      models.push_back(std::make_unique<DividedPosition>(approximately(linear->factor)));
      models.push_back(std::make_unique<MultipliedPosition>(approximately(linear->factor)));
    }
  }
  models.push_back(std::make_unique<UnroundedProduct>());
  models.push_back(std::make_unique<TrueFrequency>(declared));
  models.push_back(std::make_unique<CarriedPhase>());
  models.push_back(std::make_unique<ReducedProduct>(false));
  models.push_back(std::make_unique<ReducedProduct>(true));
  return models;
}

}  // namespace vernier
