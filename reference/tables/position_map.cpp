#include "reference/tables/position_map.hpp"

#include <cassert>
#include <cmath>

#include <fmt/format.h>

#include "reference/support/input_error.hpp"
#include "reference/support/refusal.hpp"

namespace vernier {
namespace {

/// The greatest number that both are integer multiples of. \param a, b not both zero
Rational common_measure(const Rational& a, const Rational& b) {
  using boost::multiprecision::mpz_int;
  const mpz_int above = gcd(mpz_int(numerator(a) * denominator(b)), mpz_int(numerator(b) * denominator(a)));
  return Rational(above, mpz_int(denominator(a) * denominator(b)));
}

/// A number of places. \throws InputError for too many
std::int64_t in_places(const Rational& number, const Constant& quantum) {
  const auto result = as_integer(number);
  assert(denominator(number) == 1);
  refuse_if(
      !result || *result > largest_place || *result < -largest_place,
      "found positions on a lattice of steps of {} that reach {} steps from 0, expected at most 2^53 steps",
      approximately(quantum), approximately(number));
  return *result;
}

}  // namespace

PositionMap::PositionMap(Rational unit, Constant scale, Constant offset)
    : unit_(std::move(unit)), scale_(std::move(scale)), offset_(std::move(offset)) {
  assert(unit_ > 0 && scale_.factor > 0);
  assert(offset_.factor == 0 || offset_.power_of_pi == scale_.power_of_pi);
  const Rational step = scale_.factor * unit_;
  quantum_ = {common_measure(step, offset_.factor), scale_.power_of_pi};
  approximate_quantum_ = approximately(quantum_);
  stride_ = in_places(step / quantum_.factor, quantum_);
  shift_ = in_places(offset_.factor / quantum_.factor, quantum_);
}

std::int64_t PositionMap::place(std::int64_t given) const {
  if (is_plain()) {
    return given;
  }
  std::int64_t result = 0;
  if (__builtin_mul_overflow(stride_, given, &result) || __builtin_add_overflow(result, shift_, &result) ||
      result > largest_place || result < -largest_place) {
    result = in_places(Rational(stride_) * given + shift_, quantum_);
  }
  constexpr double greatest = 0x1p31;
  if (const double x = static_cast<double>(result) * approximate_quantum_; !(std::fabs(x) <= greatest)) {
    throw InputError("found the position {}, which stands for {}, expected numbers up to 2^31 in magnitude",
                     text(result), x);
  }
  return result;
}

PositionRange PositionMap::places(const PositionRange& given) const {
  if (is_plain() || given.count == 0) {
    return given;
  }
  const auto first = place(given.first);
  place(given.at(given.count - 1));
  return {first, stride_ * given.step, given.count};
}

std::string PositionMap::text(std::int64_t place) const {
  if (const auto integer = is_plain() ? std::optional(place) : as_integer(given(place))) {
    return std::to_string(*integer);
  }
  const double position = approximate(place);  // exact, as the unit is a power of two
  const auto single = static_cast<float>(position);
  return static_cast<double>(single) == position ? fmt::format("{}", single) : fmt::format("{}", position);
}

}  // namespace vernier
