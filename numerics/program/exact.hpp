#pragma once

#include <stdexcept>

#include "numerics/program/arithmetic.hpp"
#include "numerics/program/narrowing.hpp"
#include "reference/numbers/interval.hpp"

namespace vernier::program {

/// A formula read as a real number, enclosed at the working precision.
class Exact {
 public:
  using Number = Interval;

  explicit Exact(In /*arithmetic*/ = {}) {}
  Exact scalars() const { return *this; }

  Number number(const Known& x) const { return enclose(x.exact); }
  Number unrounded(const Known& x) const { return enclose(x.exact); }
  Number integer(std::int64_t i) const { return enclose(i); }
  /// i n
  Number multiple(int i, const Known& n) const { return enclose(Rational(i * n.exact)); }
  Number two_pi() const { return 2 * pi(); }
  Number negated(const Number& x) const { return -x; }
  Number add(const Number& a, const Number& b) const { return a + b; }
  Number sub(const Number& a, const Number& b) const { return a - b; }
  Number mul(const Number& a, const Number& b) const { return a * b; }
  Number div(const Number& a, const Number& b) const { return a / b; }
  Number pow(const Number& a, const Number& b) const { return exp(b * log(a)); }
  Number exp(const Number& a) const { return boost::multiprecision::exp(a); }
  Number log(const Number& a) const { return boost::multiprecision::log(a); }
  Number exp2(const Number& a) const { return exp(a * log(Number(2))); }
  Number log2(const Number& a) const { return log(a) / log(Number(2)); }
  /// Rounded to a format, or to that of the arithmetic.
  Number to(const Narrowing& /*narrowing*/, const Number& x) const { return x; }
  Number own(const Number& x) const { return x; }
  /// f(x), where f takes x more than once and all are one number.
  template <class F>
  Number each(const Number& x, const F& f) const {
    return f(x);
  }
  /// A real number, rounded once. \param real () -> Interval
  template <class Real>
  Number once(const Real& real) const {
    return real();
  }
  template <class Less, class Else>
  Number if_less(const Number& a, const Number& b, const Less& less, const Else& otherwise) const {
    if (upper(a) < lower(b)) {
      return less();
    }
    if (!(lower(a) < upper(b))) {
      return otherwise();
    }
    throw std::runtime_error("undecided at this precision");
  }
};

}  // namespace vernier::program
