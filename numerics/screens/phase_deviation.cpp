#include "numerics/screens/phase_deviation.hpp"

#include <algorithm>
#include <cassert>

namespace vernier {
namespace {

/// What unit_vector() and the few operations on it may be off by, times the modulus.
constexpr double turn_rounding = 8 * 0x1p-51;

/// The arcsine, by its series where that is as good: the next term is x^5 / 13.
double arcsine(double x) {
  constexpr double small = 0x1p-13;
  return std::fabs(x) < small ? x + x * x * x / 6 : std::asin(std::clamp(x, -1.0, 1.0));
}

}  // namespace

UnitVector unit_vector(std::int64_t position, const DoubleDouble& frequency) {
  const auto p = static_cast<double>(position);
  const auto product = two_product(p, frequency.high);
  const double low = product.low + p * frequency.low;
  const double c = std::cos(product.high);
  const double s = std::sin(product.high);
  const double beside = 1 - low * low / 2;
  return {c * beside - s * low, s * beside + c * low};
}

PhaseDeviation phase_deviation(const UnitVector& at, double c, double b, double s, double a, double m) {
  const double across = at.cosine * s - at.sine * c;
  const double along = at.cosine * c + at.sine * s;
  const double noise = std::fabs(at.cosine) * a + std::fabs(at.sine) * b + turn_rounding * m;
  const double noise_along = std::fabs(at.cosine) * b + std::fabs(at.sine) * a + turn_rounding * m;
  if (along < -noise_along) {
    return {};
  }
  if (!(along > noise_along)) {
    return PhaseDeviation::anything();
  }
  return {arcsine((across - noise) / m), arcsine((across + noise) / m)};
}

PhaseDeviation phase_deviation_of_one(double phase, double v, double b, double m, double most) {
  assert(most < std::numbers::pi);
  const double wide = b + turn_rounding * m;
  if (v - wide > m || v + wide < -m) {
    return {};
  }
  const double near = std::acos(std::min(1.0, (v + wide) / m));
  const double far = std::acos(std::max(-1.0, (v - wide) / m));
  PhaseDeviation result;
  for (const double turn : {-2 * std::numbers::pi, 0.0, 2 * std::numbers::pi}) {
    for (const auto& [first, last] : {std::pair(near, far), std::pair(-far, -near)}) {
      const double least = std::max(first - phase + turn - turn_rounding, -most);
      const double greatest = std::min(last - phase + turn + turn_rounding, most);
      if (least <= greatest) {
        result = {std::min(result.least, least), std::max(result.greatest, greatest)};
      }
    }
  }
  return result;
}

}  // namespace vernier
