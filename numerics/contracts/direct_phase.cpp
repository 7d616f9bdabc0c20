#include "numerics/contracts/contracts.hpp"
#include "numerics/frequency_error.hpp"

namespace vernier {
namespace {

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
