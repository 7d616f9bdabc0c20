#pragma once

#include <utility>

#include "reference/numbers/interval.hpp"

namespace vernier {

/// A function of two variables s and t near (0, 0), by its Taylor polynomial of the second order: automatic
/// differentiation, with enclosed coefficients.
struct SecondOrder {
  Interval constant;
  Interval s = 0;
  Interval t = 0;
  Interval ss = 0;  ///< of s^2: half the second derivative
  Interval st = 0;  ///< of s t: the mixed derivative
  Interval tt = 0;

  explicit SecondOrder(Interval value) : constant(std::move(value)) {}
};

inline SecondOrder operator+(const SecondOrder& a, const SecondOrder& b) {
  SecondOrder sum(a.constant + b.constant);
  sum.s = a.s + b.s;
  sum.t = a.t + b.t;
  sum.ss = a.ss + b.ss;
  sum.st = a.st + b.st;
  sum.tt = a.tt + b.tt;
  return sum;
}

inline SecondOrder operator*(const SecondOrder& a, const SecondOrder& b) {
  SecondOrder product(a.constant * b.constant);
  product.s = a.constant * b.s + a.s * b.constant;
  product.t = a.constant * b.t + a.t * b.constant;
  product.ss = a.constant * b.ss + a.s * b.s + a.ss * b.constant;
  product.st = a.constant * b.st + a.s * b.t + a.t * b.s + a.st * b.constant;
  product.tt = a.constant * b.tt + a.t * b.t + a.tt * b.constant;
  return product;
}

/// h(a) by the chain rule. \param h, first, second h and its first two derivatives at a's constant
inline SecondOrder composed(const SecondOrder& a, const Interval& h, const Interval& first,
                            const Interval& second) {
  SecondOrder result(h);
  result.s = first * a.s;
  result.t = first * a.t;
  result.ss = first * a.ss + second * a.s * a.s / 2;
  result.st = first * a.st + second * a.s * a.t;
  result.tt = first * a.tt + second * a.t * a.t / 2;
  return result;
}

inline SecondOrder exp(const SecondOrder& a) {
  const Interval value = boost::multiprecision::exp(a.constant);
  return composed(a, value, value, value);
}

inline SecondOrder operator/(const SecondOrder& a, const SecondOrder& b) {
  const Interval inverse = 1 / b.constant;
  return a * composed(b, inverse, -inverse * inverse, 2 * inverse * inverse * inverse);
}

}  // namespace vernier
