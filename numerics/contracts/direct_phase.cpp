#include <cmath>

#include "numerics/contracts/contracts.hpp"

namespace vernier {
namespace {

/// Bounds r, the relative error of a frequency w = b^-e (e = i step) that is computed in one format with
/// roundoff u, by either of the two ways people use. Write x = ln(1/w) = e ln b.
///
/// exp/log: the constant ln(b)/d and its product with the index are rounded, so the exponent is off by |x|
/// (2u + u^2), which exp turns into a relative error e^(|x| (2u + u^2)) - 1; exp itself is good to 1 ulp, 2u
/// at most. 1/pow: the exponent is rounded, e^(|x| u) - 1; pow is good to 1 ulp, 2u; the quotient is rounded,
/// u. If b is no number of the format, its own rounding beta adds e beta. Together r <= (e^(|x| (2u + u^2) +
/// e beta) - 1) (1 + 4u) + 3u (1 + u). A frequency below the normal range is off by half the smallest
/// subnormal more. w = 1 is exact either way: e^0 = b^0 = 1.
double frequency_error(const GeometricFrequencies& frequencies, int pair, Format format) {
  if (pair == 0) {
    return 0;
  }
  const auto& t = traits(format);
  const double u = t.unit_roundoff();
  const double base = approximately(frequencies.base);
  const double beta =
      std::isfinite(round_to(format, base)) ? std::fabs(round_to(format, base) / base - 1) : 0;
  const double exponent = pair * approximately(frequencies.step);
  const double growth = std::expm1(frequencies.log_inverse(pair) * (2 * u + u * u) + exponent * beta);
  const double underflow = frequencies.approximate(pair) < t.smallest_normal() * (1 + 4 * u)
                               ? t.smallest() / frequencies.approximate(pair)
                               : 0;
  return growth * (1 + 4 * u) + 3 * u * (1 + u) + underflow;
}

/// Frequency, phase and trigonometry in one format. The phase is the product of the position and the
/// frequency, rounded: p w (1 + r)(1 + u). The product with w = 1 is exact.
BudgetModel direct(const TrigTable& table, Format compute, Format stored, double trig_roundoffs) {
  const double u = traits(compute).unit_roundoff();
  std::vector<double> phase_error;
  for (int pair = 0; pair < table.frequencies.pairs; ++pair) {
    const double r = frequency_error(table.frequencies, pair, compute);
    phase_error.push_back(pair == 0 ? 0 : r + u * (1 + r));
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

constexpr std::string_view formula =
    "A p w (r + u (1 + r)) as the component feels it, r = (2 ln(1/w) + 3) u and 0 for w = 1; 2 ulp or 2u for "
    "the trigonometry; "
    "half an ulp of the stored format if it is narrower. Slopes and biases, k the power of the slope: "
    "(1 + u)^(k + 4) - 1 of the value, and the same half ulp";

}  // namespace

Contract float64_contract() {
  // 4u: NumPy's float64 cosine is measured 3.1 ulp off near 1.
  return {"float64", "frequency, phase and trigonometry in float64, then stored in the tensor's format",
          formula,
          [](const TrigTable& table, Format stored) { return direct(table, Format::binary64, stored, 4); },
          powers<Format::binary64>};
}

Contract float32_contract() {
  return {"float32",
          "frequency, phase and trigonometry in float32, then stored in the tensor's format",
          formula,
          [](const TrigTable& table, Format stored) { return direct(table, Format::binary32, stored, 2); },
          powers<Format::binary32>,
          BucketTolerance::across_edge};
}

Contract float16_contract() {
  return {"float16", "position, frequency, phase and trigonometry in float16", formula,
          [](const TrigTable& table, Format stored) { return direct(table, Format::binary16, stored, 2); },
          powers<Format::binary16>};
}

Contract bfloat16_contract() {
  return {"bfloat16", "position, frequency, phase and trigonometry in bfloat16", formula,
          [](const TrigTable& table, Format stored) { return direct(table, Format::bfloat16, stored, 2); },
          powers<Format::bfloat16>};
}

}  // namespace vernier
