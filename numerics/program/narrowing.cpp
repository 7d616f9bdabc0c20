#include "numerics/program/narrowing.hpp"

#include <array>
#include <cmath>

#include <fmt/core.h>

namespace vernier {
namespace {

/// \param direction 0: to the nearest, ties to even; -1: toward zero; 1: away from it
double with_bits(double x, int bits, int direction) {
  if (x == 0 || !std::isfinite(x)) {
    return x;
  }
  int exponent = 0;
  const double significand = std::ldexp(std::frexp(std::fabs(x), &exponent), bits);
  const double whole = direction == 0  ? std::nearbyint(significand)
                       : direction < 0 ? std::floor(significand)
                                       : std::ceil(significand);
  return std::copysign(std::ldexp(whole, exponent - bits), x);
}

}  // namespace

Narrowing Narrowing::to_nearest(Format format) {
  return {traits(format).name, format, traits(format).precision, false};
}

double Narrowing::operator()(double x) const {
  if (bits == traits(range).precision) {
    const double nearest = round_to(range, x);
    return is_cut && std::fabs(nearest) > std::fabs(x) ? other(x, nearest) : nearest;
  }
  return round_to(range, with_bits(x, bits, is_cut ? -1 : 0));
}

double Narrowing::other(double x, double rounded) const {
  if (bits == traits(range).precision) {
    return rounded > x ? next_down(range, rounded) : next_up(range, rounded);
  }
  return with_bits(x, bits, std::fabs(rounded) > std::fabs(x) ? -1 : 1);
}

double Narrowing::roundoff() const {
  return std::ldexp(1.0, is_cut ? 1 - bits : -bits);
}

std::string Narrowing::words() const {
  return fmt::format("{} to {}", is_cut ? "cut off" : "rounded", name);
}

std::span<const Narrowing> narrowings() {
  static constexpr std::array all{
      Narrowing{"bfloat16", Format::bfloat16, 8, false}, Narrowing{"float16", Format::binary16, 11, false},
      Narrowing{"TF32", Format::binary32, 11, false},    Narrowing{"bfloat16", Format::bfloat16, 8, true},
      Narrowing{"float16", Format::binary16, 11, true},  Narrowing{"TF32", Format::binary32, 11, true}};
  return all;
}

}  // namespace vernier
