// Every recipe: a row each. What sets them apart is the order of operations that gives a frequency, and what
// is rounded to a narrower format.

#include <array>

#include "numerics/recipes/recipe_registry.hpp"

namespace vernier {
namespace {

using program::use;
using program::use_in;
constexpr program::In f64{Format::binary64};
constexpr program::In f32{Format::binary32};
constexpr program::In f16{Format::binary16};
constexpr program::In bf16{Format::bfloat16};

}  // namespace

std::span<const Recipe> recipes() {
  static const std::array rows{
      Recipe{"float64-pow", "1 / base^(2i/d) and all else in float64: NumPy", "float64", {f64}},
      Recipe{"float32-rounded-frequency",
             "the exact frequency rounded once to float32, then float32: frequencies made offline",
             "float32",
             {f32, {use("exact")}}},
      Recipe{"float32-pow",
             "1 / base^(2i/d) in float32: Hugging Face's inv_freq, gpt-oss, torchtune",
             "float32",
             {f32}},
      Recipe{"float32-exp-log",
             "exp(2i * (-ln(base) / d)) and all else in float32: the PyTorch tutorial, fairseq",
             "float32",
             {f32, {use("exp-step")}}},
      Recipe{"float32-reciprocal-exp",
             "1 / exp((2i/d) ln(base)) in float32: timescales as exponentials, and their reciprocals",
             "float32",
             {f32, {use("1/exp")}}},
      Recipe{"float64-phase",
             "1 / base^(2i/d) in float32, phase, sine and cosine in float64: a model's inv_freq in a kernel "
             "that makes its phases in double",
             "float32-frequency",
             {f64, {use_in("quotient", f32), use_in("1/pow", f32), use_in("of-frequency", f32)}}},
      Recipe{"float32-iterated",
             "phase *= base^(-2/d) from pair to pair in float32: ggml's CPU backend",
             "float32-iterated",
             {f32, {use("ratio"), use("scaling-divisor"), use("carried"), use("divided-phase")}}},
      Recipe{"float32-ratio-power",
             "pow(base^(-2/d), i) in float32: ggml's GPU back ends",
             "float32-ratio-power",
             {f32, {use("pow-ratio")}}},
      Recipe{"float32-interpolated",
             "exp((1 - k/(n-1)) (ln max - ln min) + ln min) in float32: MLX's SinusoidalPositionalEncoding",
             "float32-interpolated",
             {f32, {use("interpolated")}}},
      Recipe{"float16-throughout",
             "position, frequency (exp/log), phase, sine and cosine all in float16",
             "float16",
             {f16, {use("exp-step")}}},
      Recipe{"bfloat16-throughout",
             "position, frequency (exp/log), phase, sine and cosine all in bfloat16: a model moved to "
             "bfloat16 before its table is made",
             "bfloat16",
             {bf16, {use("exp-step")}}},
      Recipe{"bfloat16-frequency",
             "inv_freq rounded to bfloat16, all else in float32: a model's buffers cast with its weights",
             "bfloat16",
             {f32, {use("rounded-frequency", Format::bfloat16)}}},
      Recipe{"float16-frequency",
             "inv_freq rounded to float16, all else in float32",
             "float16",
             {f32, {use("rounded-frequency", Format::binary16)}}},
      Recipe{"bfloat16-position",
             "positions rounded to bfloat16, all else in float32: position ids made in the model's dtype",
             "bfloat16",
             {f32, {use("rounded-position", Format::bfloat16)}}},
      Recipe{"float16-position",
             "positions rounded to float16, all else in float32",
             "float16",
             {f32, {use("rounded-position", Format::binary16)}}}};
  return rows;
}

std::vector<Format> storage_formats(const Recipe& recipe) {
  std::vector<Format> result;
  for (const auto format : computing_formats()) {
    if (recipe.narrowed() && format != recipe.compute()) {
      continue;
    }
    if (format == recipe.compute() || traits(format).precision < traits(recipe.compute()).precision) {
      const bool between_16_bit = format != recipe.compute() && recipe.compute() == Format::binary16;
      if (!between_16_bit) {
        result.push_back(format);
      }
    }
  }
  return result;
}

}  // namespace vernier
