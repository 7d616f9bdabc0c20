#pragma once

namespace vernier {

/// What turning by a small angle does to a unit vector: (c, s) becomes (c + c v - s t, s + s v + c t).
struct SmallTurn {
  /// The greatest angle, in magnitude.
  static constexpr double most = 0x1p-5;

  double sine;     ///< t = sin d, within 2^-42 of itself
  double versine;  ///< v = cos d - 1, within 2^-39 of itself
};

/// By the series: the next terms are d^7 / 5040 and d^8 / 40320. \param angle d, |d| <= SmallTurn::most
inline SmallTurn small_turn(double angle) {
  const double square = angle * angle;
  return {angle * (1 - square * (1.0 / 6) * (1 - square * (1.0 / 20))),
          square * -0.5 * (1 - square * (1.0 / 12) * (1 - square * (1.0 / 30)))};
}

}  // namespace vernier
