#include <cmath>
#include <limits>
#include <variant>

#include "numerics/contracts/contracts.hpp"

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
/// exp/log: the constant ln(b)/d and its product with the index are rounded, so the exponent is off by |x|
/// (2u + u^2), which exp turns into a relative error e^(|x| (2u + u^2)) - 1; exp itself is good to 1 ulp, 2u
/// at most. 1/pow: the exponent is rounded, e^(|x| u) - 1; pow is good to 1 ulp, 2u; the quotient is rounded,
/// u. If b is no number of the format, its own rounding beta adds |e| beta. Together r <= (e^(|x| (2u + u^2)
/// + |e| beta) - 1) (1 + 4u) + 3u (1 + u). A frequency below the normal range is off by half the smallest
/// subnormal more. w = 1 is exact either way: e^0 = b^0 = 1.
double error_of(const GeometricFrequencies& frequencies, int pair, Format format) {
  const auto& t = traits(format);
  const double u = t.unit_roundoff();
  const double base = approximately(frequencies.base);
  const double beta =
      std::isfinite(round_to(format, base)) ? std::fabs(round_to(format, base) / base - 1) : 0;
  const double exponent = std::fabs(approximately(frequencies.exponent(pair)));
  const double growth = std::expm1(frequencies.log_magnitude(pair) * (2 * u + u * u) + exponent * beta);
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

/// Any, by its family: nothing for w = 1, which every way gives exactly, and no bound at all for a frequency
/// that overflows the format.
double frequency_error(const Frequencies& frequencies, int pair, Format format) {
  if (frequencies.is_one(pair)) {
    return 0;
  }
  if (std::isinf(round_to(format, frequencies.approximate(pair)))) {
    return std::numeric_limits<double>::infinity();
  }
  return std::visit([&](const auto& family) { return error_of(family, pair, format); }, frequencies.family());
}

/// Frequency, phase and trigonometry in one format. The phase is the product of the position and the
/// frequency, rounded: p w (1 + r)(1 + u). The product with w = 1 is exact.
BudgetModel direct(const TrigTable& table, Format compute, Format stored, double trig_roundoffs) {
  const double u = traits(compute).unit_roundoff();
  std::vector<double> phase_error;
  for (int pair = 0; pair < table.frequencies.pairs(); ++pair) {
    const double r = frequency_error(table.frequencies, pair, compute);
    phase_error.push_back(table.frequencies.is_one(pair) ? 0 : r + u * (1 + r));
  }
  const bool narrower = traits(stored).precision < traits(compute).precision;
  return {{phase_error, compute, stored, 2, trig_roundoffs, narrower ? 0.5 : 0.0},
          table.frequencies,
          table.amplitude};
}

template <Format compute>
BiasBudget powers(const Slope& slope, Format stored) {
  return power_budget(slope, compute, stored);
}

template <Format compute>
BiasBudget values(const ValueTable& table, Format stored) {
  return value_budget(table, compute, stored);
}

constexpr std::string_view formula =
    "A p w (r + u (1 + r)) as the component feels it, r = (2 |ln w| + 3) u and 0 for w = 1; 2 ulp or 2u for "
    "the trigonometry; "
    "half an ulp of the stored format if it is narrower. Slopes and biases, k the power of the slope: "
    "(1 + u)^(k + 4) - 1 of the value, and the same half ulp. Values: what is read, rounded; quotients, four "
    "roundings, and one more where a sine is multiplied";

}  // namespace

Contract float64_contract() {
  // 4u: NumPy's float64 cosine is measured 3.1 ulp off near 1.
  return {"float64",
          "frequency, phase and trigonometry in float64, then stored in the tensor's format",
          formula,
          [](const TrigTable& table, Format stored) { return direct(table, Format::binary64, stored, 4); },
          powers<Format::binary64>,
          BucketTolerance::undefined,
          values<Format::binary64>};
}

Contract float32_contract() {
  return {"float32",
          "frequency, phase and trigonometry in float32, then stored in the tensor's format",
          formula,
          [](const TrigTable& table, Format stored) { return direct(table, Format::binary32, stored, 2); },
          powers<Format::binary32>,
          BucketTolerance::across_edge,
          values<Format::binary32>};
}

Contract float16_contract() {
  return {"float16",
          "position, frequency, phase and trigonometry in float16",
          formula,
          [](const TrigTable& table, Format stored) { return direct(table, Format::binary16, stored, 2); },
          powers<Format::binary16>,
          BucketTolerance::undefined,
          values<Format::binary16>};
}

Contract bfloat16_contract() {
  return {"bfloat16",
          "position, frequency, phase and trigonometry in bfloat16",
          formula,
          [](const TrigTable& table, Format stored) { return direct(table, Format::bfloat16, stored, 2); },
          powers<Format::bfloat16>,
          BucketTolerance::undefined,
          values<Format::bfloat16>};
}

}  // namespace vernier
