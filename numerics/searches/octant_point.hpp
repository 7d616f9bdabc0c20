#pragma once

#include "reference/tables/trig_table.hpp"

namespace vernier {

/// Sine and cosine.
struct CirclePoint {
  double sine;
  double cosine;

  /// \pre not Component::zero
  double at(Component component) const { return component == Component::cosine ? cosine : sine; }
};

/// Those of |x| <= pi/4 + 2^-20, by Taylor's series in binary64: both to 2^-51, the sine to 2^-50 of itself.
///
/// What is left off is less than the first term left off, x^19/19! and x^20/20!: 2^-63. Horner's scheme
/// rounds the result, and terms of which each is less than a third of the one before; 1 - x^2/2 once more.
inline CirclePoint octant_point(double x) {
  const double square = x * x;
  double sine = 1.0 / 355687428096000;  // 1/17!
  sine = sine * square - 1.0 / 1307674368000;
  sine = sine * square + 1.0 / 6227020800;
  sine = sine * square - 1.0 / 39916800;
  sine = sine * square + 1.0 / 362880;
  sine = sine * square - 1.0 / 5040;
  sine = sine * square + 1.0 / 120;
  sine = sine * square - 1.0 / 6;
  double cosine = -1.0 / 6402373705728000;  // 1/18!
  cosine = cosine * square + 1.0 / 20922789888000;
  cosine = cosine * square - 1.0 / 87178291200;
  cosine = cosine * square + 1.0 / 479001600;
  cosine = cosine * square - 1.0 / 3628800;
  cosine = cosine * square + 1.0 / 40320;
  cosine = cosine * square - 1.0 / 720;
  cosine = cosine * square + 1.0 / 24;
  cosine = cosine * square - 0.5;
  return {x + x * square * sine, 1 + square * cosine};
}

}  // namespace vernier
