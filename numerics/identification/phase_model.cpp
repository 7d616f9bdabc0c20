#include "numerics/identification/phase_model.hpp"

#include <cmath>
#include <numbers>

#include "reference/numbers/format.hpp"

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

/// The reduced phase is x - T rint(x / T) with T the float32 number next to 2 pi: off by 2.8e-8 of x where T
/// is off, and by the rounding of the product.
constexpr float single_two_pi = 6.2831853F;

/// The phase that is left turns more slowly by the relative error of T.
constexpr double excess_of_turn = static_cast<double>(single_two_pi) / (2 * std::numbers::pi) - 1;

}  // namespace

float PhaseModel::float32_product(std::int64_t position, double candidate) const {
  const auto p = static_cast<float>(position);
  const float scaled = divisor == 1 ? p * factor : p / divisor;
  return scaled * static_cast<float>(candidate);
}

std::vector<double> PhaseModel::candidates(int pair, const FrequencyRange& range) const {
  if (product == Product::exact) {
    return {declared->approximate(pair)};
  }
  if (product == Product::carried) {
    if (pair == 0) {
      return {1};
    }
    // No ratio carries a phase that turns the other way.
    return range.least > 0
               ? float32_numbers_in(std::pow(range.least, 1.0 / pair), std::pow(range.greatest, 1.0 / pair))
               : std::vector<double>();
  }
  const auto candidate_of = [this](double frequency) {
    const double slower = reduction == Reduction::none ? 1 : 1 + excess_of_turn;
    return frequency * static_cast<double>(divisor) / static_cast<double>(factor) * slower;
  };
  return float32_numbers_in(candidate_of(range.least), candidate_of(range.greatest));
}

double PhaseModel::phase(std::int64_t position, int pair, double candidate) const {
  if (reduction == Reduction::none) {
    return intended_phase(position, pair, candidate);
  }
  const float whole = float32_product(position, candidate);
  const float turns = std::rint(whole / single_two_pi);
  return static_cast<double>(reduction == Reduction::fused ? std::fma(-single_two_pi, turns, whole)
                                                           : whole - single_two_pi * turns);
}

double PhaseModel::intended_phase(std::int64_t position, int pair, double candidate) const {
  if (product == Product::float32) {
    return static_cast<double>(float32_product(position, candidate));
  }
  if (product == Product::carried) {
    auto carried = static_cast<float>(position);
    for (int i = 0; i < pair; ++i) {
      carried *= static_cast<float>(candidate);
    }
    return static_cast<double>(carried);
  }
  return static_cast<double>(position) * candidate;
}

void PhaseModel::intended_phases(std::int64_t position, std::span<const int> pairs,
                                 std::span<const double> candidates, std::span<double> out) const {
  // Most tables have phases that are one product: their loops are the compiler's to make vectors of.
  if (product == Product::float32 && is_plain()) {
    const auto p = static_cast<float>(position);
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      out[i] = static_cast<double>(p * static_cast<float>(candidates[i]));
    }
  } else if (product == Product::unrounded || product == Product::exact) {
    const auto p = static_cast<double>(position);
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      out[i] = p * candidates[i];
    }
  } else {
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      out[i] = intended_phase(position, pairs[i], candidates[i]);
    }
  }
}

double PhaseModel::frequency(int pair, double candidate) const {
  return product == Product::carried ? std::pow(candidate, pair)
                                     : candidate / static_cast<double>(divisor) * static_cast<double>(factor);
}

std::vector<PhaseModel> float32_phase_models(const Frequencies& declared) {
  using Product = PhaseModel::Product;
  using Reduction = PhaseModel::Reduction;
  std::vector<PhaseModel> models{
      {.description = "the float32 product of the position and a float32 frequency"}};
  const auto* scaled = declared.scaled();
  if (const auto* linear = scaled == nullptr ? nullptr : std::get_if<LinearScaling>(&scaled->scaling)) {
    const auto factor = static_cast<float>(approximately(linear->factor));
    models.push_back({.description =
                          "the float32 product of the position, divided by the scaling factor first, "
                          "and a float32 frequency",
                      .divisor = factor});
    // As (position * scale) with a scale of 1 / factor, which MLX asks for.
    models.push_back({.description =
                          "the float32 product of the position, multiplied by the reciprocal of the "
                          "scaling factor first, and a float32 frequency",
                      .factor = 1 / factor});
  }
  models.push_back(
      {.description = "the product of the position and a float32 frequency, not rounded to float32",
       .product = Product::unrounded});
  models.push_back({.description = "the true frequency and a phase in float64",
                    .product = Product::exact,
                    .declared = &declared});
  models.push_back({.description = "the phase of the pair before times a float32 ratio, rounded to float32",
                    .product = Product::carried});
  for (const auto reduction : {Reduction::separate, Reduction::fused}) {
    models.push_back({.description =
                          "the float32 product of the position and a float32 frequency, reduced by one "
                          "float32 value of 2 pi",
                      .reduction = reduction});
  }
  return models;
}

}  // namespace vernier
