#include <cmath>

#include "numerics/contracts/contracts.hpp"
#include "numerics/errors/frequency_error.hpp"
#include "numerics/recipes/recipe_frequencies.hpp"

namespace vernier {
namespace {

constexpr auto computed_format = Format::binary32;

/// The relative error sigma of the ratio q = pow(b, -step) in float32: the exponent is rounded, which pow
/// turns into e^(ln(b) step u) - 1, more by the rounding beta of the base; pow itself is good to 1 ulp, 2u.
double ratio_error(const RecipeFrequencies& frequencies, double u) {
  const double base = frequencies.base();
  const double step = approximately(frequencies.step());
  const double beta = std::fabs(round_to(computed_format, base) / base - 1);
  return std::expm1(step * (std::log(base) * u + beta)) * (1 + 4 * u) + 2 * u;
}

/// The contract of a phase that comes of the ratio of neighbouring frequencies. \param frequency_error of an
/// unscaled pair's frequency \param roundings of its phase
template <class FrequencyError, class Roundings>
BudgetModel from_ratio(const TrigTable& table, Format stored, FrequencyError frequency_error,
                       Roundings roundings) {
  const double u = traits(computed_format).unit_roundoff();
  BudgetModel::Parameters parameters{{}, {}, computed_format, stored, 2, 2, 0};
  for (int pair = 0; pair < table.frequencies.pairs(); ++pair) {
    const auto* scaled = table.frequencies.scaled();
    const double division = scaled == nullptr ? 0 : division_error(*scaled, pair, computed_format);
    const int count = roundings(pair) + (scaled == nullptr ? 0 : scaling_roundings(*scaled, pair));
    parameters.frequency_error.push_back(std::expm1(frequency_error(pair) + std::log1p(division)));
    parameters.phase_rounding.push_back(std::expm1(count * std::log1p(u)));
  }
  parameters.storage_ulps = traits(stored).precision < traits(computed_format).precision ? 0.5 : 0.0;
  return {std::move(parameters), table};
}

/// theta_0 = p, theta_{i+1} = RN(theta_i q). After i steps the frequency is off by (1 + sigma)^i - 1 and each
/// phase by (1 + u)^i - 1, together about (3i + ln(1/w_i)) u: it grows with the pair where the direct
/// recipes' error grows with ln(1/w_i) alone.
BudgetModel iterated(const TrigTable& table, Format stored) {
  const double u = traits(computed_format).unit_roundoff();
  const RecipeFrequencies frequencies(table.frequencies, "the contract float32-iterated");
  const double step_error = std::log1p(ratio_error(frequencies, u));
  return from_ratio(
      table, stored, [=](int pair) { return pair * step_error; }, [](int pair) { return pair; });
}

/// theta_i = RN(p pow(q, i)): the power makes i sigma of the ratio's error, is good to 1 ulp, 2u, and the
/// phase is rounded once.
BudgetModel power_of_ratio(const TrigTable& table, Format stored) {
  const double u = traits(computed_format).unit_roundoff();
  const RecipeFrequencies frequencies(table.frequencies, "the contract float32-ratio-power");
  const double step_error = std::log1p(ratio_error(frequencies, u));
  const auto log_error = [=](int pair) { return pair == 0 ? 0 : pair * step_error + std::log1p(2 * u); };
  return from_ratio(table, stored, log_error, [](int pair) { return pair == 0 ? 0 : 1; });
}

}  // namespace

Contract float32_iterated_contract() {
  return {"float32-iterated", "the phase by repeated multiplication in float32 from pair to pair (ggml)",
          "as float32, with the relative error of the phase (3i + ln(1/w)) u for pair i", iterated};
}

Contract float32_ratio_power_contract() {
  return {
      "float32-ratio-power",
      "the frequency as a power of the float32 ratio of neighbouring ones, pow(theta_scale, i) (ggml's GPU "
      "back ends)",
      "as float32, with the relative error of the frequency (2i + ln(1/w) + 2) u for pair i", power_of_ratio};
}

}  // namespace vernier
