// Every recipe: a row each. What sets them apart is the order of operations that gives a frequency, and what
// is rounded to a narrower format.

#include <array>
#include <cmath>

#include "numerics/recipes/frequency_formulas.hpp"
#include "numerics/recipes/iterated.hpp"
#include "numerics/recipes/recipe_registry.hpp"

namespace vernier {
namespace {

/// Phases that are products, of frequencies in one order of operations, rounded to a format.
/// \tparam positions what positions are rounded to first \tparam narrowed what frequencies are rounded to
template <Format compute, FrequencyFormula order, Format positions = compute, Format narrowed = compute>
std::unique_ptr<PhaseRule> product(const RecipeFrequencies& wanted) {
  std::vector<double> frequencies;
  for (int pair = 0; pair < wanted.pairs(); ++pair) {
    frequencies.push_back(round_to(narrowed, order(wanted, pair)));
  }
  return std::make_unique<ProductPhases>(compute, std::move(frequencies), positions);
}

constexpr auto f64 = Format::binary64;
constexpr auto f32 = Format::binary32;
constexpr auto f16 = Format::binary16;
constexpr auto bf16 = Format::bfloat16;

constexpr std::array all_recipes{
    Recipe{"float64-pow", "1 / base^(2i/d) and all else in float64: NumPy", f64, "float64",
           product<f64, reciprocal_power<f64, double>>},
    Recipe{"float32-rounded-frequency",
           "the exact frequency rounded once to float32, then float32: frequencies made offline", f32,
           "float32", product<f32, rounded_once>},
    Recipe{"float32-pow", "1 / base^(2i/d) in float32: Hugging Face's inv_freq, gpt-oss, torchtune", f32,
           "float32", product<f32, reciprocal_power<f32, float>>},
    Recipe{"float32-exp-log",
           "exp(2i * (-ln(base) / d)) and all else in float32: the PyTorch tutorial, fairseq", f32, "float32",
           product<f32, exp_log<f32>>},
    Recipe{"float32-reciprocal-exp",
           "1 / exp((2i/d) ln(base)) in float32: timescales as exponentials, and their reciprocals", f32,
           "float32", product<f32, reciprocal_exp>},
    Recipe{
        "float64-phase",
        "1 / base^(2i/d) in float32, phase, sine and cosine in float64: a model's inv_freq in a kernel that "
        "makes its phases in double",
        f64, "float32-frequency", product<f64, reciprocal_power<f32, float>>, f32},
    Recipe{"float32-iterated", "phase *= base^(-2/d) from pair to pair in float32: ggml's CPU backend", f32,
           "float32-iterated", iterated_phases},
    Recipe{"float32-ratio-power", "pow(base^(-2/d), i) in float32: ggml's GPU back ends", f32,
           "float32-ratio-power", product<f32, ratio_power>},
    Recipe{"float32-interpolated",
           "exp((1 - k/(n-1)) (ln max - ln min) + ln min) in float32: MLX's SinusoidalPositionalEncoding",
           f32, "float32-interpolated", product<f32, interpolated_exponent>},
    Recipe{"float16-throughout", "position, frequency (exp/log), phase, sine and cosine all in float16", f16,
           "float16", product<f16, exp_log<f16>>},
    Recipe{"bfloat16-throughout",
           "position, frequency (exp/log), phase, sine and cosine all in bfloat16: a model moved to bfloat16 "
           "before "
           "its table is made",
           bf16, "bfloat16", product<bf16, exp_log<bf16>>},
    Recipe{"bfloat16-frequency",
           "inv_freq rounded to bfloat16, all else in float32: a model's buffers cast with its weights", f32,
           "bfloat16", product<f32, reciprocal_power<f32, float>, f32, bf16>, bf16},
    Recipe{"float16-frequency", "inv_freq rounded to float16, all else in float32", f32, "float16",
           product<f32, reciprocal_power<f32, float>, f32, f16>, f16},
    Recipe{"bfloat16-position",
           "positions rounded to bfloat16, all else in float32: position ids made in the model's dtype", f32,
           "bfloat16", product<f32, reciprocal_power<f32, float>, bf16>, bf16},
    Recipe{"float16-position", "positions rounded to float16, all else in float32", f32, "float16",
           product<f32, reciprocal_power<f32, float>, f16>, f16}};

}  // namespace

std::span<const Recipe> recipes() {
  return all_recipes;
}

std::vector<Format> storage_formats(const Recipe& recipe) {
  std::vector<Format> result;
  for (const auto format : computing_formats()) {
    if (recipe.narrowed && format != recipe.compute) {
      continue;
    }
    if (format == recipe.compute || traits(format).precision < traits(recipe.compute).precision) {
      const bool between_16_bit = format != recipe.compute && recipe.compute == Format::binary16;
      if (!between_16_bit) {
        result.push_back(format);
      }
    }
  }
  return result;
}

}  // namespace vernier
