#pragma once

#include <functional>
#include <string>

#include "reference/decay/oscillatory_integral.hpp"
#include "reference/decay/smooth_function.hpp"
#include "reference/numbers/rational.hpp"

namespace vernier {

/// Frequencies theta_t in [0, 1], one for each t in [0, 1]: what the frequencies of an encoding become when
/// their number grows without bound. The dot product of two rows x apart, divided by the number of pairs,
/// becomes the real part of the mean rotation.
struct ThetaFamily {
  std::string name;  ///< "10000^-t"
  /// The integral of exp(i x theta_t) over t from 0 to 1. \param x >= 0
  std::function<ComplexInterval(const Interval& x)> mean_rotation;
  /// Its real part's derivative by x. \param x > 0
  std::function<Interval(const Interval& x)> slope;

  Interval mean_cosine(const Interval& x) const { return mean_rotation(x).real; }
};

/// theta_t = base^-t, of which base^(-2i/d) are the values at t = 2i/d. The mean rotation is
/// ([Ci(x) - Ci(x/base)] + i [Si(x) - Si(x/base)]) / ln base. \param base > 1
ThetaFamily exponential_family(const Rational& base);

/// theta_t = t^alpha. The mean rotation is 1/alpha times that of u^(1/alpha - 1) exp(i x u) over [0, 1].
/// \param alpha > 0
ThetaFamily power_family(const Rational& alpha);

/// x -> the mean cosine, for x > 0.
SmoothFunction decay_of(const ThetaFamily& family);

}  // namespace vernier
