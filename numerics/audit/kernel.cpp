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

[[gnu::always_inline]] inline float magnitude(double truth, float greatest) {
  const float rounded = __builtin_fabsf(static_cast<float>(truth));
  return rounded < greatest ? rounded : greatest;
}

/// \tparam sine, cosine whether there are elements to compare
template <class Element, bool sine, bool cosine>
void difference_of(const SeedPlanes& coarse, const SeedPlanes& fine, std::size_t width,
                   std::size_t first_lane, std::size_t rows, const GotPlanes& got, TileUnits units,
                   Tile& out) {
  const double* __restrict__ as = coarse.sine_high + first_lane;
  const double* __restrict__ ac = coarse.cosine_high + first_lane;
  for (std::size_t row = 0; row < rows; ++row) {
    const double* __restrict__ bs = fine.sine_high + row * width + first_lane;
    const double* __restrict__ bc = fine.cosine_high + row * width + first_lane;
    const auto* __restrict__ sines = static_cast<const Element*>(got.sine) + row * got.sine_stride;
    const auto* __restrict__ cosines = static_cast<const Element*>(got.cosine) + row * got.cosine_stride;
    __builtin_prefetch(sines + got.ahead);
    __builtin_prefetch(cosines + got.ahead);
#pragma GCC ivdep
    for (std::size_t i = 0; i < tile_lanes; ++i) {
      const double s = as[i] * bc[i] + ac[i] * bs[i];
      const double c = ac[i] * bc[i] - as[i] * bs[i];
      if constexpr (sine) {
        out.error[0][row][i] = static_cast<float>((widen(sines[i]) - s) * units.scale);
      }
      if constexpr (cosine) {
        out.error[1][row][i] = static_cast<float>((widen(cosines[i]) - c) * units.scale);
      }
      out.truth[0][row][i] = magnitude(s, units.greatest_truth);
      out.truth[1][row][i] = magnitude(c, units.greatest_truth);
    }
  }
}

template <class Element>
void difference(const SeedPlanes& coarse, const SeedPlanes& fine, std::size_t width, std::size_t first_lane,
                std::size_t rows, const GotPlanes& got, TileUnits units, Tile& out) {
  const auto of = got.sine == nullptr     ? difference_of<Element, false, true>
                  : got.cosine == nullptr ? difference_of<Element, true, false>
                                          : difference_of<Element, true, true>;
  of(coarse, fine, width, first_lane, rows, got, units, out);
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
                         std::size_t first_lane, std::size_t rows, const GotPlanes& got, TileUnits units,
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
      out.error[0][row][i] = static_cast<float>(sine_error * units.scale);
      out.error[1][row][i] = static_cast<float>(cosine_error * units.scale);
      out.truth[0][row][i] = magnitude(s, units.greatest_truth);
      out.truth[1][row][i] = magnitude(c, units.greatest_truth);
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
/// The parts of budgets and of phase roundings that do not depend on the truth, for both components.
struct Phases {
  float weight[tile_rows][tile_lanes];       ///< 1 / (u (1 + phase) A)
  float error[tile_rows][tile_lanes];        ///< d, the phase's error
  float half_square[tile_rows][tile_lanes];  ///< d^2 / 2
  float trig_floor[tile_rows][tile_lanes];
};

constexpr float greatest_budget = 0x1p120F;
constexpr std::int32_t edge_places = 4;
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

/// Sums and maxima of one component of as many pairs as a vector has lanes.
struct Sums {
  Floats error{}, magnitude{}, square{};
  Floats ulps{}, ulps_magnitude{}, ulps_square{};
  Floats phase_roundings{}, phase_roundings_square{};
  Floats greatest_error{}, greatest_ulps{}, greatest_phase_roundings{};

  [[gnu::always_inline]] inline void add(Floats e, Floats value, Floats weight) {
    const Floats size = vernier::magnitude(e);
    const Floats in_ulps = e * floats((254 << 23) - (bits(value) & 0x7f800000));
    const Floats ulps_size = vernier::magnitude(in_ulps);
    const Floats in_phase_roundings = size * weight;
    error += e;
    magnitude += size;
    square += size * size;
    ulps += in_ulps;
    ulps_magnitude += ulps_size;
    ulps_square += ulps_size * ulps_size;
    phase_roundings += in_phase_roundings;
    phase_roundings_square += in_phase_roundings * in_phase_roundings;
    greatest_error = greater(greatest_error, size);
    greatest_ulps = greater(greatest_ulps, ulps_size);
    greatest_phase_roundings = greater(greatest_phase_roundings, in_phase_roundings);
  }

  void write(std::size_t lane, TileSummary& out) const {
    store(out.error + lane, error);
    store(out.magnitude + lane, magnitude);
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
};

/// What is marked of the same, and what its budgets say.
struct Marks {
  Ints marked{}, inconclusive{};
  Floats greatest_budget_ratio{};

  /// Marks in a row, sets its indices, and returns its errors, 0 where marked.
  template <bool Plain, bool Doubtful>
  [[gnu::always_inline]] inline Floats add(Floats e, Floats value, Floats partner, const Phases& phases,
                                           std::size_t row, std::size_t lane, const TileScale& scale,
                                           Ints origin, TileSummary& out) {
    const Floats size = magnitude(e);
    const Ints exponent = bits(value) & 0x7f800000;
    Ints doubt = below(value, scale.smallest_truth) | near_binade(value, edge_places) |
                 (bits(size - scale.unsure_error) - bits(binade(size + scale.unsure_error))) |
                 (below(size, scale.error_next_to_one) & (bits_of(scale.greatest_truth) - 1 - bits(value)));
    Floats allowed =
        budget<Plain>(value, partner, load(phases.error[row] + lane), load(phases.half_square[row] + lane),
                      load(phases.trig_floor[row] + lane), scale, doubt);
    Ints beyond = bits(allowed * scale.greatest_budget_ratio) - bits(size);
    Ints proves_nothing{};
    if constexpr (Doubtful) {
      allowed = smaller(magnitude(allowed), Floats{} + greatest_budget);
      proves_nothing = where(above(allowed, scale.inconclusive));
      doubt |= bits(magnitude(allowed - scale.inconclusive)) - bits_of(scale.inconclusive * 0x1p-14F);
      doubt |= above(size, scale.indexed_error);
      beyond = (bits(allowed * scale.greatest_budget_ratio) - bits(size)) & ~proves_nothing;
    }
    const Ints is_marked = where(doubt | beyond);
    marked -= is_marked;
    const Floats used = size / allowed;
    greatest_budget_ratio =
        greater(floats(bits(used) & ~(is_marked | proves_nothing)), greatest_budget_ratio);
    if constexpr (Doubtful) {
      inconclusive -= proves_nothing & ~is_marked;
    }
    // The addition keeps away from zero what is counted with the smallest error.
    const Ints quarters = (bits(size + scale.smallest_error) >> 17) & -index_step;
    const Ints binades = exponent >> (19 - scale.exponent_shift);
    store(out.index[row] + lane, (quarters - binades + origin) & ~is_marked);
    return floats(bits(e) & ~is_marked);
  }

  void write(std::size_t lane, TileSummary& out) const {
    store(out.greatest_budget_ratio + lane, greatest_budget_ratio);
    store(out.inconclusive + lane, inconclusive);
    store(out.marked + lane, marked);
  }
};

[[gnu::always_inline]] inline void count(const std::uint32_t* index, std::uint16_t* counts) {
  __asm__("" : "+r"(index));  // GCC would keep an address of each lane
  for (std::size_t lane = 0; lane < vector_lanes; ++lane) {
    ++counts[index[lane]];
  }
}

#if defined(__AVX512F__)
constexpr bool one_pass = true;  // the registers hold all that is summed
#else
constexpr bool one_pass = false;
#endif

template <bool Plain, bool Doubtful>
void summarize_lanes(Tile& tile, std::size_t component, std::size_t rows, const Phases& phases,
                     std::size_t lane, const TileScale scale, std::uint16_t* counts, TileSummary& out) {
  // So many rows later the indices are there, and counting goes on beside the arithmetic.
  constexpr std::size_t lag = 4;
  Ints origin;
  for (std::size_t i = 0; i < vector_lanes; ++i) {
    origin[i] = scale.index_origin * index_step + static_cast<std::int32_t>(lane + i);
  }
  Marks marks;
  Sums sums;
  for (std::size_t row = 0; row < rows; ++row) {
    float* const errors = tile.error[component][row] + lane;
    const Floats value = load(tile.truth[component][row] + lane);
    const Floats partner = load(tile.truth[1 - component][row] + lane);
    const Floats kept =
        marks.add<Plain, Doubtful>(load(errors), value, partner, phases, row, lane, scale, origin, out);
    if constexpr (one_pass) {
      sums.add(kept, value, load(phases.weight[row] + lane));
    } else {
      store(errors, kept);
    }
    if (row >= lag) {
      count(out.index[row - lag] + lane, counts);
    }
  }
  for (std::size_t row = rows < lag ? 0 : rows - lag; row < rows; ++row) {
    count(out.index[row] + lane, counts);
  }
  if constexpr (!one_pass) {
    for (std::size_t row = 0; row < rows; ++row) {
      sums.add(load(tile.error[component][row] + lane), load(tile.truth[component][row] + lane),
               load(phases.weight[row] + lane));
    }
  }
  marks.write(lane, out);
  sums.write(lane, out);
}

void prepare(const TileRows& positions, const TileLanes& lanes, std::size_t rows, const TileScale& scale,
             Phases& out) {
  constexpr float quarter_turn = 0x1.921fb6p-1F * (1 + 0x1p-20F);  // pi/4, a little more
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t lane = 0; lane < tile_lanes; lane += vector_lanes) {
      const Floats phase = load(lanes.frequency + lane) * positions.position[row];
      const Floats d = load(lanes.phase_error + lane) * positions.position[row] +
                       load(lanes.position_error + lane) * positions.position_error[row];
      store(out.weight[row] + lane, scale.phase_roundings / (phase + 1));
      store(out.error[row] + lane, d);
      store(out.half_square[row] + lane, d * d * scale.half_inverse_scale);
      store(out.trig_floor[row] + lane,
            floats(bits(Floats{} + scale.trig_floor) & ~where(below(phase, quarter_turn))));
    }
  }
}

template <bool Doubtful>
void summarize(Tile& tile, std::size_t rows, const TileRows& positions, const TileLanes& lanes,
               const TileScale& scale, std::uint16_t* const counts[2], TileSummary* const out[2]) {
  alignas(64) Phases phases;
  prepare(positions, lanes, rows, scale, phases);
  const auto of = scale.plain ? summarize_lanes<true, Doubtful> : summarize_lanes<false, Doubtful>;
  for (std::size_t component = 0; component < 2; ++component) {
    for (std::size_t lane = 0; out[component] != nullptr && lane < tile_lanes; lane += vector_lanes) {
      of(tile, component, rows, phases, lane, scale, counts[component], *out[component]);
    }
  }
}

TileFindings commit(const TileSummary& summary, const TileLimits& limits, TileSums& sums) {
  std::int32_t grows = 0;
  std::int32_t greatest = 0;
  std::int32_t marked = 0;
  for (std::size_t lane = 0; lane < tile_lanes; ++lane) {
    const float error = summary.greatest_error[lane];
    grows |= error <= limits.block_error ? 0 : 1;
    greatest |= error >= limits.error ? 1 : 0;
    greatest |= summary.greatest_ulps[lane] >= limits.ulps ? 1 : 0;
    greatest |= summary.greatest_phase_roundings[lane] >= limits.phase_roundings ? 1 : 0;
    greatest |= summary.greatest_budget_ratio[lane] >= limits.budget_ratio ? 1 : 0;
    marked |= summary.marked[lane];
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
  return {marked != 0, greatest != 0, grows != 0};
}

}  // namespace

AuditKernels VERNIER_AUDIT_KERNELS() {
  return {VERNIER_ISA,          difference_binary64,  difference<float>,
          difference<Binary16>, difference<Bfloat16>, difference<double>,
          summarize<false>,     summarize<true>,      commit};
}

}  // namespace vernier
