#include "reference/decay/oscillatory_integral.hpp"

#include <cassert>
#include <cmath>

#include <mpfi.h>

#include "reference/numbers/interval.hpp"
#include "reference/numbers/sine_cosine.hpp"

namespace vernier {
namespace {

unsigned working_bits() {
  const Interval made_now;
  return static_cast<unsigned>(mpfi_get_prec(made_now.backend().data()));
}

/// `value` at the working precision, rounded outward.
Interval at_working_precision(const Interval& value) {
  Interval result;
  mpfi_set(result.backend().data(), value.backend().data());
  return result;
}

ComplexInterval at_working_precision(const ComplexInterval& value) {
  return {at_working_precision(value.real), at_working_precision(value.imaginary)};
}

/// Adds i^n times a real number.
void add_times_power_of_i(ComplexInterval& sum, int n, const Interval& value) {
  Interval& component = n % 2 == 0 ? sum.real : sum.imaginary;
  if (n % 4 >= 2) {
    component -= value;
  } else {
    component += value;
  }
}

/// The sum over n >= first of i^n x^n / (n! (n + s)). Its largest term is below e^x, so that many bits more
/// than the result's are lost to cancellation and carried. Beyond n = 2x terms more than halve: all that
/// follow a term come to less than it.
ComplexInterval power_series(const Rational& s, const Interval& x, int first) {
  const double size = middle(x);
  const unsigned bits = working_bits() + static_cast<unsigned>(1.4427 * size) + 32;
  const WorkingPrecision scope(bits);
  const auto p = enclose(Rational(numerator(s)));
  const auto q = enclose(Rational(denominator(s)));
  const double negligible = std::ldexp(1.0, -static_cast<int>(working_bits()));
  Interval power = enclose(std::int64_t{1});  // x^n / n!
  Interval term;
  ComplexInterval sum{enclose(std::int64_t{0}), enclose(std::int64_t{0})};
  for (int n = 0;; ++n) {
    if (n > 0) {
      mpfi_mul(power.backend().data(), power.backend().data(), x.backend().data());
      mpfi_div_ui(power.backend().data(), power.backend().data(), static_cast<unsigned long>(n));
    }
    if (n < first) {
      continue;
    }
    term = power;
    term *= q;
    term /= p + n * q;
    add_times_power_of_i(sum, n, term);
    if (n > 2 * size && greatest_magnitude(term) <= negligible) {
      const Interval rest = symmetric(term);
      return sum + ComplexInterval{rest, rest};
    }
  }
}

/// x^-s times the integral of u^(s-1) e^{iu} from x up to x + i infinity. With u = x (1 + iv) it is i e^{ix}
/// times that of (1 + iv)^(s-1) e^{-xv} over v from 0 to infinity; the binomial series of the power gives the
/// sum of (s-1)(s-2)...(s-n) i^n / x^(n+1). Where n >= s - 1, the remainder of the binomial series (Taylor's,
/// in integral form) is at most its first omitted term for all v >= 0, as |1 + i tau v| >= 1 there; so the
/// remainder of the sum is at most its first omitted term too.
ComplexInterval scaled_tail(const Rational& s, const Interval& x) {
  const double negligible = std::ldexp(1.0, -static_cast<int>(working_bits()) - 8);
  ComplexInterval sum{enclose(std::int64_t{0}), enclose(std::int64_t{0})};
  const Interval order = enclose(s);
  Interval term = 1 / x;
  for (int n = 0;; ++n) {
    if (s <= n + 1 && (greatest_magnitude(term) <= negligible || n >= middle(x))) {
      const Interval omitted = symmetric(term);
      sum = sum + ComplexInterval{omitted, omitted};
      break;
    }
    add_times_power_of_i(sum, n, term);
    term *= order - (n + 1);
    term /= x;
  }
  const auto [sine, cosine] = sine_cosine(x);
  return ComplexInterval{-sine, cosine} * sum;
}

/// Gamma(s) for s > 0, from Gamma(s + 2), where the function is increasing.
Interval gamma_function(const Rational& s) {
  Interval value = enclose(Rational(s + 2));
  auto* ends = value.backend().data();
  mpfr_gamma(&ends->left, &ends->left, MPFR_RNDD);
  mpfr_gamma(&ends->right, &ends->right, MPFR_RNDU);
  return value / enclose(Rational(s * (s + 1)));
}

/// The smallest term of the series in 1/x is about e^-x: from here on it reaches the working precision.
bool tail_is_accurate(const Interval& x) {
  return middle(x) >= 0.6932 * (working_bits() + 16);
}

/// The integral of u^(s-1) e^{iu} from 0 up to i infinity is i^s Gamma(s); what lies beyond x is the tail.
ComplexInterval from_tail(const Rational& s, const Interval& x) {
  const Interval order = enclose(s);
  const auto [sine, cosine] = sine_cosine(Interval(order * pi() / 2));
  const Interval scale = gamma_function(s) * exp(Interval(-order * log(x)));
  return scale * ComplexInterval{cosine, sine} - scaled_tail(s, x);
}

}  // namespace

ComplexInterval scaled_lower_integral(const Rational& s, const Interval& x) {
  assert(s > 0);
  return tail_is_accurate(x) ? from_tail(s, x) : at_working_precision(power_series(s, x, 0));
}

ComplexInterval entire_exponential_integral(const Interval& x) {
  if (!tail_is_accurate(x)) {
    return at_working_precision(power_series(0, x, 1));
  }
  // The tail for s = 0 is -Ci(x) + i (pi/2 - Si(x)).
  Interval euler;
  mpfi_const_euler(euler.backend().data());
  return ComplexInterval{-euler - log(x), pi() / 2} - scaled_tail(0, x);
}

}  // namespace vernier
