#pragma once

#include "reference/interval.hpp"

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

}  // namespace vernier
