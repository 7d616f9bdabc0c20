#include <array>
#include <cmath>
#include <cstdint>

#include <fmt/core.h>

#include "reference/keys/parameters.hpp"
#include "reference/schemes/alibi.hpp"
#include "reference/schemes/encoding_of.hpp"
#include "reference/schemes/schemes.hpp"

namespace vernier {
namespace {

constexpr std::array<std::string_view, 3> rule_names{"retnet", "lightning", "transnormer"};
constexpr std::array<std::string_view, 2> variant_names{"original", "huggingface"};
constexpr std::array<std::string_view, 3> form_names{"rate", "logarithm", "factor"};
/// 1 - 2^(-5 - h) is close to 1 there already.
constexpr std::int64_t most_retnet_heads = 64;

/// How fast each head of linear attention forgets: with each position its state is multiplied by e^-r, r the
/// head's rate. Head h of H, layer l of L, each counted from 0:
/// retnet: e^-r = 1 - 2^(-5 - h) (Y. Sun et al., "Retentive Network", 2023).
/// lightning: r = slope (1 - l/(L - 1) + 1e-5) with the slopes of ALiBi; one layer has the factor 1 + 1e-5
/// (MiniMax-01 and vLLM). Hugging Face: 1 - l/(L - 1 + 1e-5) + 1e-5, and the plain slopes 2^(-8 (h + 1)/H)
/// whatever H is.
/// transnormer: r = 8 h/H (1 - l/L) (Z. Qin et al., "TransNormerLLM", 2023; flash-linear-attention).
struct DecaySpec {
  enum class Rule { retnet, lightning, transnormer };
  enum class Variant { original, huggingface };
  /// What implementations store: r, -r or e^-r.
  enum class Form { rate, logarithm, factor };

  static constexpr std::string_view scheme = "decay";

  Rule rule = Rule::retnet;
  Variant variant = Variant::original;  ///< of lightning
  Form form = Form::logarithm;
  std::int64_t num_heads = 1;
  std::int64_t layer = 0;  ///< l
  std::int64_t num_layers = 1;

  void keys(KeyVisitor& visit) {
    visit.defaulted("rule", rule, one_of(rule_names));
    const bool is_retnet = rule == Rule::retnet;
    if (rule == Rule::lightning) {
      visit.defaulted("variant", variant, one_of(variant_names));
    }
    visit.fallback(form, is_retnet ? Form::logarithm : Form::rate);
    visit.defaulted("as", form, one_of(form_names));
    visit.required("num_heads", num_heads, integer(1, is_retnet ? most_retnet_heads : most_heads));
    if (!is_retnet) {
      visit.required("num_layers", num_layers, integer(1, most_layers));
      visit.required("layer", layer, integer(0, num_layers - 1));
    }
  }

  std::string summary() const {
    const auto stored = form_names[static_cast<std::size_t>(form)];
    if (rule == Rule::retnet) {
      return fmt::format("decay of RetNet, {} heads, as {}", num_heads, stored);
    }
    return fmt::format("decay of {}{}, {} heads, layer {} of {}, as {}",
                       rule == Rule::lightning ? "Lightning attention" : "TransNormer",
                       variant == Variant::huggingface ? " by Hugging Face" : "", num_heads, layer,
                       num_layers, stored);
  }

  std::vector<TensorDefinition> tensors() const;
};

/// A rate as it is stored. e^-r is off by e^-r (e^error - 1), with the error of the rate, and by 2u more of
/// exp itself.
ComputedReal in_form(ComputedReal rate, DecaySpec::Form form) {
  if (form == DecaySpec::Form::rate) {
    return rate;
  }
  if (form == DecaySpec::Form::logarithm) {
    return {[value = rate.value] { return Interval(-value()); }, -rate.estimate, rate.error};
  }
  const double factor = std::exp(-rate.estimate);
  return {[value = rate.value] { return Interval(exp(-value())); }, factor,
          [factor, error = rate.error](double u) {
            return factor * (std::expm1(error ? error(u) : 0) * (1 + 2 * u) + 2 * u);
          }};
}

/// With g = 2^(-5 - h): 1 - g is a number of the format if g >= u; else it is rounded, by u/2, which moves
/// its logarithm by u at most. The logarithm is good to 2u of itself.
ComputedReal retnet(std::int64_t head, DecaySpec::Form form) {
  const int power = static_cast<int>(head) + 5;
  const double gone = std::ldexp(1.0, -power);
  const auto kept = [power] { return Interval(1 - ldexp(enclose(std::int64_t{1}), -power)); };
  if (form == DecaySpec::Form::factor) {
    return {kept, 1 - gone, [gone](double u) { return gone >= u ? 0 : u / 2; }};
  }
  const double rate = -std::log1p(-gone);
  const ComputedReal logarithm{[kept] { return Interval(-log(kept())); }, rate,
                               [gone, rate](double u) { return 2 * u * rate + (gone >= u ? 0 : u); }};
  return in_form(logarithm, form);
}

/// What a layer's factor, of numbers from 0 to 2, is off by when it is computed in float64, as it is in every
/// implementation, whatever the format of the rates: four roundings.
constexpr double layer_error = 4 * 0x1p-53;

Rational lightning_layer(const DecaySpec& spec) {
  const Rational small(1, 100000);
  if (spec.variant == DecaySpec::Variant::huggingface) {
    return 1 - spec.layer / (spec.num_layers - 1 + small) + small;
  }
  return spec.num_layers == 1 ? 1 + small : 1 - Rational(spec.layer, spec.num_layers - 1) + small;
}

std::vector<Slope> lightning_slopes(const DecaySpec& spec) {
  if (spec.variant == DecaySpec::Variant::original) {
    return AlibiSpec{.num_heads = spec.num_heads}.slopes();
  }
  std::vector<Slope> slopes;
  for (std::int64_t power = 1; power <= spec.num_heads; ++power) {
    slopes.push_back({Rational(8, spec.num_heads), power});
  }
  return slopes;
}

/// The slope is off as ALiBi's is (Slope::growth); then the layer's factor is rounded, and their product.
ComputedReal lightning(const Slope& slope, const Rational& layer) {
  const double factor = approximately(layer);
  const double steep = std::exp2(-approximately(slope.step) * static_cast<double>(slope.power));
  return {[slope, layer] { return Interval(slope.enclosure() * enclose(layer)); }, steep * factor,
          [=](double u) {
            const double growth = slope.growth(u);
            return steep * (factor * (growth + (1 + growth) * growth_by(2, u)) + layer_error);
          }};
}

/// The layer's factor of the head is rounded, and its product with the head's number, to which it is exact.
ComputedReal transnormer(std::int64_t head, const DecaySpec& spec) {
  const Rational rate =
      Rational(8 * head, spec.num_heads) * Rational(spec.num_layers - spec.layer, spec.num_layers);
  const double estimate = approximately(rate);
  const double greatest = 8 * static_cast<double>(head) / static_cast<double>(spec.num_heads);
  return {[rate] { return enclose(rate); }, estimate,
          [estimate, greatest](double u) { return estimate * growth_by(3, u) + greatest * layer_error; }};
}

std::vector<TensorDefinition> DecaySpec::tensors() const {
  BiasTable table{"slopes", {}, BiasTable::Factor::one};
  const auto slopes = rule == DecaySpec::Rule::lightning ? lightning_slopes(*this) : std::vector<Slope>();
  for (std::int64_t head = 0; head < num_heads; ++head) {
    table.curves.emplace_back([head, slopes, spec = *this](std::int64_t /*multiplier*/) {
      switch (spec.rule) {
        case DecaySpec::Rule::lightning:
          return in_form(lightning(slopes[static_cast<std::size_t>(head)], lightning_layer(spec)), spec.form);
        case DecaySpec::Rule::transnormer:
          return in_form(transnormer(head, spec), spec.form);
        case DecaySpec::Rule::retnet:
          break;
      }
      return retnet(head, spec.form);
    });
  }
  return {std::move(table)};
}

}  // namespace

std::vector<Scheme> decay_schemes() {
  return schemes_of<DecaySpec>();
}

}  // namespace vernier
