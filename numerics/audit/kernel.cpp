// Compiled once for each instruction set, like reference/ladder/kernel.cpp and under the same rules: internal
// linkage and builtins only. Where a tile is summed up, accumulators must stay in registers over all rows,
// which the compiler's own vectorisation does not achieve; vectors are then written as such, of the width of
// the instruction set's registers. A lane is always a pair, so the width changes no result.

#include "numerics/audit/kernel.hpp"

#include "reference/ladder/kernel_arithmetic.hpp"

namespace vernier {

AuditKernels VERNIER_AUDIT_KERNELS();

namespace {

double widen(double value) {
  return value;
}
double widen(float value) {
  return value;
}

struct Bfloat16 {
  std::uint16_t bits;
};
struct Binary16 {
  std::uint16_t bits;
};

double widen(Bfloat16 value) {
  return __builtin_bit_cast(float, static_cast<std::uint32_t>(value.bits) << 16);
}
double widen(Binary16 value) {
  // The exponent and fraction moved into binary32's fields, then the bias corrected by a multiplication,
  // which makes subnormal numbers right too. Infinity and NaN come out above 2^15, and go up to infinity.
  const std::uint32_t magnitude = static_cast<std::uint32_t>(value.bits & 0x7fff) << 13;
  const float number = __builtin_bit_cast(float, magnitude) * 0x1p112F;
  const std::uint32_t not_finite = magnitude >= (0x7c00U << 13) ? 0x7f800000U : 0U;
  const std::uint32_t sign = static_cast<std::uint32_t>(value.bits & 0x8000) << 16;
  return __builtin_bit_cast(float, __builtin_bit_cast(std::uint32_t, number) | not_finite | sign);
}

/// \tparam sine, cosine whether there are elements to compare
template <class Element, bool sine, bool cosine>
void difference_of(const SeedPlanes& coarse, const SeedPlanes& fine, std::size_t width,
                   std::size_t first_lane, std::size_t rows, const GotPlanes& got, double scale, Tile& out) {
  const double* __restrict__ as = coarse.sine_high + first_lane;
  const double* __restrict__ ac = coarse.cosine_high + first_lane;
  for (std::size_t row = 0; row < rows; ++row) {
    const double* __restrict__ bs = fine.sine_high + row * width + first_lane;
    const double* __restrict__ bc = fine.cosine_high + row * width + first_lane;
    const auto* __restrict__ sines = static_cast<const Element*>(got.sine) + row * got.sine_stride;
    const auto* __restrict__ cosines = static_cast<const Element*>(got.cosine) + row * got.cosine_stride;
#pragma GCC ivdep
    for (std::size_t i = 0; i < tile_lanes; ++i) {
      const double s = as[i] * bc[i] + ac[i] * bs[i];
      const double c = ac[i] * bc[i] - as[i] * bs[i];
      if constexpr (sine) {
        out.error[0][row][i] = static_cast<float>((widen(sines[i]) - s) * scale);
      }
      if constexpr (cosine) {
        out.error[1][row][i] = static_cast<float>((widen(cosines[i]) - c) * scale);
      }
      out.truth[0][row][i] = static_cast<float>(s);
      out.truth[1][row][i] = static_cast<float>(c);
    }
  }
}

template <class Element>
void difference(const SeedPlanes& coarse, const SeedPlanes& fine, std::size_t width, std::size_t first_lane,
                std::size_t rows, const GotPlanes& got, double scale, Tile& out) {
  const auto of = got.sine == nullptr     ? difference_of<Element, false, true>
                  : got.cosine == nullptr ? difference_of<Element, true, false>
                                          : difference_of<Element, true, true>;
  of(coarse, fine, width, first_lane, rows, got, scale, out);
}

/// got - (a1 b1 + a2 b2), its operands double-doubles: the high parts are summed exactly.
[[gnu::always_inline]] inline double remainder(double got, double a1, double a1_low, double b1, double b1_low,
                                               double a2, double a2_low, double b2, double b2_low,
                                               double& truth) {
  const Sum sum = sum_of_products(a1, a1_low, b1, b1_low, a2, a2_low, b2, b2_low);
  const Sum rest = two_sum(got, -sum.high);
  truth = sum.high;
  return rest.high + (rest.low - sum.low);
}

void difference_binary64(const SeedPlanes& coarse, const SeedPlanes& fine, std::size_t width,
                         std::size_t first_lane, std::size_t rows, const GotPlanes& got, double scale,
                         Tile& out) {
  static constexpr double nothing[tile_lanes] = {};
  const auto* const sines = got.sine == nullptr ? nothing : static_cast<const double*>(got.sine);
  const auto* const cosines = got.cosine == nullptr ? nothing : static_cast<const double*>(got.cosine);
  for (std::size_t row = 0; row < rows; ++row) {
    const std::size_t begin = row * width + first_lane;
    const double* __restrict__ bs = fine.sine_high + begin;
    const double* __restrict__ bsl = fine.sine_low + begin;
    const double* __restrict__ bc = fine.cosine_high + begin;
    const double* __restrict__ bcl = fine.cosine_low + begin;
    const double* __restrict__ sine = sines + row * got.sine_stride;
    const double* __restrict__ cosine = cosines + row * got.cosine_stride;
#pragma GCC ivdep
    for (std::size_t i = 0; i < tile_lanes; ++i) {
      const double as = coarse.sine_high[first_lane + i];
      const double asl = coarse.sine_low[first_lane + i];
      const double ac = coarse.cosine_high[first_lane + i];
      const double acl = coarse.cosine_low[first_lane + i];
      double s = 0;
      double c = 0;
      const double sine_error = remainder(sine[i], as, asl, bc[i], bcl[i], ac, acl, bs[i], bsl[i], s);
      const double cosine_error = remainder(cosine[i], ac, acl, bc[i], bcl[i], -as, -asl, bs[i], bsl[i], c);
      out.error[0][row][i] = static_cast<float>(sine_error * scale);
      out.error[1][row][i] = static_cast<float>(cosine_error * scale);
      out.truth[0][row][i] = static_cast<float>(s);
      out.truth[1][row][i] = static_cast<float>(c);
    }
  }
}

#if defined(__AVX512F__)
constexpr std::size_t vector_bytes = 64;
#elif defined(__AVX2__)
constexpr std::size_t vector_bytes = 32;
#else
constexpr std::size_t vector_bytes = 16;
#endif
constexpr std::size_t vector_lanes = vector_bytes / sizeof(float);

using Floats [[gnu::vector_size(vector_bytes)]] = float;
using Ints [[gnu::vector_size(vector_bytes)]] = std::int32_t;
using Unsigned [[gnu::vector_size(vector_bytes)]] = std::uint32_t;

Floats load(const float* from) {
  Floats result;
  __builtin_memcpy(&result, from, sizeof result);
  return result;
}
void store(float* to, Floats values) {
  __builtin_memcpy(to, &values, sizeof values);
}
template <class Integer>
void store(Integer* to, Ints values) {
  static_assert(sizeof(Integer) == sizeof(std::int32_t));
  __builtin_memcpy(to, &values, sizeof values);
}
Ints bits(Floats values) {
  return reinterpret_cast<Ints>(values);
}
Floats floats(Ints bits_of) {
  return reinterpret_cast<Floats>(bits_of);
}

// One instruction each. Where a is NaN the result is b.

Floats greater(Floats a, Floats b) {
  return a > b ? a : b;
}
Floats smaller(Floats a, Floats b) {
  return a < b ? a : b;
}
Floats magnitude(Floats values) {
  return floats(bits(values) & 0x7fffffff);
}
/// The power of two at or below each.
Floats binade(Floats values) {
  return floats(bits(values) & 0x7f800000);
}
std::int32_t bits_of(float value) {
  return __builtin_bit_cast(std::int32_t, value);
}

/// 1 / x within 2^-22: a division is many times slower than these. Negating the exponent by integer
/// arithmetic is within 1/8, and each of Newton's steps squares that. \param x positive, normal, below 2^126
Floats reciprocal(Floats x) {
  Floats r = floats(0x7ef127ea - bits(x));
  r = r * (2 - x * r);
  r = r * (2 - x * r);
  return r * (2 - x * r);
}

// What is negative, as an integer, where something holds; signs are joined by |. Floats that are not negative
// are in the order of their bits, infinity and NaN beyond all others.

Ints below(Floats values, float limit) {
  return bits(values) - bits_of(limit);
}
Ints above(Floats values, float limit) {
  return bits_of(limit) - bits(values);
}
/// Within `places` last places of single precision of a power of two.
Ints near_binade(Floats values, std::int32_t places) {
  const auto raised = reinterpret_cast<Unsigned>(values) + static_cast<std::uint32_t>(places);
  return reinterpret_cast<Ints>(raised & 0x7fffffU) - 2 * places;
}
/// All ones where negative.
Ints where(Ints sign) {
  return sign >> 31;
}
bool any_negative(Ints signs) {
#if defined(__AVX512DQ__)
  return __builtin_ia32_cvtd2mask512(signs) != 0;
#elif defined(__AVX2__)
  return __builtin_ia32_movmskps256(floats(signs)) != 0;
#elif defined(__SSE2__)
  return __builtin_ia32_movmskps(floats(signs)) != 0;
#else
  std::int32_t any = 0;
  for (std::size_t lane = 0; lane < vector_lanes; ++lane) {
    any |= signs[lane];
  }
  return any < 0;
#endif
}

/// The parts of budgets and of phase roundings that do not depend on the truth, for both components.
struct Phases {
  float weight[tile_rows][tile_lanes];       ///< 1 / (u (1 + phase) A)
  float error[tile_rows][tile_lanes];        ///< d, the phase's error
  float half_square[tile_rows][tile_lanes];  ///< d^2 / 2
  float trig_floor[tile_rows][tile_lanes];
};

constexpr float greatest_budget = 0x1p120F;
constexpr std::int32_t edge_places = 4;
constexpr std::int32_t ulp_edge_places = 512;
/// More than the 2^-20 by which budgets are shrunk.
constexpr std::int32_t budget_edge_places = 32;

template <bool Plain>
[[gnu::always_inline]] inline Floats budget(Floats value, Floats partner, Floats d, Floats half_square,
                                            Floats floor, const TileScale& scale, Ints& doubt) {
  Floats phase = partner * d + value * half_square;
  if constexpr (Plain) {
    phase = smaller(phase, d);
    return phase + greater(binade(value) * scale.trig_ulps, floor);
  }
  phase = smaller(phase, d * scale.amplitude);
  const Floats v = value * scale.inverse_amplitude;
  const Floats trig = greater(binade(v) * scale.trig_ulps, floor) * scale.trig_factor + v * scale.scaling;
  const Floats apart = phase + trig;
  const Floats reach = (value + apart * scale.inverse_scale) * (1 - 0x1p-21F);
  doubt |= near_binade(v, budget_edge_places) | near_binade(reach, budget_edge_places);
  return apart + binade(reach) * scale.storage_ulps;
}

/// A budget ratio up to this need not be told beside one that has been told (CommitKernel). \param unsure
/// three times what ratios are off by
Floats untold(Floats told, float unsure) {
  return greater((told - unsure) * (1 - 0x1p-16F), Floats{});
}

/// Sets the indices of a component, marks, and finds the greatest use of budgets. Marked errors become 0 in
/// the tile, so that they take no part in sums.
///
/// Most vectors hold nothing that is marked and nothing that uses more of its budget than is known already:
/// |e| <= told b, one product in place of the quotient |e| / b. Only the others are looked at in full.
template <bool Plain, bool Doubtful>
void mark(Tile& tile, std::size_t component, std::size_t rows, const Phases& phases, std::size_t lane,
          const TileScale scale, const float* told, TileSummary& out) {
  const int binade_shift = 23 - scale.exponent_shift;
  Floats told_ratio = untold(load(told + lane), scale.unsure_ratio);
  Floats greatest_budget_ratio{};
  Ints inconclusive{};
  Ints any_marked{};
  for (std::size_t row = 0; row < rows; ++row) {
    Floats e = load(tile.error[component][row] + lane);
    const Floats value = magnitude(load(tile.truth[component][row] + lane));
    const Floats partner = magnitude(load(tile.truth[1 - component][row] + lane));
    const Ints exponent = bits(value) & 0x7f800000;
    Ints doubt = below(value, scale.smallest_truth) | near_binade(value, edge_places) |
                 near_binade(magnitude(e) * floats((254 << 23) - exponent), ulp_edge_places);
    const Floats allowed = magnitude(budget<Plain>(value, partner, load(phases.error[row] + lane),
                                                   load(phases.half_square[row] + lane),
                                                   load(phases.trig_floor[row] + lane), scale, doubt));
    Ints unmarked = Ints{} - 1;
    if (Doubtful || any_negative(doubt | (bits(allowed * told_ratio) - bits(magnitude(e))))) {
      Floats inverse = reciprocal(smaller(allowed, Floats{} + greatest_budget));
      if constexpr (Doubtful) {
        // An inconclusive budget's inverse is 0: nothing is used of it.
        inverse = floats(bits(inverse) & ~where(above(allowed, scale.inconclusive)));
        doubt |= bits(magnitude(allowed - scale.inconclusive)) - bits_of(scale.inconclusive * 0x1p-14F);
      }
      // Of NaN too: its sign must not say that it is small.
      const Floats budget_ratio = magnitude(e * inverse);
      const Ints marked = where(doubt | above(budget_ratio, scale.greatest_budget_ratio));
      if constexpr (Doubtful) {
        inconclusive -= (bits(inverse) == 0) & ~marked;
      }
      unmarked = ~marked;
      any_marked |= marked;
      greatest_budget_ratio = greater(floats(bits(budget_ratio) & unmarked), greatest_budget_ratio);
      told_ratio = greater(untold(greatest_budget_ratio, scale.unsure_ratio), told_ratio);
      e = floats(bits(e) & unmarked);
      store(tile.error[component][row] + lane, e);
    }
    // The addition keeps away from zero what is counted with the smallest error.
    const Ints quarters = bits(magnitude(e) + scale.smallest_error) >> 21;
    const Ints binades = exponent >> binade_shift;
    store(out.index[row] + lane, ((quarters - binades + scale.index_origin) * index_step) & unmarked);
  }
  store(out.greatest_budget_ratio + lane, greatest_budget_ratio);
  store(out.inconclusive + lane, inconclusive);
  store(out.marked + lane, any_marked);
}

void sum_up(const Tile& tile, std::size_t component, std::size_t rows, const Phases& phases, std::size_t lane,
            TileSummary& out) {
  Floats error{}, magnitudes{}, square{}, ulps{}, ulps_magnitude{}, ulps_square{}, phase_roundings{},
      phase_roundings_square{};
  Floats greatest_error{}, greatest_ulps{}, greatest_phase_roundings{};
  for (std::size_t row = 0; row < rows; ++row) {
    const Floats kept = load(tile.error[component][row] + lane);
    const Floats size = magnitude(kept);
    const Floats inverse_binade =
        floats((254 << 23) - (bits(load(tile.truth[component][row] + lane)) & 0x7f800000));
    const Floats in_ulps = kept * inverse_binade;
    const Floats ulps_size = magnitude(in_ulps);
    const Floats in_phase_roundings = size * load(phases.weight[row] + lane);
    error += kept;
    magnitudes += size;
    square += size * size;
    ulps += in_ulps;
    ulps_magnitude += ulps_size;
    ulps_square += ulps_size * ulps_size;
    phase_roundings += in_phase_roundings;
    phase_roundings_square += in_phase_roundings * in_phase_roundings;
    greatest_error = greater(size, greatest_error);
    greatest_ulps = greater(ulps_size, greatest_ulps);
    greatest_phase_roundings = greater(in_phase_roundings, greatest_phase_roundings);
  }
  store(out.error + lane, error);
  store(out.magnitude + lane, magnitudes);
  store(out.square + lane, square);
  store(out.ulps + lane, ulps);
  store(out.ulps_magnitude + lane, ulps_magnitude);
  store(out.ulps_square + lane, ulps_square);
  store(out.phase_roundings + lane, phase_roundings);
  store(out.phase_roundings_square + lane, phase_roundings_square);
  store(out.greatest_error + lane, greatest_error);
  store(out.greatest_ulps + lane, greatest_ulps);
  store(out.greatest_phase_roundings + lane, greatest_phase_roundings);
}

void prepare(const TileRows& positions, const TileLanes& lanes, std::size_t rows, const TileScale& scale,
             Phases& out) {
  constexpr float quarter_turn = 0x1.921fb6p-1F * (1 + 0x1p-20F);  // pi/4, a little more
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t lane = 0; lane < tile_lanes; lane += vector_lanes) {
      const Floats phase = load(lanes.frequency + lane) * positions.position[row];
      const Floats d = load(lanes.phase_error + lane) * positions.position[row] +
                       load(lanes.position_error + lane) * positions.position_error[row];
      store(out.weight[row] + lane, reciprocal(phase + 1) * scale.phase_roundings);
      store(out.error[row] + lane, d);
      store(out.half_square[row] + lane, d * d * scale.half_inverse_scale);
      store(out.trig_floor[row] + lane,
            floats(bits(Floats{} + scale.trig_floor) & ~where(below(phase, quarter_turn))));
    }
  }
}

template <bool Doubtful>
void summarize(Tile& tile, std::size_t rows, const TileRows& positions, const TileLanes& lanes,
               const TileScale& scale, const float* const told[2], TileSummary* const out[2]) {
  alignas(64) Phases phases;
  prepare(positions, lanes, rows, scale, phases);
  for (std::size_t component = 0; component < 2; ++component) {
    if (out[component] == nullptr) {
      continue;
    }
    for (std::size_t lane = 0; lane < tile_lanes; lane += vector_lanes) {
      if (scale.plain) {
        mark<true, Doubtful>(tile, component, rows, phases, lane, scale, told[component], *out[component]);
      } else {
        mark<false, Doubtful>(tile, component, rows, phases, lane, scale, told[component], *out[component]);
      }
      sum_up(tile, component, rows, phases, lane, *out[component]);
    }
  }
}

TileFindings commit(const TileSummary& summary, const TileLimits& limits, TileSums& sums) {
  std::int32_t beyond = 0;
  std::int32_t grows = 0;
  std::int32_t greatest = 0;
  std::int32_t marked = 0;
  for (std::size_t lane = 0; lane < tile_lanes; ++lane) {
    const float error = summary.greatest_error[lane];
    beyond |= error <= limits.indexed_error ? 0 : 1;
    grows |= error <= limits.block_error ? 0 : 1;
    greatest |= error >= limits.error ? 1 : 0;
    greatest |= summary.greatest_ulps[lane] >= limits.ulps ? 1 : 0;
    greatest |= summary.greatest_phase_roundings[lane] >= limits.phase_roundings ? 1 : 0;
    greatest |= summary.greatest_budget_ratio[lane] >= limits.budget_ratio ? 1 : 0;
    marked |= summary.marked[lane];
  }
  if (beyond != 0) {
    return {};
  }
  const auto add = [](double* sum, const float* part) {
#pragma GCC ivdep
    for (std::size_t lane = 0; lane < tile_lanes; ++lane) {
      sum[lane] += static_cast<double>(part[lane]);
    }
  };
  const auto raise = [](float* to, const float* value) {
#pragma GCC ivdep
    for (std::size_t lane = 0; lane < tile_lanes; ++lane) {
      to[lane] = to[lane] < value[lane] ? value[lane] : to[lane];
    }
  };
  add(sums.error, summary.error);
  add(sums.magnitude, summary.magnitude);
  add(sums.square, summary.square);
  add(sums.ulps, summary.ulps);
  add(sums.ulps_magnitude, summary.ulps_magnitude);
  add(sums.ulps_square, summary.ulps_square);
  add(sums.phase_roundings, summary.phase_roundings);
  add(sums.phase_roundings_square, summary.phase_roundings_square);
  raise(sums.greatest_error, summary.greatest_error);
  raise(sums.greatest_ulps, summary.greatest_ulps);
  raise(sums.greatest_phase_roundings, summary.greatest_phase_roundings);
  raise(sums.greatest_budget_ratio, summary.greatest_budget_ratio);
#pragma GCC ivdep
  for (std::size_t lane = 0; lane < tile_lanes; ++lane) {
    sums.inconclusive[lane] += summary.inconclusive[lane];
  }
  return {true, marked != 0, greatest != 0, grows != 0};
}

}  // namespace

AuditKernels VERNIER_AUDIT_KERNELS() {
  return {VERNIER_ISA,          difference_binary64,  difference<float>,
          difference<Binary16>, difference<Bfloat16>, difference<double>,
          summarize<false>,     summarize<true>,      commit};
}

}  // namespace vernier
