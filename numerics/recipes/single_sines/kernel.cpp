// Compiled once for each instruction set, like reference/ladder/kernel.cpp and under the same rules: internal
// linkage and builtins only.
//
// The C library (glibc since 2.28) takes sinf and cosf in binary64: it writes x = k pi/2 + r with the integer
// k nearest to x 2/pi, evaluates a polynomial in r, and rounds once. Here the same polynomials are evaluated
// in another order, and fused where the processor can. So the two binary64 numbers differ slightly, and what
// they round to is the same unless a number midway between two floats lies near. Where one may lie between,
// the phase is doubtful.
//
// How much they differ:
// * Either evaluation rounds fewer than 10 times, each of a number that is no more than the result by much:
//   2^-49 of the result.
// * Below 120, k < 77 and the library's r is x - k h. h, the double next to pi/2, is off by 2^-53.8, and the
//   product is rounded to 2^-47, or not at all. From there on, r is a fixed-point number that is off by less
//   than 2^-60, rounded to binary64. Here r is x - k (a + b + c): a and b have so few bits that their
//   products with k < 2^31 are exact, as are the first two differences, and a + b + c is off by 2^-97. So the
//   two r, and sines and cosines of them, differ by less than 2^-46; and by nothing if k = 0.
// A unit is 2^-52 of the power of two below a result. 2^17 units are at least 2^-35 of the result, which
// settles the first and k = 0; and at least 2^-45 of results from 2^-10 on, which settles the second. Other
// sines are doubtful; cosines of |r| <= pi/4 are none.
//
// k is the library's: x 2/pi is off by less than 2^-21 here, and by less than 2^-45 in the library. Where the
// k differ, one of them is not the nearest, or the two nearest are within that of each other: here |r| is
// then above pi/4 - 2^-44, and doubtful.
//
// Below 2^-12 the library returns x and 1. So do the polynomials: x^3/6 and x^2/2 are then less than half a
// step of float.

#include "numerics/recipes/single_sines/kernel.hpp"

namespace vernier {

SingleSinesKernels VERNIER_SINGLE_SINES_KERNELS();

namespace {

constexpr double quarter_turns = 0x1.45f306dc9c883p-1;  // 2/pi
/// pi/2 in three parts, the first two of 21 bits.
constexpr double half_pi_high = 0x1.921fbp+0;
constexpr double half_pi_middle = 0x1.5110bp-22;
constexpr double half_pi_low = 0x1.18469898cc517p-44;
/// The library's polynomials: of a sine r + r^3 (..), of a cosine 1 + r^2 (..).
constexpr double sine_3 = -0x1.555545995a603p-3;
constexpr double sine_5 = 0x1.1107605230bc4p-7;
constexpr double sine_7 = -0x1.994eb3774cf24p-13;
constexpr double cosine_2 = -0x1.ffffffd0c621cp-2;
constexpr double cosine_4 = 0x1.55553e1068f19p-5;
constexpr double cosine_6 = -0x1.6c087e89a359dp-10;
constexpr double cosine_8 = 0x1.99343027bf8c3p-16;

/// Where phases are not doubtful.
constexpr double least_phase = 0x1p-100;
constexpr double phase_limit = 0x1p31;
constexpr double most_reduced = 0.785398163397;  // below pi/4 by 2^-41
constexpr double least_reduced = 0x1.1p-10;      // its sine is above 2^-10

/// What is added to a small number to have it rounded to an integer, which the last bits then are.
constexpr double integers = 0x1.8p52;

using Bits = std::uint64_t;

[[gnu::always_inline]] inline Bits bits_of(double value) {
  return __builtin_bit_cast(Bits, value);
}

[[gnu::always_inline]] inline double multiply_add(double a, double b, double c) {
#ifdef __FMA__
  return __builtin_fma(a, b, c);
#else
  return a * b + c;
#endif
}

constexpr Bits sign_bit = Bits{1} << 63;
constexpr Bits half_step = Bits{1} << 28;     // of float, in units
constexpr Bits fraction = 2 * half_step - 1;  // the bits that float does not have
constexpr Bits near = Bits{1} << 17;          // see above
constexpr Bits far_bits = fraction & ~(2 * near - 1);

/// Has the sign bit set if the number lies within `near` units of midway between two floats.
/// \param raised the bits of a number and half a step
[[gnu::always_inline]] inline Bits is_near_midway(Bits raised) {
  return ((raised + near) & far_bits) - 1;
}

std::size_t sines_cosines(const double* phases, std::size_t count, double* sines, double* cosines,
                          std::int64_t* doubtful) {
  const double* __restrict__ phase = phases;
  double* __restrict__ sine = sines;
  double* __restrict__ cosine = cosines;
  std::int64_t* __restrict__ doubt = doubtful;
  std::int64_t sum = 0;
#pragma GCC ivdep
  for (std::size_t i = 0; i < count; ++i) {
    const double x = phase[i];
    const double shifted = multiply_add(x, quarter_turns, integers);
    const double turns = shifted - integers;
    const double r = multiply_add(
        -turns, half_pi_low, multiply_add(-turns, half_pi_middle, multiply_add(-turns, half_pi_high, x)));
    const double square = r * r;
    const double s =
        multiply_add(r * square, multiply_add(square, multiply_add(square, sine_7, sine_5), sine_3), r);
    const double c = multiply_add(
        square,
        multiply_add(square, multiply_add(square, multiply_add(square, cosine_8, cosine_6), cosine_4),
                     cosine_2),
        1.0);
    // Rounded to float by their bits.
    const Bits s_raised = bits_of(s) + half_step;
    const Bits c_raised = bits_of(c) + half_step;
    const Bits s_rounded = s_raised & ~fraction;
    const Bits c_rounded = c_raised & ~fraction;
    // sin(r + k pi/2) is sin r, cos r, -sin r, -cos r for k = 0, 1, 2, 3; cos is what sin is for k + 1.
    const Bits k = bits_of(shifted) - bits_of(integers);
    const Bits exchanged = (s_rounded ^ c_rounded) & (0 - (k & 1));
    sine[i] = __builtin_bit_cast(double, (s_rounded ^ exchanged) ^ ((k & 2) << 62));
    cosine[i] = __builtin_bit_cast(double, (c_rounded ^ exchanged) ^ (((k + 1) & 2) << 62));
    // Of positive numbers the order is that of their bits, and a difference has the sign bit if it is
    // negative: comparisons that every instruction set has.
    const Bits x_bits = bits_of(x);
    const Bits r_bits = bits_of(r) & ~sign_bit;
    const Bits beyond = x_bits | (bits_of(phase_limit) - 1 - x_bits) | (x_bits - bits_of(least_phase));
    const Bits unsure_turns = bits_of(most_reduced) - r_bits;
    const Bits small_sine = (r_bits - bits_of(least_reduced)) & (0 - k);  // 0 - k is negative if k > 0
    doubt[i] = static_cast<std::int64_t>(
        (is_near_midway(s_raised) | is_near_midway(c_raised) | beyond | unsure_turns | small_sine) >> 63);
    sum += doubt[i];
  }
  return static_cast<std::size_t>(sum);
}

}  // namespace

SingleSinesKernels VERNIER_SINGLE_SINES_KERNELS() {
  return {VERNIER_ISA, sines_cosines};
}

}  // namespace vernier
