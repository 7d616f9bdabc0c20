// Broken on purpose, for the tests: the phase is reduced by 2 pi rounded to its own type, as shipped
// kernels have done. Good near zero, off by a growing share of the phase's own rounding further out.

#include <cmath>
#include <numbers>

#include "reports/implementations/plugins/rope_plugin.hpp"

namespace interop {
namespace {

template <typename Real>
void compute(const Real* phases, std::size_t count, Real* cosines, Real* sines) {
  constexpr Real turn = 2 * std::numbers::pi_v<Real>;
  for (std::size_t i = 0; i < count; ++i) {
    const Real reduced = phases[i] - std::round(phases[i] / turn) * turn;
    cosines[i] = std::cos(reduced);
    sines[i] = std::sin(reduced);
  }
}

}  // namespace

const Trigonometry trigonometry = {"broken on purpose", "1", compute<float>, compute<double>};

}  // namespace interop
