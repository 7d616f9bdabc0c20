#pragma once

#include <cmath>

#include "numerics/recipes/recipe_frequencies.hpp"

namespace vernier {

/// 1 / base^(2i/d), unscaled, in the arithmetic of `Number`: base, exponent, power and quotient each rounded.
template <class Number>
double reciprocal_power(const RecipeFrequencies& wanted, int pair) {
  const auto base = static_cast<Number>(wanted.base());
  const auto exponent = static_cast<Number>(approximately(Rational(pair * wanted.step())));
  return static_cast<double>(Number{1} / std::pow(base, exponent));
}

}  // namespace vernier
