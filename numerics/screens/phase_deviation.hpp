#pragma once

#include <cstdint>
#include <limits>
#include <numbers>
#include <vector>

#include "reference/numbers/double_double.hpp"

namespace vernier {

/// How far the phase behind some components may be from another phase, in radians: from `least` to
/// `greatest`. Least beyond greatest: no phase within a quarter turn is behind them.
struct PhaseDeviation {
  double least = std::numeric_limits<double>::infinity();
  double greatest = -std::numeric_limits<double>::infinity();

  bool empty() const { return least > greatest; }
  bool contains(double deviation) const { return least <= deviation && deviation <= greatest; }
  double half_width() const { return (greatest - least) / 2; }
  static PhaseDeviation anything() { return {-std::numbers::pi, std::numbers::pi}; }
};

/// The relative errors of the frequency that are left to each pair by what is known so far.
struct ErrorRanges {
  std::vector<double> least;  ///< one a pair, at most what the contract allows
  std::vector<double> greatest;
};

/// Cosine and sine of the phase position * frequency.
struct UnitVector {
  double cosine = 1;
  double sine = 0;
};

/// Cosine and sine of a product, each within 2^-51 of the truth: the product is known to 2^-100 of itself,
/// the C library's functions are good to an ulp, and its low part turns the vector as the addition theorems
/// say. \param position |position| <= 2^31 \param frequency >= 0, at most 2^10
UnitVector unit_vector(std::int64_t position, const DoubleDouble& frequency);

/// The deviation of the phase f behind two components c = m cos f + e and s = m sin f + d, where |e| <= b and
/// |d| <= a, from the phase of a unit vector (C, S) = (cos g, sin g). With x = f - g,
///   C s - S c = m sin x + C d - S e and C c + S s = m cos x + C e + S d,
/// so sin x lies within (|C| a + |S| b) / m of (C s - S c) / m; and x within a quarter turn, if the second
/// number says so. Where the components are too coarse to say so, anything may be behind them.
PhaseDeviation phase_deviation(const UnitVector& at, double c, double b, double s, double a, double m);

/// The same from one component v = m cos f + e, |e| <= b, alone: cos f lies between (v - b) / m and (v + b) /
/// m, so that f is one of two arcs; what they leave of the deviations up to `most` in magnitude is between
/// the ends returned. \param phase g, reduced to [-pi, pi]; of a sine v, g - pi/2 so reduced
PhaseDeviation phase_deviation_of_one(double phase, double v, double b, double m, double most);

}  // namespace vernier
