#include <cmath>
#include <variant>

#include "numerics/contracts/contracts.hpp"
#include "numerics/errors/frequency_error.hpp"

namespace vernier {
namespace {

/// How often each phase is rounded. The product of position and frequency is, but with w = 1 it is exact.
/// Where not the frequency but the position or the phase is scaled, that is rounded as well: by what a
/// scaling makes of it, or by a factor of all frequencies that is no power of two: frequency_scale, or the pi
/// of bounds that are multiples of it.
int roundings_of_phase(const Frequencies& frequencies, int pair, Format compute) {
  const auto& family = frequencies.family();
  const auto* bounded = std::get_if<BoundedFrequencies>(&family);
  const bool has_pi = bounded != nullptr && bounded->first.power_of_pi != 0;
  const int of_factor = !has_pi && product_error(frequencies.scale(), compute) == 0 ? 0 : 1;
  if (const auto* joined = std::get_if<JoinedFrequencies>(&family)) {
    const auto [part, own] = joined->part_of(pair);
    return of_factor + roundings_of_phase(*part, own, compute);
  }
  const bool is_one = std::visit([&](const auto& one) { return one.is_one(pair); }, family);
  const auto* scaled = std::get_if<ScaledFrequencies>(&family);
  return (is_one ? 0 : 1) + of_factor + (scaled == nullptr ? 0 : scaling_roundings(*scaled, pair));
}

double phase_rounding(const Frequencies& frequencies, int pair, Format compute) {
  return std::expm1(roundings_of_phase(frequencies, pair, compute) *
                    std::log1p(traits(compute).unit_roundoff()));
}

/// What the trigonometry may be off by: see BudgetModel.
struct Trigonometry {
  double ulps;
  double roundoffs;
};

/// What C libraries and the float32 functions of vector libraries keep; 16-bit functions round a float32 one.
constexpr Trigonometry two_ulps{2, 2};
/// Vector libraries promise 4 ulp in float64, and NumPy's cosine is measured 3.1 ulp off near 1.
constexpr Trigonometry four_ulps{4, 4};

/// Frequency, phase and trigonometry in one format.
BudgetModel direct(const TrigTable& table, Format compute, Format stored, Trigonometry trigonometry) {
  BudgetModel::Parameters parameters{{}, {}, compute, stored, trigonometry.ulps, trigonometry.roundoffs, 0};
  for (int pair = 0; pair < table.frequencies.pairs(); ++pair) {
    parameters.frequency_error.push_back(frequency_error(table.frequencies, pair, compute));
    parameters.phase_rounding.push_back(phase_rounding(table.frequencies, pair, compute));
  }
  parameters.storage_ulps = traits(stored).precision < traits(compute).precision ? 0.5 : 0.0;
  return {std::move(parameters), table};
}

template <Format compute>
BiasBudget powers(const Slope& slope, Format stored) {
  return power_budget(slope, compute, stored);
}

template <Format compute>
BiasBudget values(const ExactTable& table, Format stored) {
  return value_budget(table, compute, stored);
}

template <Format compute>
BiasBudget computed(const ComputedReal& number, Format stored) {
  return computed_budget(number, compute, stored);
}

constexpr std::string_view phase_formula =
    "A p w (r + u (1 + r)) as it shows in the component: the frequency is off by r = (4 |ln w| + 3) u at "
    "most, "
    "by one number a pair, 0 for w = 1, and each phase is rounded by u, or by 2u where it may be scaled, 4u "
    "where YaRN blends; for the trigonometry t ulp, or t u "
    "where the argument is reduced, t = 2, and 4 in float64; half an ulp of the stored format if it is "
    "narrower. Slopes and biases, k the power of the slope and m the significand of its base, from 1 to 2: "
    "(1 + 2u/m)^k (1 + u)^3/(1 - 2u) - 1 of the value, without the first factor where k is 1, nothing where "
    "the base is a power of 1/2, and the same half ulp. Values: what is read, rounded; quotients, four "
    "roundings, and one more where a sine is multiplied; numbers of a formula of their own, its roundings";

}  // namespace

Contract float64_contract() {
  return {"float64",
          "frequency, phase and trigonometry in float64, then stored in the tensor's format",
          phase_formula,
          [](const TrigTable& table, Format stored) {
            return direct(table, Format::binary64, stored, four_ulps);
          },
          powers<Format::binary64>,
          BucketTolerance::undefined,
          values<Format::binary64>,
          computed<Format::binary64>};
}

Contract float32_contract() {
  return {
      "float32",
      "frequency, phase and trigonometry in float32, then stored in the tensor's format",
      phase_formula,
      [](const TrigTable& table, Format stored) { return direct(table, Format::binary32, stored, two_ulps); },
      powers<Format::binary32>,
      BucketTolerance::across_edge,
      values<Format::binary32>,
      computed<Format::binary32>};
}

Contract float16_contract() {
  return {
      "float16",
      "position, frequency, phase and trigonometry in float16",
      phase_formula,
      [](const TrigTable& table, Format stored) { return direct(table, Format::binary16, stored, two_ulps); },
      powers<Format::binary16>,
      BucketTolerance::undefined,
      values<Format::binary16>,
      computed<Format::binary16>};
}

Contract bfloat16_contract() {
  return {
      "bfloat16",
      "position, frequency, phase and trigonometry in bfloat16",
      phase_formula,
      [](const TrigTable& table, Format stored) { return direct(table, Format::bfloat16, stored, two_ulps); },
      powers<Format::bfloat16>,
      BucketTolerance::undefined,
      values<Format::bfloat16>,
      computed<Format::bfloat16>};
}

}  // namespace vernier
