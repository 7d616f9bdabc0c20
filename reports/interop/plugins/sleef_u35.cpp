// SLEEF's vector functions whose error is bounded by 3.5 ulp (https://sleef.org/purec.xhtml).

#include <sleef.h>

#include "reports/interop/plugins/rope_plugin.hpp"
#include "reports/interop/plugins/sleef_version.hpp"

namespace interop {
namespace {

void in_float32(const float* phases, std::size_t count, float* cosines, float* sines) {
  for (std::size_t i = 0; i < count; i += 4) {
    const auto both = Sleef_sincosf4_u35(_mm_load_ps(phases + i));
    _mm_store_ps(sines + i, both.x);
    _mm_store_ps(cosines + i, both.y);
  }
}

void in_float64(const double* phases, std::size_t count, double* cosines, double* sines) {
  for (std::size_t i = 0; i < count; i += 2) {
    const auto both = Sleef_sincosd2_u35(_mm_load_pd(phases + i));
    _mm_store_pd(sines + i, both.x);
    _mm_store_pd(cosines + i, both.y);
  }
}

}  // namespace

const Trigonometry trigonometry = {"SLEEF, 3.5 ulp", sleef_version(), in_float32, in_float64};

}  // namespace interop
