#pragma once

#include <cmath>

#include "numerics/recipes/recipe.hpp"

namespace vernier {

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
inline double reciprocal_exp(const RecipeFrequencies& wanted, int pair) {
  const auto logarithm = std::log(static_cast<float>(wanted.base()));
  const auto exponent = static_cast<float>(approximately(Rational(pair * wanted.step())));
  return wanted.scaled(Format::binary32, pair, static_cast<double>(1.0F / std::exp(exponent * logarithm)));
}

/// pow(theta_scale, i) with theta_scale = pow(base, -2/d), both in float32.
inline double ratio_power(const RecipeFrequencies& wanted, int pair) {
  const float ratio =
      std::pow(static_cast<float>(wanted.base()), static_cast<float>(-approximately(wanted.step())));
  return wanted.scaled(Format::binary32, pair,
                       static_cast<double>(std::pow(ratio, static_cast<float>(pair))));
}

/// exp((1 - k/(n-1)) (ln max - ln min) + ln min) in float32, max and min the greatest and the least
/// frequency.
inline double interpolated_exponent(const RecipeFrequencies& wanted, int pair) {
  const int last = wanted.pairs() - 1;
  const auto length = static_cast<float>(std::log(wanted.base()) * last * approximately(wanted.step()));
  const float rest = last == 0 ? 1.0F : 1.0F - static_cast<float>(pair) / static_cast<float>(last);
  return wanted.scaled(Format::binary32, pair, static_cast<double>(std::exp(rest * length - length)));
}

/// The exact frequency, rounded once: as good as a float32 frequency can be.
inline double rounded_once(const RecipeFrequencies& wanted, int pair) {
  // An algebraic frequency can be an exact tie; tight_enclosure's middle then serves as well as either
  // neighbour.
  const Real frequency = [&wanted, pair] { return wanted.exact().at(pair); };
  const auto decided = correctly_rounded(Format::binary32, frequency, 512);
  return decided ? *decided : round_to(Format::binary32, tight_enclosure(frequency).approximately());
}

}  // namespace vernier
