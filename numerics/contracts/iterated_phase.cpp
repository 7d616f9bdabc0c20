#include <cmath>

#include "numerics/contracts/contracts.hpp"
#include "numerics/frequency_error.hpp"
#include "numerics/recipe_frequencies.hpp"

namespace vernier {
namespace {

/// The phase carried from pair to pair: theta_0 = p, theta_{i+1} = RN(theta_i q), with q = pow(b, -step) in
/// float32.
///
/// q: the exponent is rounded, which pow turns into e^(ln(b) step u) - 1, more by the rounding beta of the
/// base; pow itself is good to 1 ulp, 2u. Call the sum sigma. After i steps the phase is off by (1 + sigma)^i
/// (1 + u)^i - 1, which is about (3i + ln(1/w_i)) u: it grows with the pair where the direct recipes' error
/// grows with ln(1/w_i) alone. A scaling divides the phase, which
/// division_error() bounds.
BudgetModel iterated(const TrigTable& table, Format stored) {
  const auto compute = Format::binary32;
  const double u = traits(compute).unit_roundoff();
  const RecipeFrequencies frequencies(table.frequencies, "the contract float32-iterated");
  const double base = frequencies.base();
  const double step = approximately(frequencies.step());
  const double beta = std::fabs(round_to(compute, base) / base - 1);
  const double sigma = std::expm1(step * (std::log(base) * u + beta)) * (1 + 4 * u) + 2 * u;
  std::vector<double> phase_error;
  for (int pair = 0; pair < table.frequencies.pairs(); ++pair) {
    const double carried = std::expm1(pair * (std::log1p(sigma) + std::log1p(u)));
    const auto* scaled = table.frequencies.scaled();
    const double division = scaled == nullptr ? 0 : division_error(*scaled, pair, compute);
    phase_error.push_back(carried + division + carried * division);
  }
  const bool narrower = traits(stored).precision < traits(compute).precision;
  return {{phase_error, compute, stored, 2, 2, narrower ? 0.5 : 0.0}, table.frequencies, table.amplitude};
}

}  // namespace

Contract float32_iterated_contract() {
  return {"float32-iterated", "the phase by repeated multiplication in float32 from pair to pair (ggml)",
          "as float32, with the relative error of the phase (3i + ln(1/w)) u for pair i", iterated};
}

}  // namespace vernier
