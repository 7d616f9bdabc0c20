#include "reference/decay/smooth_function.hpp"

#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>

#include <mpfi.h>

namespace vernier {
namespace {

constexpr double narrowest = 0x1p-40;

[[noreturn]] void give_up(double at) {
  throw std::runtime_error(std::string("the zeros near ") + std::to_string(at) + " cannot be told apart");
}

int sign_at(const SmoothFunction& f, double x) {
  const auto sign = certain_sign(f.value(enclose(x)));
  if (!sign) {
    give_up(x);
  }
  return *sign;
}

/// Halves [lower, upper], whose ends differ in sign.
Zero narrowed(const SmoothFunction& f, Zero zero, double width) {
  const int sign = sign_at(f, zero.lower);
  while (zero.upper - zero.lower > width * zero.upper) {
    const double centre = std::midpoint(zero.lower, zero.upper);
    (sign_at(f, centre) == sign ? zero.lower : zero.upper) = centre;
  }
  return zero;
}

bool mean_value_form_excludes_zero(const SmoothFunction& f, const Interval& range, const Interval& slope,
                                   double centre) {
  const Interval point = enclose(centre);
  return !contains_zero(Interval(f.value(point) + slope * (range - point)));
}

void collect(const SmoothFunction& f, double from, double to, double width, std::vector<Zero>& found) {
  const Interval range = hull(from, to);
  const Interval slope = f.slope(range);
  const double centre = std::midpoint(from, to);
  if (mean_value_form_excludes_zero(f, range, slope, centre)) {
    return;
  }
  if (!contains_zero(slope)) {
    if (sign_at(f, from) != sign_at(f, to)) {
      found.push_back(narrowed(f, {from, to}, width));
    }
    return;
  }
  if (to - from <= narrowest * to) {
    give_up(centre);
  }
  collect(f, from, centre, width, found);
  collect(f, centre, to, width, found);
}

}  // namespace

SmoothFunction difference(SmoothFunction f, SmoothFunction g) {
  return {
      [f = std::move(f.value), g = std::move(g.value)](const Interval& x) { return Interval(f(x) - g(x)); },
      [f = std::move(f.slope), g = std::move(g.slope)](const Interval& x) { return Interval(f(x) - g(x)); }};
}

std::optional<int> certain_sign(const Interval& value) {
  const auto* ends = value.backend().data();
  if (mpfi_is_strictly_pos(ends) != 0) {
    return 1;
  }
  return mpfi_is_strictly_neg(ends) != 0 ? std::optional(-1) : std::nullopt;
}

std::vector<Zero> zeros(const SmoothFunction& f, double from, double to, double width) {
  std::vector<Zero> found;
  collect(f, from, to, width, found);
  return found;
}

}  // namespace vernier
