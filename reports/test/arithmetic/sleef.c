// SLEEF's functions over arrays, as PyTorch calls them: whole vectors in the order of memory. Lengths are multiples of 16; what a
// power has beyond its last whole vector is padded by ones.
#include <immintrin.h>
#include <sleef.h>
#include <stddef.h>

#define SINES(name, instructions, type, lanes, load, store)                                    \
  __attribute__((target(instructions))) void name##_each(const type* x, type* out, size_t n) { \
    for (size_t i = 0; i < n; i += lanes) store(out + i, Sleef_##name(load(x + i)));           \
  }
SINES(sinf8_u10avx2, "avx2,fma", float, 8, _mm256_loadu_ps, _mm256_storeu_ps)
SINES(cosf8_u10avx2, "avx2,fma", float, 8, _mm256_loadu_ps, _mm256_storeu_ps)
SINES(sind4_u10avx2, "avx2,fma", double, 4, _mm256_loadu_pd, _mm256_storeu_pd)
SINES(cosd4_u10avx2, "avx2,fma", double, 4, _mm256_loadu_pd, _mm256_storeu_pd)
#ifdef __AVX512F__
#define AVX512_SINES(name, type, lanes, load, store) SINES(name, "avx512f", type, lanes, load, store)
AVX512_SINES(sinf16_u10avx512f, float, 16, _mm512_loadu_ps, _mm512_storeu_ps)
AVX512_SINES(cosf16_u10avx512f, float, 16, _mm512_loadu_ps, _mm512_storeu_ps)
AVX512_SINES(sind8_u10avx512f, double, 8, _mm512_loadu_pd, _mm512_storeu_pd)
AVX512_SINES(cosd8_u10avx512f, double, 8, _mm512_loadu_pd, _mm512_storeu_pd)
#endif

__attribute__((target("avx2,fma"))) void powf_each(const float* x, const float* y, float* out, size_t n) {
  for (size_t i = 0; i < n; i += 8) {
    float a[8] = {1, 1, 1, 1, 1, 1, 1, 1}, b[8] = {1, 1, 1, 1, 1, 1, 1, 1};
    for (size_t lane = 0; lane < 8 && i + lane < n; ++lane) a[lane] = x[i + lane], b[lane] = y[i + lane];
    _mm256_storeu_ps(a, Sleef_powf8_u10avx2(_mm256_loadu_ps(a), _mm256_loadu_ps(b)));
    for (size_t lane = 0; lane < 8 && i + lane < n; ++lane) out[i + lane] = a[lane];
  }
}
__attribute__((target("avx2,fma"))) void pow_each(const double* x, const double* y, double* out, size_t n) {
  for (size_t i = 0; i < n; i += 4) {
    double a[4] = {1, 1, 1, 1}, b[4] = {1, 1, 1, 1};
    for (size_t lane = 0; lane < 4 && i + lane < n; ++lane) a[lane] = x[i + lane], b[lane] = y[i + lane];
    _mm256_storeu_pd(a, Sleef_powd4_u10avx2(_mm256_loadu_pd(a), _mm256_loadu_pd(b)));
    for (size_t lane = 0; lane < 4 && i + lane < n; ++lane) out[i + lane] = a[lane];
  }
}
