#include "reference/rational_angles.hpp"

namespace vernier {
namespace {

constexpr int parts_of_turn = 12;

int in_turn(std::int64_t twelfths) {
  return static_cast<int>((twelfths % parts_of_turn + parts_of_turn) % parts_of_turn);
}

}  // namespace

RationalAngles::RationalAngles(const Constant& frequency) {
  const Rational twelfths = frequency.factor * 6;  // of a turn, 2 pi, each pi/6
  const auto every = as_integer(denominator(twelfths));
  if (frequency.power_of_pi == 1 && every) {
    every_ = *every;
    of_first_ = in_turn(
        static_cast<std::int64_t>(boost::multiprecision::mpz_int(numerator(twelfths) % parts_of_turn)));
  }
}

int RationalAngles::of_multiple(std::int64_t position) const {
  return in_turn(position / every_ % parts_of_turn * of_first_);
}

std::optional<Rational> rational_sine(int twelfths) {
  const int k = in_turn(twelfths);
  const int sign = k < 6 ? 1 : -1;
  switch (k % 6) {
    case 0:
      return Rational(0);
    case 1:
    case 5:
      return Rational(sign, 2);
    case 3:
      return Rational(sign);
    default:
      return std::nullopt;
  }
}

}  // namespace vernier
