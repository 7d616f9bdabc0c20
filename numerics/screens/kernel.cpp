// Compiled once for each instruction set, like reference/ladder/kernel.cpp and under the same rules: internal
// linkage and builtins only.

#include "numerics/screens/kernel.hpp"

namespace vernier {

ScreenKernels VERNIER_SCREEN_KERNELS();

namespace {

constexpr double infinity = __builtin_inf();

/// Beyond all roundings here and in the closer look at phases, which are of numbers below 4: of the unit
/// vectors 2^-49.
constexpr double deviation_margin = 0x1p-44;
/// Below a quarter turn.
constexpr double most_reach = 1.57;

void trigonometry(const TrigonometryRow& row, std::size_t count, double* errors, double* magnitudes) {
  const double p = row.position;
  const double amplitude = row.amplitude;
  const double unsure = row.unsure;
  const double* __restrict__ ac = row.block.cosines;
  const double* __restrict__ as = row.block.sines;
  const double* __restrict__ bc = row.within_block.cosines;
  const double* __restrict__ bs = row.within_block.sines;
  const double* __restrict__ frequencies = row.frequencies;
  const double* __restrict__ phases = row.phases;
  const double* __restrict__ most_turns = row.most_turns;
  const double* __restrict__ numbers = row.numbers;
  double* __restrict__ errors_out = errors;
  double* __restrict__ magnitudes_out = magnitudes;
#pragma GCC ivdep
  for (std::size_t i = 0; i < count; ++i) {
    const double angle = phases[i] - p * frequencies[i];
    const double c = ac[i] * bc[i] - as[i] * bs[i];
    const double s = as[i] * bc[i] + ac[i] * bs[i];
    // Turning by the angle takes c to c + c v - s t, t its sine and v its cosine less 1, by their series: the
    // next terms are d^7 / 5040 and d^8 / 40320, so that t is within 2^-42 of itself and v within 2^-39.
    const double square = angle * angle;
    const double t = angle * (1 - square * (1.0 / 6) * (1 - square * (1.0 / 20)));
    const double v = square * -0.5 * (1 - square * (1.0 / 12) * (1 - square * (1.0 / 30)));
    const double value = amplitude * (c + (c * v - s * t));
    const double error = __builtin_fabs(numbers[i] - value) + unsure;
    // Added, not chosen: a choice keeps the compiler from using vectors.
    errors_out[i] = error + (__builtin_fabs(angle) <= most_turns[i] ? 0.0 : infinity);
    magnitudes_out[i] = __builtin_fabs(value) - unsure;
  }
}

std::size_t within(const double* errors, const double* shares, double limit, std::size_t count,
                   std::int64_t* settled) {
  const double* __restrict__ off = errors;
  const double* __restrict__ share = shares;
  std::int64_t* __restrict__ out = settled;
  std::int64_t sum = 0;
#pragma GCC ivdep
  for (std::size_t i = 0; i < count; ++i) {
    out[i] = off[i] <= share[i] * limit ? 1 : 0;
    sum += out[i];
  }
  return static_cast<std::size_t>(sum);
}

/// Below the sine of t in (-pi/2, pi/2); and by less than that below anything beyond.
[[gnu::always_inline]] inline double below_sine(double t) {
  const double up = t < 0 ? 0.0 : t;
  return t - up * up * up * (1.0 / 6);
}

std::size_t deviation(const DeviationRow& row, std::size_t count, std::int64_t* settled) {
  const double p = row.position;
  const double inverse = 1 / row.amplitude;
  const double* __restrict__ block_cosines = row.block.cosines;
  const double* __restrict__ block_sines = row.block.sines;
  const double* __restrict__ within_cosines = row.within_block.cosines;
  const double* __restrict__ within_sines = row.within_block.sines;
  const double* __restrict__ frequencies = row.frequencies;
  const double* __restrict__ slacks = row.slacks;
  const double* __restrict__ reaches = row.reaches;
  const double* __restrict__ least = row.least;
  const double* __restrict__ greatest = row.greatest;
  const double* __restrict__ cosines = row.cosines;
  const double* __restrict__ cosine_bounds = row.cosine_bounds;
  const double* __restrict__ sines = row.sines;
  const double* __restrict__ sine_bounds = row.sine_bounds;
  std::int64_t* __restrict__ out = settled;
  std::int64_t sum = 0;
#pragma GCC ivdep
  for (std::size_t i = 0; i < count; ++i) {
    const double c = cosines[i] * inverse;
    const double s = sines[i] * inverse;
    const double b = cosine_bounds[i] * inverse;
    const double a = sine_bounds[i] * inverse;
    const double at_c = block_cosines[i] * within_cosines[i] - block_sines[i] * within_sines[i];
    const double at_s = block_sines[i] * within_cosines[i] + block_cosines[i] * within_sines[i];
    const double across = at_c * s - at_s * c;
    const double along = at_c * c + at_s * s;
    const double noise = __builtin_fabs(at_c) * a + __builtin_fabs(at_s) * b;
    const double noise_along = __builtin_fabs(at_c) * b + __builtin_fabs(at_s) * a;
    const double unsure = deviation_margin * (1 + __builtin_fabs(c) + __builtin_fabs(s));
    const double phase = p * frequencies[i];
    const double slack = phase * slacks[i];
    const double at_least = below_sine(phase * least[i] + slack) - (across - noise);
    const double at_most = (across + noise) + below_sine(slack - phase * greatest[i]);
    const double ahead = along - noise_along;
    const double decided = most_reach - phase * reaches[i];
    // So written that what is no number is not settled.
    const bool includes = (at_least >= unsure) & (at_most >= unsure);
    const bool says_something = (ahead >= unsure) & (decided >= unsure) & (phase > 0);
    out[i] = (includes & says_something) ? 1 : 0;
    sum += out[i];
  }
  return static_cast<std::size_t>(sum);
}

void look_up(const BoundRow& row, std::size_t count, double* bounds) {
  constexpr int fraction_bits = 52;
  constexpr std::int64_t binades = 2048;
  const double distance = row.distance;
  const double* __restrict__ table = row.table;
  const std::int64_t* __restrict__ starts = row.starts;
  const double* __restrict__ reduced_from = row.reduced_from;
  const double* __restrict__ numbers = row.numbers;
  double* __restrict__ out = bounds;
#pragma GCC ivdep
  for (std::size_t i = 0; i < count; ++i) {
    const auto bits = __builtin_bit_cast(std::uint64_t, numbers[i]);
    const auto binade = static_cast<std::int64_t>(bits >> fraction_bits) & (binades - 1);
    out[i] = table[starts[i] + binade + (distance >= reduced_from[i] ? binades : 0)];
  }
}

std::size_t norm(const NormRow& row, std::size_t count, double* surplus) {
  const double budget_ratio = row.budget_ratio;
  const double square = row.square;
  const double rounding = row.rounding;
  const double* __restrict__ c = row.cosines;
  const double* __restrict__ b = row.cosine_least;
  const double* __restrict__ s = row.sines;
  const double* __restrict__ a = row.sine_least;
  double* __restrict__ out = surplus;
  std::int64_t sum = 0;
#pragma GCC ivdep
  for (std::size_t i = 0; i < count; ++i) {
    const double squares = c[i] * c[i] + s[i] * s[i];
    const double excess = __builtin_fabs(squares - square) + rounding * (squares + square);
    const double allowed = 2 * (__builtin_fabs(c[i]) * b[i] + __builtin_fabs(s[i]) * a[i]);
    out[i] = budget_ratio * allowed - excess;
    sum += out[i] >= 0 ? 1 : 0;
  }
  return static_cast<std::size_t>(sum);
}

}  // namespace

ScreenKernels VERNIER_SCREEN_KERNELS() {
  return {VERNIER_ISA, trigonometry, within, deviation, look_up, norm};
}

}  // namespace vernier
