#pragma once

namespace vernier {

/// A quantity that is no less than `lower` and no more than `upper`; infinite above if nothing bounds it.
struct ValueBounds {
  double lower = 0;
  double upper = 0;

  bool operator==(const ValueBounds&) const = default;
};

/// Both ends times a factor that is off by 2^-51 of itself at most, rounded outward. \pre factor >= 0
inline ValueBounds times(const ValueBounds& x, double factor) {
  constexpr double outward = 0x1p-50;  // the factor's error and the product's
  return {x.lower * factor * (1 - outward), x.upper * factor * (1 + outward)};
}

}  // namespace vernier
