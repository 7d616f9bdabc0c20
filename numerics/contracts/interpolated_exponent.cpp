#include <cmath>

#include "numerics/contracts/contracts.hpp"
#include "numerics/errors/frequency_error.hpp"
#include "numerics/recipes/recipe_frequencies.hpp"

namespace vernier {
namespace {

/// w = exp((1 - t) L - L) with L = ln(1 / w_last) and t = k / (n - 1), in float32: exponents interpolated
/// between the logarithms of the greatest and the least frequency, before any scaling, which may make the
/// least one zero.
///
/// Each logarithm is rounded, by lambda = ulp(L) / L at most; t and 1 - t by u each, the product by u more,
/// the sum by u of itself. The exponent's terms are as large as L, however small it is itself: it is off by L
/// (t u + (1 - t) (2u + lambda) + lambda) + |ln w| u, which exp turns into a relative error; exp itself is
/// good to 1 ulp, 2u. Greatest for the fast pairs, where other recipes are exact.
BudgetModel interpolated(const TrigTable& table, Format stored) {
  constexpr auto compute = Format::binary32;
  const double u = traits(compute).unit_roundoff();
  const RecipeFrequencies frequencies(table.frequencies, "the contract float32-interpolated");
  const auto& exact = table.frequencies;
  const double step = std::log(frequencies.base()) * approximately(frequencies.step());
  const double length = std::fabs(step) * (exact.pairs() - 1);
  const double lambda = length == 0 ? 0 : ulp_at(compute, length) / length;
  BudgetModel::Parameters parameters{{}, {}, compute, stored, 2, 2, 0};
  for (int pair = 0; pair < exact.pairs(); ++pair) {
    const double magnitude = std::fabs(step) * pair;
    const double t = length == 0 ? 0 : magnitude / length;
    const double exponent_error =
        length * (t * u + (1 - t) * (2 * u + lambda) + lambda) * (1 + 4 * u) + magnitude * u;
    const double unscaled = std::expm1(exponent_error) * (1 + 4 * u) + 2 * u;
    const auto* scaled = exact.scaled();
    const double r = exact.is_one(pair)  ? 0
                     : scaled == nullptr ? unscaled
                                         : scaling_error(*scaled, pair, compute, unscaled);
    parameters.frequency_error.push_back(r);
    parameters.phase_rounding.push_back(exact.is_one(pair) ? 0 : u);
  }
  parameters.storage_ulps = traits(stored).precision < traits(compute).precision ? 0.5 : 0.0;
  return {std::move(parameters), table};
}

}  // namespace

Contract float32_interpolated_contract() {
  return {
      "float32-interpolated",
      "the frequency as exp of an exponent interpolated in float32 between two logarithms (MLX's sinusoids)",
      "as float32, with the relative error of the frequency (8 ln(1/w_last) + 2) u at most, w_last the least",
      interpolated};
}

}  // namespace vernier
