#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

#include <arb.h>

namespace vernier::oracle {

/// The oracle's precision: far above the library's, so that a ball never decides by its own width.
inline constexpr slong oracle_bits = 512;

/// A real number as an Arb ball, with the arithmetic the formulas need.
class Ball {
 public:
  Ball() { arb_init(value_); }
  Ball(std::int64_t value) : Ball() { arb_set_si(value_, value); }
  /// \param decimal as JSON has it, taken as exactly that number
  explicit Ball(const std::string& decimal) : Ball() {
    if (arb_set_str(value_, decimal.c_str(), oracle_bits) != 0) {
      throw std::invalid_argument("not a number: " + decimal);
    }
  }
  Ball(const Ball& other) : Ball() { arb_set(value_, other.value_); }
  Ball& operator=(const Ball& other) {
    arb_set(value_, other.value_);
    return *this;
  }
  ~Ball() { arb_clear(value_); }

  arb_struct* get() { return value_; }
  const arb_struct* get() const { return value_; }

  friend Ball operator+(const Ball& a, const Ball& b) { return made(arb_add, a, b); }
  friend Ball operator-(const Ball& a, const Ball& b) { return made(arb_sub, a, b); }
  friend Ball operator*(const Ball& a, const Ball& b) { return made(arb_mul, a, b); }
  friend Ball operator/(const Ball& a, const Ball& b) { return made(arb_div, a, b); }
  friend Ball lesser(const Ball& a, const Ball& b) { return made(arb_min, a, b); }
  friend Ball greater(const Ball& a, const Ball& b) { return made(arb_max, a, b); }
  friend Ball power(const Ball& base, const Ball& exponent) { return made(arb_pow, base, exponent); }
  friend Ball logarithm(const Ball& a) { return made(arb_log, a); }
  friend Ball sine(const Ball& a) { return made(arb_sin, a); }
  friend Ball cosine(const Ball& a) { return made(arb_cos, a); }
  friend Ball square_root(const Ball& a) { return made(arb_sqrt, a); }
  /// The integer, proved to be one: a ball that straddles an integer is an error, not a guess.
  friend Ball floor(const Ball& a) { return integer(made(arb_floor, a)); }
  friend Ball ceiling(const Ball& a) { return integer(made(arb_ceil, a)); }
  static Ball pi() {
    Ball result;
    arb_const_pi(result.value_, oracle_bits);
    return result;
  }

 private:
  template <class Function>
  static Ball made(Function function, const Ball& a, const Ball& b) {
    Ball result;
    function(result.value_, a.value_, b.value_, oracle_bits);
    return result;
  }
  template <class Function>
  static Ball made(Function function, const Ball& a) {
    Ball result;
    function(result.value_, a.value_, oracle_bits);
    return result;
  }
  static Ball integer(const Ball& a) {
    if (arb_is_exact(a.value_) == 0) {
      throw std::logic_error("floor or ceiling of a ball that straddles an integer");
    }
    return a;
  }

  arb_t value_;
};

/// Whether a < b, proved either way.
inline bool is_less(const Ball& a, const Ball& b) {
  if (arb_lt(a.get(), b.get()) == 0 && arb_ge(a.get(), b.get()) == 0) {
    throw std::logic_error("two balls overlap where they have to be compared");
  }
  return arb_lt(a.get(), b.get()) != 0;
}

}  // namespace vernier::oracle
