#pragma once

#include "reference/numbers/interval.hpp"
#include "reference/numbers/rational.hpp"

namespace vernier {

/// A complex number, enclosed by a rectangle.
struct ComplexInterval {
  Interval real;
  Interval imaginary;
};

inline ComplexInterval operator+(const ComplexInterval& a, const ComplexInterval& b) {
  return {a.real + b.real, a.imaginary + b.imaginary};
}
inline ComplexInterval operator-(const ComplexInterval& a, const ComplexInterval& b) {
  return {a.real - b.real, a.imaginary - b.imaginary};
}
inline ComplexInterval operator*(const ComplexInterval& a, const ComplexInterval& b) {
  return {a.real * b.real - a.imaginary * b.imaginary, a.real * b.imaginary + a.imaginary * b.real};
}
inline ComplexInterval operator*(const Interval& a, const ComplexInterval& b) {
  return {a * b.real, a * b.imaginary};
}

/// Enclosures at the working precision of the integrals of u^(s-1) e^{iu}, to which the means of a rotation
/// over a family of frequencies reduce. MPFR has neither them nor the cosine integral.

/// x^-s times the integral of u^(s-1) e^{iu} from 0 to x: the sum of i^n x^n / (n! (n + s)).
/// \param s > 0 \param x >= 0, a point; to 10^300
ComplexInterval scaled_lower_integral(const Rational& s, const Interval& x);

/// The integral of (e^{iu} - 1) / u from 0 to x, which is -Cin(x) + i Si(x): the cosine and the sine integral
/// without the singularity at zero, Cin(x) = gamma + ln x - Ci(x). \param x as above
ComplexInterval entire_exponential_integral(const Interval& x);

}  // namespace vernier
