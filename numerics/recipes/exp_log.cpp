#include <cmath>

#include "numerics/recipes/recipes.hpp"

namespace vernier {
namespace {

/// exp(k c) with k = i * numerator(step) and c = -ln(base) / denominator(step) rounded to the format, as the
/// PyTorch tutorial writes it: the constant, the product and the exponential each rounded.
std::vector<double> frequencies_by_exp_log(Format format, const RecipeFrequencies& wanted) {
  const double numerator = static_cast<double>(boost::multiprecision::numerator(wanted.step()));
  const double denominator = static_cast<double>(boost::multiprecision::denominator(wanted.step()));
  const double constant = round_to(format, -std::log(wanted.base()) / denominator);
  std::vector<double> result;
  for (int pair = 0; pair < wanted.pairs(); ++pair) {
    const double index = round_to(format, pair * numerator);
    const double exponent = multiply(format, index, constant);
    const double frequency = round_to(format, static_cast<double>(std::exp(static_cast<float>(exponent))));
    result.push_back(wanted.scaled(format, pair, frequency));
  }
  return result;
}

template <Format format>
std::unique_ptr<PhaseRule> prepare_exp_log(const RecipeFrequencies& frequencies) {
  return std::make_unique<ProductPhases>(format, frequencies_by_exp_log(format, frequencies));
}

}  // namespace

Recipe float32_exp_log() {
  return {"float32-exp-log",
          "exp(2i * (-ln(base) / d)) and all else in float32: the PyTorch tutorial, fairseq",
          Format::binary32, "float32", prepare_exp_log<Format::binary32>};
}

Recipe float16_throughout() {
  return {"float16-throughout", "position, frequency (exp/log), phase, sine and cosine all in float16",
          Format::binary16, "float16", prepare_exp_log<Format::binary16>};
}

Recipe bfloat16_throughout() {
  return {"bfloat16-throughout",
          "position, frequency (exp/log), phase, sine and cosine all in bfloat16: a model moved to bfloat16 "
          "before its "
          "table is made",
          Format::bfloat16, "bfloat16", prepare_exp_log<Format::bfloat16>};
}

}  // namespace vernier
