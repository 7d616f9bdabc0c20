#include <cmath>
#include <functional>

#include <mpfi.h>

#include "props/literature/cosine_sums.hpp"
#include "reference/numbers/sine_cosine.hpp"

namespace vernier {
namespace {

unsigned working_bits() {
  const Interval made_now;
  return static_cast<unsigned>(mpfi_get_prec(made_now.backend().data()));
}

/// `value` at the working precision: arithmetic may keep that of its operands.
Interval at_working_precision(const Interval& value) {
  Interval made_now;
  mpfi_set(made_now.backend().data(), value.backend().data());
  return made_now;
}

/// The sum over n = first, first + 2 ... of x^n / n! times weight(n), with the signs of the cosine's series
/// or of the sine's. Its largest term is below e^x, so that many bits are lost to cancellation and carried.
/// Beyond n = 2x terms more than halve: all that follow one come to less than it.
/// \param weight in [0, 1], falling
Interval oscillating_series(const Interval& x, int first, const std::function<Interval(int n)>& weight) {
  const double size = middle(x);
  const auto bits = working_bits();
  const auto sum_of_terms = [&] {
    const WorkingPrecision scope(bits + static_cast<unsigned>(1.4427 * size) + 32);
    Interval sum = 0;
    const Interval point = at_working_precision(x);
    const Interval square = point * point;
    Interval power = first == 1 ? point : first == 2 ? Interval(square / 2) : Interval(1);  // x^n / n!
    for (int n = first; n <= 2 * size || greatest_magnitude(power) > std::ldexp(1.0, -static_cast<int>(bits));
         n += 2) {
      const Interval term = power * weight(n);
      sum += n % 4 < 2 ? term : Interval(-term);
      power *= square;
      power /= static_cast<long>(n + 1) * (n + 2);
    }
    return Interval(sum + symmetric(power));
  }();
  return at_working_precision(sum_of_terms);
}

/// The value at the centre of x, and what slopes of at most 1 + 1/x make of the rest.
template <class AtPoint>
Interval at_centre(const Interval& x, const AtPoint& at_point) {
  const auto [centre, spread] = centred(x);
  return at_point(centre) + spread + spread / x;
}

/// f and g of Ci = f sin - g cos and Si = pi/2 - f cos - g sin, by their series in 1/x: each is off by less
/// than the first term left out, as f and g are integrals of e^-xt / (1 + t^2), times t.
Interval auxiliary(const Interval& x, int first) {
  const double negligible = std::ldexp(1.0, -static_cast<int>(working_bits()) - 8);
  Interval sum = 0;
  Interval term = first == 0 ? Interval(1 / x) : Interval(1 / (x * x));  // n! / x^(n+1)
  for (int n = first; n + 2 < middle(x) && greatest_magnitude(term) > negligible; n += 2) {
    sum += n % 4 < 2 ? term : Interval(-term);
    term *= static_cast<long>(n + 1) * (n + 2);
    term /= x * x;
  }
  return sum + symmetric(term);
}

/// The smallest term of the series in 1/x is about e^-x.
bool is_far(const Interval& x) {
  return middle(x) >= 0.6932 * (working_bits() + 16);
}

}  // namespace

Interval cosine_integral(const Interval& x) {
  return at_centre(x, [](const Interval& point) {
    if (is_far(point)) {
      const auto [sine, cosine] = sine_cosine(point);
      return Interval(auxiliary(point, 0) * sine - auxiliary(point, 1) * cosine);
    }
    Interval euler;
    mpfi_const_euler(euler.backend().data());
    return Interval(euler + log(point) + oscillating_series(point, 2, [](int n) { return 1 / Interval(n); }));
  });
}

Interval sine_integral(const Interval& x) {
  return at_centre(x, [](const Interval& point) {
    if (is_far(point)) {
      const auto [sine, cosine] = sine_cosine(point);
      return Interval(pi() / 2 - auxiliary(point, 0) * cosine - auxiliary(point, 1) * sine);
    }
    return oscillating_series(point, 1, [](int n) { return 1 / Interval(n); });
  });
}

Interval mean_cosine_of_power(const Interval& alpha, const Interval& x) {
  return at_centre(x, [&](const Interval& point) {
    return oscillating_series(point, 0,
                              [&](int n) { return 1 / Interval(at_working_precision(alpha) * n + 1); });
  });
}

Interval mean_cosine_by_series(const Interval& base, const Interval& x) {
  return oscillating_series(x, 0, [&](int n) {
    const Interval c = at_working_precision(base);
    return n == 0 ? Interval(1) : Interval((1 - pow(c, -n)) / (n * log(c)));
  });
}

}  // namespace vernier
