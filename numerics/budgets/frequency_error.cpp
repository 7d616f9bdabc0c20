#include "numerics/budgets/frequency_error.hpp"

#include <cmath>
#include <limits>
#include <variant>

#include "numerics/budgets/position_error.hpp"

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
double error_of(const GeometricFrequencies& frequencies, int pair, double w, Format format) {
  const auto& t = traits(format);
  const double u = t.unit_roundoff();
  const double base = approximately(frequencies.base);
  const double held = round_to(format, base);
  const double beta =
      std::isfinite(held) ? std::fabs(approximately(exact_rational(held) / frequencies.base - 1)) : 0;
  const double exponent = std::fabs(approximately(frequencies.exponent(pair)));
  const double log_base = std::fabs(std::log(base));
  const double lambda = ulp_at(format, log_base) / log_base;
  const double growth =
      std::expm1(frequencies.log_magnitude(pair) * (lambda + 2 * u + 8 * u * u) + exponent * beta);
  return growth * (1 + 4 * u) + 3 * u * (1 + u) + underflow(w, format);
}

/// A listed frequency is read, or is the quotient of two integers that the format holds: one rounding either
/// way.
double error_of(const ListedFrequencies& frequencies, int pair, double w, Format format) {
  return exact_rational(w) == abs(frequencies.value(pair)) && round_to(format, w) == w
             ? 0
             : traits(format).unit_roundoff() + underflow(w, format);
}

/// w = (i/n)^a by a power: i/n is rounded, e^(a u) - 1 in the power; a is rounded, e^(|ln w| u) - 1; pow is
/// good to 1 ulp, 2u. 0^a is exact.
double error_of(const PowerFrequencies& frequencies, int pair, double w, Format format) {
  if (pair == 0) {
    return 0;
  }
  const double u = traits(format).unit_roundoff();
  const double growth =
      std::expm1((approximately(frequencies.exponent) + frequencies.log_magnitude(pair)) * u * (1 + u));
  return growth * (1 + 2 * u) + 2 * u + underflow(w, format);
}

double error_of(const ScaledFrequencies& frequencies, int pair, double w, Format format) {
  const auto& before = frequencies.unscaled;
  const double unscaled = before.is_one(pair) ? 0 : error_of(before, pair, before.approximate(pair), format);
  return scaling_error(frequencies, pair, format, unscaled) + underflow(w, format);
}

/// w_j between f and l, t = j/(n - 1), where f and l are off by kf and kl (constant_error).
///
/// Even steps of the logarithm, a = ln f, b = ln l: the exponent a + t (b - a) of e takes two logarithms, off
/// by 2u of themselves, a difference, a quotient and a product, 3u t |b - a|, and a sum, u |ln w|. Counted
/// from b down, as some code does in the second half, it takes no more there, as 1 - t <= t. Powers of
/// another base have the same exponents times a constant. As f (l/f)^t it takes the error of f, and of the
/// quotient t times, kf + t (kf + kl + u), and that of t, u t |b - a|. Either way the exponent is off by E =
/// kf (1 + t) + (kl + u) t + 2u ((1 - t) |a| + t |b|) + 3u t |b - a| + u |ln w| at most. The power or
/// exponential is good to 1 ulp, 2u; a factor that stands apart, as pi may, is multiplied, u, and whoever
/// makes periods divides, u: 4u.
///
/// Even steps: f + t (l - f) takes the errors of f and l by their shares, a difference, a quotient and a
/// product, 3u t |l - f|, and a sum, u; counted from l down no more, as above; pi may stand apart, 2u.
double error_of(const BoundedFrequencies& frequencies, int pair, double w, Format format) {
  const double u = traits(format).unit_roundoff();
  const double of_first = constant_error(frequencies.first, format);
  const double of_last = constant_error(frequencies.last, format);
  const double t = approximately(frequencies.share(pair));
  const double first = approximately(frequencies.first);
  const double last = approximately(frequencies.last);
  const double below = underflow(w, format);
  if (frequencies.spacing == BoundedFrequencies::Spacing::linear) {
    const double sum =
        ((1 - t) * first * of_first + t * last * of_last + 3 * u * t * std::fabs(last - first)) / w;
    return (sum + 3 * u) * (1 + 8 * u) + below;
  }
  const double a = std::fabs(std::log(first));
  const double b = std::fabs(std::log(last));
  const double exponent = of_first * (1 + t) + (of_last + u) * t + 2 * u * ((1 - t) * a + t * b) +
                          3 * u * t * std::fabs(std::log(last / first)) + u * std::fabs(std::log(w));
  return std::expm1(exponent * (1 + 8 * u)) * (1 + 8 * u) + 4 * u * (1 + 4 * u) + below;
}

double error_of(const JoinedFrequencies& frequencies, int pair, double /*w*/, Format format) {
  const auto [part, own] = frequencies.part_of(pair);
  return frequency_error(*part, own, format);
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
        const double unscaled = family.is_one(pair) ? 0 : error_of(family, pair, frequency, format);
        // Infinity times zero would be no number.
        return std::isinf(unscaled) ? unscaled : unscaled + of_scale + unscaled * of_scale;
      },
      frequencies.family());
}

}  // namespace vernier
