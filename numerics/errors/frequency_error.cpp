#include "numerics/errors/frequency_error.hpp"

#include <cmath>
#include <limits>
#include <variant>

#include "numerics/errors/position_error.hpp"

namespace vernier {
namespace {

/// What half the smallest subnormal, and the ulp around it, is of a frequency below the normal range.
double underflow(double frequency, Format format) {
  const auto& t = traits(format);
  return frequency < t.smallest_normal() * (1 + 4 * t.unit_roundoff()) ? t.smallest() / frequency : 0;
}

/// Bounds r, the relative error of a frequency w = b^-e (e = i step) that is computed in one format with
/// roundoff u, by either of the two ways people use. Write x = |ln w| = |e| ln b;
/// for w > 1 the relative errors are the same, with 1/pow without its quotient.
///
/// exp/log: a logarithm ln b taken in the format is good to 1 ulp, lambda = ulp(ln b) / ln b <= 2u of itself;
/// its quotient by d and the product with the index are rounded. So the exponent is off by |x| (lambda + 2u +
/// 8u^2), which exp turns into a relative error; exp itself is good to 1 ulp, 2u at most. 1/pow: the exponent
/// is rounded, e^(|x| u) - 1; pow is good to 1 ulp, 2u; the quotient is rounded, u. If b is no number of the
/// format, its own rounding beta adds |e| beta. Together r <= (e^(|x| (lambda + 2u + 8u^2) + |e| beta) - 1)
/// (1 + 4u) + 3u (1 + u). A frequency below the normal range is off by half the smallest
/// subnormal more. w = 1 is exact either way: e^0 = b^0 = 1.
double error_of(const GeometricFrequencies& frequencies, int pair, Format format) {
  const auto& t = traits(format);
  const double u = t.unit_roundoff();
  const double base = approximately(frequencies.base);
  const double beta =
      std::isfinite(round_to(format, base)) ? std::fabs(round_to(format, base) / base - 1) : 0;
  const double exponent = std::fabs(approximately(frequencies.exponent(pair)));
  const double log_base = std::fabs(std::log(base));
  const double lambda = ulp_at(format, log_base) / log_base;
  const double growth =
      std::expm1(frequencies.log_magnitude(pair) * (lambda + 2 * u + 8 * u * u) + exponent * beta);
  return growth * (1 + 4 * u) + 3 * u * (1 + u) + underflow(frequencies.approximate(pair), format);
}

/// A listed frequency is read, or is the quotient of two integers that the format holds: one rounding either
/// way.
double error_of(const ListedFrequencies& frequencies, int pair, Format format) {
  const double w = frequencies.approximate(pair);
  return exact_rational(w) == frequencies.value(pair) && round_to(format, w) == w
             ? 0
             : traits(format).unit_roundoff() + underflow(w, format);
}

/// w = (i/n)^a by a power: i/n is rounded, e^(a u) - 1 in the power; a is rounded, e^(|ln w| u) - 1; pow is
/// good to 1 ulp, 2u. 0^a is exact.
double error_of(const PowerFrequencies& frequencies, int pair, Format format) {
  if (pair == 0) {
    return 0;
  }
  const double u = traits(format).unit_roundoff();
  const double growth =
      std::expm1((approximately(frequencies.exponent) + frequencies.log_magnitude(pair)) * u * (1 + u));
  return growth * (1 + 2 * u) + 2 * u + underflow(frequencies.approximate(pair), format);
}

double error_of(const ScaledFrequencies& frequencies, int pair, Format format) {
  const double unscaled =
      frequencies.unscaled.is_one(pair) ? 0 : error_of(frequencies.unscaled, pair, format);
  return scaling_error(frequencies, pair, format, unscaled) +
         underflow(frequencies.approximate(pair), format);
}

double error_of(const JoinedFrequencies& frequencies, int pair, Format format) {
  const auto [part, own] = frequencies.part_of(pair);
  return error_of(*part, own, format);
}

}  // namespace

// A scale is a constant, and its product with the frequency is rounded.
double frequency_error(const Frequencies& frequencies, int pair, Format format) {
  const double of_scale = product_error(frequencies.scale(), format);
  return std::visit(
      [&](const auto& family) {
        const double frequency = family.approximate(pair);
        if (frequency == 0) {
          return 0.0;
        }
        if (std::isinf(round_to(format, frequency * approximately(frequencies.scale())))) {
          return std::numeric_limits<double>::infinity();
        }
        const double unscaled = family.is_one(pair) ? 0 : error_of(family, pair, format);
        return unscaled + of_scale + unscaled * of_scale;
      },
      frequencies.family());
}

}  // namespace vernier
