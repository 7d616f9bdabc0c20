#include "reference/decay/theta_family.hpp"

#include <cassert>

#include "reference/decay/oscillatory_integral.hpp"
#include "reference/numbers/interval.hpp"

namespace vernier {
namespace {

/// The mean rotation at every x of an interval, from that at its centre: no component moves faster than x, as
/// no frequency is above 1.
template <class AtPoint>
ComplexInterval over_interval(const Interval& x, const AtPoint& at_point) {
  const auto [centre, spread] = centred(x);
  return at_point(centre) + ComplexInterval{spread, spread};
}

}  // namespace

ThetaFamily exponential_family(const Rational& base) {
  assert(base > 1);
  const auto rotation = [base](const Interval& x) {
    return over_interval(x, [&](const Interval& point) {
      const auto slowest = over_interval(Interval(point / enclose(base)), entire_exponential_integral);
      const Interval scale = 1 / log(enclose(base));
      auto mean = scale * (entire_exponential_integral(point) - slowest);
      mean.real += 1;
      return mean;
    });
  };
  const auto slope = [base](const Interval& x) {
    return Interval((cos(x) - cos(Interval(x / enclose(base)))) / (x * log(enclose(base))));
  };
  return {to_string(base) + "^-t", rotation, slope};
}

ThetaFamily power_family(const Rational& alpha) {
  assert(alpha > 0);
  const Rational s = 1 / alpha;
  const auto rotation = [s](const Interval& x) {
    return over_interval(x,
                         [&](const Interval& point) { return enclose(s) * scaled_lower_integral(s, point); });
  };
  // I(x) = s x^-s times the integral of u^(s-1) cos u up to x, hence I' = s (cos x - I) / x.
  const auto slope = [s, rotation](const Interval& x) {
    return Interval(enclose(s) * (cos(x) - rotation(x).real) / x);
  };
  return {alpha == 1 ? std::string("t") : std::string("t^") + to_string(alpha), rotation, slope};
}

SmoothFunction decay_of(const ThetaFamily& family) {
  return {[family](const Interval& x) { return family.mean_cosine(x); }, family.slope};
}

}  // namespace vernier
