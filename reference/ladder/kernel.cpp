// Compiled once for each instruction set, which VERNIER_KERNELS and VERNIER_ISA name: see kernels.cmake. All
// code here has internal linkage and calls builtins only, so that no function compiled for a wide instruction
// set can be linked into code that runs everywhere. Loops are plain but for one, and the compiler vectorises
// them.

#include "reference/ladder/kernel.hpp"

#include "reference/ladder/kernel_arithmetic.hpp"

namespace vernier {

KernelSet VERNIER_KERNELS();

namespace {

std::uint32_t bits_of(float value) {
  return __builtin_bit_cast(std::uint32_t, value);
}
std::uint64_t bits_of(double value) {
  return __builtin_bit_cast(std::uint64_t, value);
}
float float_of(std::uint32_t bits) {
  return __builtin_bit_cast(float, bits);
}

/// A number rounded to a format by its encoding, and whether the rounding is in doubt.
struct Narrowed {
  std::uint32_t bits;
  std::uint32_t doubt;
};

struct Binary32 {
  using Element = float;
  static Narrowed narrow(std::uint32_t single) { return {single, 0}; }
  static float element(std::uint32_t bits) { return float_of(bits); }
};

// From binary32 to 16 bits or 8. The number x was rounded to binary32 first, and rounding is monotone: unless
// that hit a midpoint of two narrow numbers exactly, x lies on the same side of every midpoint as its
// rounding does, and rounding twice is rounding once. A midpoint is in doubt.

struct Bfloat16 {
  using Element = std::uint16_t;
  static Narrowed narrow(std::uint32_t single) {
    return {(single + 0x7fff + ((single >> 16) & 1)) >> 16, (single & 0xffff) == 0x8000 ? 1U : 0U};
  }
  static std::uint16_t element(std::uint32_t bits) { return static_cast<std::uint16_t>(bits); }
};

/// \tparam precision, emin, width of the format \tparam largest the single of its largest number: from there
/// on the next stage decides \tparam has_negative_zero else zero has no sign
template <int precision, int emin, int width, std::uint32_t largest, bool has_negative_zero, class Stored>
struct Narrow {
  using Element = Stored;
  static Narrowed narrow(std::uint32_t single) {
    constexpr std::uint32_t exponent_mask = 0x7f800000;
    constexpr std::uint32_t smallest_normal = std::uint32_t{emin + 127} << 23;
    constexpr std::uint32_t dropped_bits = 24 - precision;
    const std::uint32_t magnitude = single & 0x7fffffff;
    const std::uint32_t exponent = magnitude & exponent_mask;
    const std::uint32_t binade = exponent > smallest_normal ? exponent : smallest_normal;
    // The last place of the binade so many above is the format's here: adding its power of two rounds to it,
    // and leaves the number of last places in the low bits.
    const std::uint32_t shift = binade + (dropped_bits << 23);
    const float value = float_of(magnitude);
    const float sum = value + float_of(shift);
    const float rest = value - (sum - float_of(shift));
    const float half_place = float_of(binade - (std::uint32_t{precision} << 23));
    const std::uint32_t midpoint = __builtin_fabsf(rest) == half_place ? 1U : 0U;
    const std::uint32_t overflow = magnitude >= largest ? 1U : 0U;
    const std::uint32_t places = bits_of(sum) - shift;
    const std::uint32_t bits = places + ((binade - smallest_normal) >> dropped_bits);
    const std::uint32_t sign = has_negative_zero || bits != 0 ? (single >> 31) << (width - 1) : 0;
    return {sign | bits, midpoint | overflow};
  }
  static Element element(std::uint32_t bits) { return static_cast<Element>(bits); }
};

using Binary16 = Narrow<11, -14, 16, 0x477fe000, true, std::uint16_t>;      // 65504
using Float8E4m3fn = Narrow<4, -6, 8, 0x43e00000, true, std::uint8_t>;      // 448
using Float8E5m2 = Narrow<3, -14, 8, 0x47600000, true, std::uint8_t>;       // 57344
using Float8E4m3fnuz = Narrow<4, -7, 8, 0x43700000, false, std::uint8_t>;   // 240
using Float8E5m2fnuz = Narrow<3, -15, 8, 0x47600000, false, std::uint8_t>;  // 57344

/// Stage one of one number: rounds it, and adds to `undecided` what shows that it may be wrong.
template <class Target>
typename Target::Element round_by_double(double x, double bound, std::uint32_t& undecided) {
  const std::uint32_t below = bits_of(static_cast<float>(x - bound));
  const std::uint32_t above = bits_of(static_cast<float>(x + bound));
  const auto narrowed = Target::narrow(below);
  undecided |= (below ^ above) | narrowed.doubt;
  return Target::element(narrowed.bits);
}

template <class Target>
void stage_one(const CoarsePlanes& coarse, const SeedPlanes& fine, std::size_t rows, std::size_t width,
               double bound_scale, const KernelOutput& out) {
  using Element = typename Target::Element;
  const double coefficient = stage_one_bound * bound_scale;
  const std::size_t groups = width / kernel_lanes;
  for (std::size_t row = 0; row < rows; ++row) {
    const double* __restrict__ fine_sine = fine.sine_high + row * width;
    const double* __restrict__ fine_cosine = fine.cosine_high + row * width;
    auto* __restrict__ sine = static_cast<Element*>(out.sine) + row * out.stride;
    auto* __restrict__ cosine = static_cast<Element*>(out.cosine) + row * out.stride;
    std::uint32_t undecided = 0;
#pragma GCC ivdep
    for (std::size_t i = 0; i < groups * kernel_lanes; ++i) {
      const double a_sine = coarse.seeds.sine_high[i];
      const double a_cosine = coarse.seeds.cosine_high[i];
      const double b_sine = fine_sine[i];
      const double b_cosine = fine_cosine[i];
      sine[i] = round_by_double<Target>(a_sine * b_cosine + a_cosine * b_sine,
                                        coefficient * coarse.sine_magnitude[i], undecided);
      cosine[i] = round_by_double<Target>(a_cosine * b_cosine - a_sine * b_sine,
                                          coefficient * coarse.cosine_magnitude[i], undecided);
    }
    out.undecided[row] = undecided != 0 ? 1 : 0;
  }
}

// The compiler vectorises no store that passes the caches, so this loop names its vectors.
#ifdef __AVX512F__
constexpr std::size_t vector_lanes = 8;
#else
constexpr std::size_t vector_lanes = 4;
#endif
using Doubles [[gnu::vector_size(vector_lanes * sizeof(double)), gnu::may_alias]] = double;
using Singles [[gnu::vector_size(vector_lanes * sizeof(float))]] = float;
using SingleBits [[gnu::vector_size(vector_lanes * sizeof(float))]] = std::uint32_t;
using Streamed [[gnu::vector_size(16)]] = float;  ///< what every x86-64 stores past its caches at once

const Doubles& doubles_at(const double* plane) {
  return *reinterpret_cast<const Doubles*>(plane);  // aligned (kernel.hpp)
}

void stream(float* to, const Singles& from) {
  Streamed parts[sizeof from / sizeof(Streamed)];
  __builtin_memcpy(parts, &from, sizeof from);
  for (const auto& part : parts) {
#if __has_builtin(__builtin_nontemporal_store)
    __builtin_nontemporal_store(part, reinterpret_cast<Streamed*>(to));
#elif defined(__SSE__)
    __builtin_ia32_movntps(to, part);
#else
    __builtin_memcpy(to, &part, sizeof part);
#endif
    to += sizeof part / sizeof(float);
  }
}

/// round_by_double, streamed.
void stream_rounded(float* to, const Doubles& x, const Doubles& bound, SingleBits& undecided) {
  const auto below = __builtin_convertvector(x - bound, Singles);
  const auto above = __builtin_convertvector(x + bound, Singles);
  undecided |= __builtin_bit_cast(SingleBits, below) ^ __builtin_bit_cast(SingleBits, above);
  stream(to, below);
}

/// stage_one<Binary32>, streamed.
void stream_stage_one(const CoarsePlanes& coarse, const SeedPlanes& fine, std::size_t rows, std::size_t width,
                      double bound_scale, const KernelOutput& out) {
  const double coefficient = stage_one_bound * bound_scale;
  const auto planes = coarse;  // kept in registers: what is written might be the planes
  for (std::size_t row = 0; row < rows; ++row) {
    const double* const fine_sine = fine.sine_high + row * width;
    const double* const fine_cosine = fine.cosine_high + row * width;
    auto* const sine = static_cast<float*>(out.sine) + row * out.stride;
    auto* const cosine = static_cast<float*>(out.cosine) + row * out.stride;
    SingleBits undecided{};
    for (std::size_t i = 0; i < width; i += vector_lanes) {
      const auto a_sine = doubles_at(planes.seeds.sine_high + i);
      const auto a_cosine = doubles_at(planes.seeds.cosine_high + i);
      const auto b_sine = doubles_at(fine_sine + i);
      const auto b_cosine = doubles_at(fine_cosine + i);
      stream_rounded(sine + i, a_sine * b_cosine + a_cosine * b_sine,
                     coefficient * doubles_at(planes.sine_magnitude + i), undecided);
      stream_rounded(cosine + i, a_cosine * b_cosine - a_sine * b_sine,
                     coefficient * doubles_at(planes.cosine_magnitude + i), undecided);
    }
    std::uint32_t any = 0;
    for (std::size_t lane = 0; lane < vector_lanes; ++lane) {
      any |= undecided[lane];
    }
    out.undecided[row] = any != 0 ? 1 : 0;
  }
#ifdef __SSE__
  __builtin_ia32_sfence();  // from here on other threads see what was streamed
#endif
}

double magnitude_of(double value) {
  return __builtin_fabs(value);
}

void combine(const SeedPlanes& first, const SeedPlanes& steps, const double* greatest_sine,
             const double* greatest_cosine, std::size_t rows, std::size_t width, const CoarseOutput& out) {
  for (std::size_t row = 0; row < rows; ++row) {
    const std::size_t begin = row * width;
#pragma GCC ivdep
    for (std::size_t i = 0; i < width / kernel_lanes * kernel_lanes; ++i) {
      const std::size_t at = begin + i;
      const double as = first.sine_high[i];
      const double asl = first.sine_low[i];
      const double ac = first.cosine_high[i];
      const double acl = first.cosine_low[i];
      const double bs = steps.sine_high[at];
      const double bsl = steps.sine_low[at];
      const double bc = steps.cosine_high[at];
      const double bcl = steps.cosine_low[at];
      const Sum sine = sum_of_products(as, asl, bc, bcl, ac, acl, bs, bsl);
      const Sum cosine = sum_of_products(ac, acl, bc, bcl, -as, -asl, bs, bsl);
      const Sum normal_sine = two_sum(sine.high, sine.low);
      const Sum normal_cosine = two_sum(cosine.high, cosine.low);
      const double sine_spread = magnitude_of(as * bc) + magnitude_of(ac * bs);
      const double cosine_spread = magnitude_of(ac * bc) + magnitude_of(as * bs);
      out.sine_high[at] = normal_sine.high;
      out.sine_low[at] = normal_sine.low;
      out.cosine_high[at] = normal_cosine.high;
      out.cosine_low[at] = normal_cosine.low;
      out.sine_spread[at] = sine_spread;
      out.cosine_spread[at] = cosine_spread;
      out.sine_magnitude[at] = sine_spread * greatest_cosine[i] + cosine_spread * greatest_sine[i];
      out.cosine_magnitude[at] = cosine_spread * greatest_cosine[i] + sine_spread * greatest_sine[i];
    }
  }
}

/// Stage two of one number: rounds it to double, and adds to `undecided` what shows that it may be wrong.
double round_by_double_double(Sum x, double bound, std::uint64_t& undecided) {
  const double below = x.high + (x.low - bound);
  const double above = x.high + (x.low + bound);
  undecided |= bits_of(below) ^ bits_of(above);
  return below;
}

void stage_two(const CoarsePlanes& coarse, const SeedPlanes& fine, std::size_t rows, std::size_t width,
               double bound_scale, const KernelOutput& out) {
  const double coefficient = stage_two_bound * bound_scale;
  const std::size_t groups = width / kernel_lanes;
  for (std::size_t row = 0; row < rows; ++row) {
    const SeedPlanes b{fine.sine_high + row * width, fine.sine_low + row * width,
                       fine.cosine_high + row * width, fine.cosine_low + row * width};
    auto* __restrict__ sine = static_cast<double*>(out.sine) + row * out.stride;
    auto* __restrict__ cosine = static_cast<double*>(out.cosine) + row * out.stride;
    std::uint64_t undecided = 0;
#pragma GCC ivdep
    for (std::size_t i = 0; i < groups * kernel_lanes; ++i) {
      const double as = coarse.seeds.sine_high[i];
      const double asl = coarse.seeds.sine_low[i];
      const double ac = coarse.seeds.cosine_high[i];
      const double acl = coarse.seeds.cosine_low[i];
      const double bs = b.sine_high[i];
      const double bsl = b.sine_low[i];
      const double bc = b.cosine_high[i];
      const double bcl = b.cosine_low[i];
      sine[i] = round_by_double_double(sum_of_products(as, asl, bc, bcl, ac, acl, bs, bsl),
                                       coefficient * coarse.sine_magnitude[i], undecided);
      cosine[i] = round_by_double_double(sum_of_products(ac, acl, bc, bcl, -as, -asl, bs, bsl),
                                         coefficient * coarse.cosine_magnitude[i], undecided);
    }
    out.undecided[row] = undecided != 0 ? 1 : 0;
  }
}

}  // namespace

KernelSet VERNIER_KERNELS() {
  return {VERNIER_ISA,
          combine,
          stage_two,
          stage_one<Binary32>,
          stream_stage_one,
          stage_one<Binary16>,
          stage_one<Bfloat16>,
          stage_one<Float8E4m3fn>,
          stage_one<Float8E5m2>,
          stage_one<Float8E4m3fnuz>,
          stage_one<Float8E5m2fnuz>};
}

}  // namespace vernier
