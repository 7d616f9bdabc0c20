#pragma once

#include <cassert>
#include <cmath>
#include <numbers>

#include "numerics/program/arithmetic.hpp"
#include "numerics/program/narrowing.hpp"
#include "numerics/program/sleef.hpp"
#include "reference/numbers/real.hpp"

namespace vernier::program {

/// A formula read as a program computes it, each result rounded to the format. Below float64 an operation is
/// exact in float64, or its first rounding is innocuous (53 >= 2 * 24 + 2: Figueroa 1995). "Correct"
/// functions are those of x87's 64 bits rounded once: of a few hundred arguments none is within 2^-38 of the
/// middle of two float32 numbers, where that could be wrong, but by a chance of 2^-30. Of SLEEF only powers
/// are asked: other functions are no numbers.
class Bits {
 public:
  using Number = double;

  explicit Bits(In in) : in_(in) { assert(in.library != Library::any && in.library != Library::exact); }
  /// The arithmetic in which scripts compute their constants: float64 by the C library.
  Bits scalars() const { return Bits({Format::binary64, Library::glibc}); }

  double number(const Known& x) const { return own(x.near); }
  double unrounded(const Known& x) const { return x.near; }
  double integer(std::int64_t i) const { return own(static_cast<double>(i)); }
  double multiple(int i, const Known& n) const { return own(i * n.near); }
  double two_pi() const { return own(2 * std::numbers::pi); }
  double negated(double x) const { return -x; }
  double add(double a, double b) const { return own(a + b); }
  double sub(double a, double b) const { return own(a - b); }
  double mul(double a, double b) const { return own(a * b); }
  double div(double a, double b) const { return own(a / b); }
  double pow(double a, double b) const {
    if (in_.library == Library::sleef) {
      return sleef_power(in_.format, a, b).value_or(NAN);
    }
    return function([b](auto x) { return std::pow(x, static_cast<decltype(x)>(b)); }, a);
  }
  double exp(double a) const {
    return function([](auto x) { return std::exp(x); }, a);
  }
  double log(double a) const {
    return function([](auto x) { return std::log(x); }, a);
  }
  double exp2(double a) const {
    return function([](auto x) { return std::exp2(x); }, a);
  }
  double log2(double a) const {
    return function([](auto x) { return std::log2(x); }, a);
  }
  double to(const Narrowing& narrowing, double x) const { return narrowing(x); }
  double own(double x) const { return round_to(in_.format, x); }
  template <class F>
  double each(double x, const F& f) const {
    return f(x);
  }
  /// An algebraic number can be an exact tie; the middle of its enclosure then serves as well as either
  /// neighbour.
  template <class Real>
  double once(const Real& real) const {
    const auto decided = correctly_rounded(in_.format, real, 512);
    return decided ? *decided : own(tight_enclosure(real).approximately());
  }
  template <class Less, class Else>
  double if_less(double a, double b, const Less& less, const Else& otherwise) const {
    return a < b ? less() : otherwise();
  }

 private:
  template <class F>
  double function(const F& f, double x) const {
    const bool is_wide = in_.format == Format::binary64;
    if (in_.library == Library::sleef) {
      return NAN;
    }
    if (in_.library == Library::correct) {
      const auto value = f(static_cast<long double>(x));
      return is_wide ? static_cast<double>(value) : own(static_cast<double>(static_cast<float>(value)));
    }
    return is_wide ? f(x) : own(static_cast<double>(f(static_cast<float>(x))));
  }

  In in_;
};

}  // namespace vernier::program
