// The C library's functions and rotations over arrays, for drawn_arithmetics.py, compiled in many ways: what is fused is the
// compiler's choice where a rotation has no explicit fma.
#include <math.h>
#include <stddef.h>

#define UNARY(name, type)                                    \
  void name##_each(const type* x, type* out, size_t count) { \
    for (size_t i = 0; i < count; ++i) out[i] = name(x[i]);  \
  }
UNARY(sinf, float)
UNARY(cosf, float)
UNARY(expf, float)
UNARY(exp2f, float)
UNARY(logf, float)
UNARY(log2f, float)
UNARY(sin, double)
UNARY(cos, double)
UNARY(exp, double)
UNARY(exp2, double)
UNARY(log, double)
UNARY(log2, double)

void powf_each(const float* x, const float* y, float* out, size_t count) {
  for (size_t i = 0; i < count; ++i) out[i] = powf(x[i], y[i]);
}
void pow_each(const double* x, const double* y, double* out, size_t count) {
  for (size_t i = 0; i < count; ++i) out[i] = pow(x[i], y[i]);
}

#define ROTATIONS(type, suffix, fused)                                                                              \
  void rotate_##suffix(const type* x0, const type* x1, const type* c, const type* s, type* y0, type* y1, size_t n) { \
    for (size_t i = 0; i < n; ++i) {                                                                                \
      y0[i] = x0[i] * c[i] - x1[i] * s[i];                                                                          \
      y1[i] = x1[i] * c[i] + x0[i] * s[i];                                                                          \
    }                                                                                                               \
  }                                                                                                                 \
  void fused_##suffix(const type* a, const type* b, const type* plus, type* out, size_t n) {                        \
    for (size_t i = 0; i < n; ++i) out[i] = fused(a[i], b[i], plus[i]);                                             \
  }
ROTATIONS(float, f32, fmaf)
ROTATIONS(double, f64, fma)
