// Every recipe: a row each. What sets them apart is the order of operations that gives a frequency, and what
// is rounded to a narrower format.

#include <algorithm>
#include <array>
#include <cmath>

#include "numerics/recipes/recipe_registry.hpp"

namespace vernier {
namespace {

/// The frequency of a pair in one order of operations, each rounded, and then scaled.
using FrequencyFormula = double (*)(const RecipeFrequencies& wanted, int pair);

/// 1 / base^(2i/d), unscaled, in the arithmetic of `Number`: base, exponent, power and quotient each rounded.
template <class Number>
double unscaled_reciprocal_power(const RecipeFrequencies& wanted, int pair) {
  const auto base = static_cast<Number>(wanted.base());
  const auto exponent = static_cast<Number>(approximately(Rational(pair * wanted.step())));
  return static_cast<double>(Number{1} / std::pow(base, exponent));
}

/// The same, scaled. \tparam format of `Number`
template <Format format, class Number>
double reciprocal_power(const RecipeFrequencies& wanted, int pair) {
  return wanted.scaled(format, pair, unscaled_reciprocal_power<Number>(wanted, pair));
}

/// exp(k c) with k = i * numerator(step) and c = -ln(base) / denominator(step) rounded to the format, as the
/// PyTorch tutorial writes it: the constant, the product and the exponential each rounded.
template <Format format>
double exp_log(const RecipeFrequencies& wanted, int pair) {
  const double numerator = static_cast<double>(boost::multiprecision::numerator(wanted.step()));
  const double denominator = static_cast<double>(boost::multiprecision::denominator(wanted.step()));
  const double constant = round_to(format, -std::log(wanted.base()) / denominator);
  const double exponent = multiply(format, round_to(format, pair * numerator), constant);
  return wanted.scaled(format, pair,
                       round_to(format, static_cast<double>(std::exp(static_cast<float>(exponent)))));
}

/// 1 / exp(e ln b) with e = 2i/d, all in float32.
double reciprocal_exp(const RecipeFrequencies& wanted, int pair) {
  const auto logarithm = std::log(static_cast<float>(wanted.base()));
  const auto exponent = static_cast<float>(approximately(Rational(pair * wanted.step())));
  return wanted.scaled(Format::binary32, pair, static_cast<double>(1.0F / std::exp(exponent * logarithm)));
}

/// pow(theta_scale, i) with theta_scale = pow(base, -2/d), both in float32.
double ratio_power(const RecipeFrequencies& wanted, int pair) {
  const float ratio =
      std::pow(static_cast<float>(wanted.base()), static_cast<float>(-approximately(wanted.step())));
  return wanted.scaled(Format::binary32, pair,
                       static_cast<double>(std::pow(ratio, static_cast<float>(pair))));
}

/// exp((1 - k/(n-1)) (ln max - ln min) + ln min) in float32, max and min the greatest and the least
/// frequency.
double interpolated_exponent(const RecipeFrequencies& wanted, int pair) {
  const int last = wanted.pairs() - 1;
  const auto length = static_cast<float>(std::log(wanted.base()) * last * approximately(wanted.step()));
  const float rest = last == 0 ? 1.0F : 1.0F - static_cast<float>(pair) / static_cast<float>(last);
  return wanted.scaled(Format::binary32, pair, static_cast<double>(std::exp(rest * length - length)));
}

/// The exact frequency, rounded once: as good as a float32 frequency can be.
double rounded_once(const RecipeFrequencies& wanted, int pair) {
  // An algebraic frequency can be an exact tie; tight_enclosure's middle then serves as well as either
  // neighbour.
  const Real frequency = [&wanted, pair] { return wanted.exact().at(pair); };
  const auto decided = correctly_rounded(Format::binary32, frequency, 512);
  return decided ? *decided : round_to(Format::binary32, tight_enclosure(frequency).approximately());
}

/// theta_0 = p, theta_{i+1} = theta_i * base^(-2/d): the phase itself is carried from pair to pair. Where the
/// frequencies are scaled it is divided by the ratio of each to its unscaled one, which is not carried.
class IteratedPhases final : public PhaseRule {
 public:
  /// \param divisors one a pair, or none
  IteratedPhases(float ratio, std::vector<float> divisors) : ratio_(ratio), divisors_(std::move(divisors)) {}

  bool is_recursive() const override { return true; }

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

  std::span<const double> phases_for_pair(int pair, std::span<const double> carried,
                                          std::span<double> room) const override {
    if (divisors_.empty()) {
      return carried;
    }
    const float divisor = divisors_[static_cast<std::size_t>(pair)];
    std::ranges::transform(carried, room.begin(), [divisor](double phase) {
      return static_cast<double>(static_cast<float>(phase) / divisor);
    });
    return room.first(carried.size());
  }

  /// p q^i (1 + u)^i for i products, one more for a quotient by another number than a power of two, and one
  /// for a position beyond 2^24; each may lose half the smallest subnormal as well. q^i is computed here to
  /// 2^-51.
  double phase_error(int pair, std::int64_t position, const Enclosure& frequency) const override {
    const auto& t = traits(Format::binary32);
    const double divisor =
        divisors_.empty() ? 1 : static_cast<double>(divisors_[static_cast<std::size_t>(pair)]);
    const double used = std::pow(static_cast<double>(ratio_), pair) / divisor;
    const auto furthest = static_cast<double>(position);
    const double off = std::fabs((frequency.middle - DoubleDouble{used, 0}).high) + frequency.radius +
                       (pair == 0 && divisor == 1 ? 0 : used * 0x1p-51);
    int exponent = 0;
    const bool divides = std::isfinite(divisor) && std::frexp(divisor, &exponent) != 0.5;
    const int count = pair + (divides ? 1 : 0) + (position > std::int64_t{1} << t.precision ? 1 : 0);
    const double roundings = std::expm1(count * std::log1p(t.unit_roundoff()));
    const double underflow = count == 0 ? 0 : (count + 1) * t.smallest();
    return (furthest * (off + used * roundings) + underflow) * (1 + 0x1p-40);
  }

  PhaseSeeds seeds() const override {
    return {Format::binary32, {static_cast<double>(ratio_)}, {divisors_.begin(), divisors_.end()}};
  }

 private:
  float ratio_;
  std::vector<float> divisors_;
};

/// What llama.cpp stores as rope_freqs: w_i over what the scaling makes of it, in float32. A frequency of
/// zero has an infinite one, which makes the phase zero.
std::vector<float> divisors(const RecipeFrequencies& wanted) {
  std::vector<float> result;
  for (int pair = 0; wanted.is_scaled() && pair < wanted.pairs(); ++pair) {
    const double frequency = unscaled_reciprocal_power<float>(wanted, pair);
    const double scaled = wanted.scaled(Format::binary32, pair, frequency);
    result.push_back(static_cast<float>(frequency) / static_cast<float>(scaled));
  }
  return result;
}

/// Phases that are carried from pair to pair, each the one before times a ratio, in float32.
std::unique_ptr<PhaseRule> iterated_phases(const RecipeFrequencies& wanted) {
  const auto base = static_cast<float>(wanted.base());
  const auto exponent = static_cast<float>(-approximately(wanted.step()));
  return std::make_unique<IteratedPhases>(std::pow(base, exponent), divisors(wanted));
}

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
