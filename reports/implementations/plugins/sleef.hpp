#pragma once

#include <sleef.h>

#include "reports/implementations/plugins/rope_plugin.hpp"

// SLEEF's vector functions of four floats and two doubles (https://sleef.org/purec.xhtml), which come in
// versions whose errors are bounded by so many ulp.

namespace interop {

/// "3.5.1"
inline const char* sleef_version() {
  static constexpr char version[] = {'0' + SLEEF_VERSION_MAJOR,      '.', '0' + SLEEF_VERSION_MINOR, '.',
                                     '0' + SLEEF_VERSION_PATCHLEVEL, '\0'};
  static_assert(SLEEF_VERSION_MAJOR < 10 && SLEEF_VERSION_MINOR < 10 && SLEEF_VERSION_PATCHLEVEL < 10);
  return version;
}

template <auto sines_and_cosines>
void in_float32(const float* phases, std::size_t count, float* cosines, float* sines) {
  for (std::size_t i = 0; i < count; i += 4) {
    const auto both = sines_and_cosines(_mm_load_ps(phases + i));
    _mm_store_ps(sines + i, both.x);
    _mm_store_ps(cosines + i, both.y);
  }
}

template <auto sines_and_cosines>
void in_float64(const double* phases, std::size_t count, double* cosines, double* sines) {
  for (std::size_t i = 0; i < count; i += 2) {
    const auto both = sines_and_cosines(_mm_load_pd(phases + i));
    _mm_store_pd(sines + i, both.x);
    _mm_store_pd(cosines + i, both.y);
  }
}

}  // namespace interop
