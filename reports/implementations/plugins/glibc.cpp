// The C library's functions of one number: glibc's are good to about 1 ulp in float32 and float64.

#include <cmath>

#include <gnu/libc-version.h>

#include "reports/implementations/plugins/rope_plugin.hpp"

namespace interop {
namespace {

template <typename Real>
void compute(const Real* phases, std::size_t count, Real* cosines, Real* sines) {
  for (std::size_t i = 0; i < count; ++i) {
    cosines[i] = std::cos(phases[i]);
    sines[i] = std::sin(phases[i]);
  }
}

}  // namespace

const Trigonometry trigonometry = {"glibc", gnu_get_libc_version(), compute<float>, compute<double>};

}  // namespace interop
