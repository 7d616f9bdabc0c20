// glibc's vector functions, good to 4 ulp (glibc's manual, "Errors in Math Functions"), by their names in the
// vector ABI of x86-64, which every processor of it has: compilers call them only under -ffast-math.

#include <emmintrin.h>
#include <gnu/libc-version.h>

#include "reports/implementations/plugins/rope_plugin.hpp"

// The names are the vector function ABI's.
// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming)
extern "C" {
__m128 _ZGVbN4v_cosf(__m128);
__m128 _ZGVbN4v_sinf(__m128);
__m128d _ZGVbN2v_cos(__m128d);
__m128d _ZGVbN2v_sin(__m128d);
}
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)

namespace interop {
namespace {

void in_float32(const float* phases, std::size_t count, float* cosines, float* sines) {
  for (std::size_t i = 0; i < count; i += 4) {
    const __m128 phase = _mm_load_ps(phases + i);
    _mm_store_ps(cosines + i, _ZGVbN4v_cosf(phase));
    _mm_store_ps(sines + i, _ZGVbN4v_sinf(phase));
  }
}

void in_float64(const double* phases, std::size_t count, double* cosines, double* sines) {
  for (std::size_t i = 0; i < count; i += 2) {
    const __m128d phase = _mm_load_pd(phases + i);
    _mm_store_pd(cosines + i, _ZGVbN2v_cos(phase));
    _mm_store_pd(sines + i, _ZGVbN2v_sin(phase));
  }
}

}  // namespace

const Trigonometry trigonometry = {"glibc libmvec", gnu_get_libc_version(), in_float32, in_float64};

}  // namespace interop
