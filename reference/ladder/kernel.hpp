#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

// Notation, here and in seeds.hpp. A row of a table holds one rotation (sin f, cos f) a pair, f its phase.
// The rotation is the product of three:
//
//   S  the first row of the chunk, which carries the amplitude
//   D  the step from there to a coarse row; A = S D is the coarse row
//   B  the step from there to the row: a fine row
//
// As is the sine of A and Ac its cosine. A component of a product is x = A1 B1 +- A2 B2, and of it
//
//   M  is |A1 B1| + |A2 B2| or more: what errors are relative to
//   E  is the bound on the error of x as computed
//   u  is 2^-53, the unit roundoff of double
//
// reference/README.md derives the error of one step in full.

namespace vernier {

/// Elements of a plane are padded to a multiple of this, so that vector loops have no remainder.
inline constexpr std::size_t kernel_lanes = 16;

/// Rows of seeds (sin f, cos f), one double-double a pair: planes of high and low parts, the rows one after
/// another, each padded to `width` elements, 64-byte aligned.
struct SeedPlanes {
  const double* sine_high;
  const double* sine_low;
  const double* cosine_high;
  const double* cosine_low;
};

/// One coarse row, A = S D.
struct CoarsePlanes {
  SeedPlanes seeds;
  /// |Ss Dc| + |Sc Ds| and |Sc Dc| + |Ss Ds|, which are at least |As| and |Ac|.
  const double* sine_spread;
  const double* cosine_spread;
  /// What the spreads come to with the largest fine components: at least M, below, for every fine row.
  /// Infinite for a pair whose seeds carry no bound, so that nothing of it is decided.
  const double* sine_magnitude;
  const double* cosine_magnitude;
};

/// The same, to be written.
struct CoarseOutput {
  double* sine_high;
  double* sine_low;
  double* cosine_high;
  double* cosine_low;
  double* sine_spread;
  double* cosine_spread;
  double* sine_magnitude;
  double* cosine_magnitude;
};

/// Where a kernel writes: elements of the kernel's format, `stride` of them from one row to the next.
struct KernelOutput {
  void* sine;
  void* cosine;
  std::size_t stride;
  /// One a row: not zero if some element of the row is undecided (and then meaningless).
  std::uint8_t* undecided;
};

/// Makes coarse rows, all of a chunk: A = S D, rotation by rotation, in double-double. A product in
/// double-double is off by at most 15 u^2 M, apart from the errors of its factors: the products of two low
/// parts are dropped, u^2 M; the four cross products and their sums round by 6 u^2 M; the sums of the low
/// parts by u^2 M, 3 u^2 M and 4 u^2 M; products of high parts and their sum are exact (two_product,
/// two_sum). With factors off by 9 u^2 and 2.3 u^2 of themselves (seeds.hpp), A is off by at most 26.4 u^2 of
/// its spread. \param first the row S \param steps the rows D \param greatest_sine, greatest_cosine of all
/// fine rows, a plane each; infinite where seeds carry no bound
using CombineKernel = void (*)(const SeedPlanes& first, const SeedPlanes& steps, const double* greatest_sine,
                               const double* greatest_cosine, std::size_t rows, std::size_t width,
                               const CoarseOutput& out);

/// Combines one coarse row A with `rows` fine rows B: sin = As Bc + Ac Bs, cos = Ac Bc - As Bs, each rounded
/// to the kernel's format. M now stands for spread(A1) |B1| + spread(A2) |B2|: all errors are relative to it,
/// and it is not larger than the value where nothing cancels, so that small angles stay decidable.
///
/// binary32 and narrower (stage one, double). High parts are off by at most 1.01 u of the seeds,
/// products round by u: each product is off by at most 3.03 u of its share of M; the sum by u M more; forming
/// x - E and x + E by u M more: 5.1 u M in all, errors of order u^2 included. E = `bound_scale` 6 u M;
/// forming it rounds by a few u of it. An element is decided if x - E and x + E round to the same number:
/// rounding is monotone, which is the whole proof.
///
/// binary64 (stage two, double-double). The factors' errors, 26.4 u^2 M and 2.3 u^2 M; the product's 15 u^2
/// M; forming low - E and low + E, 4 u^2 M: 47.7 u^2 M in all; E = `bound_scale` 64 u^2 M.
///
/// \param bound_scale 1; tests widen the bounds, and may see only the speed change
using Kernel = void (*)(const CoarsePlanes& coarse, const SeedPlanes& fine, std::size_t rows,
                        std::size_t width, double bound_scale, const KernelOutput& out);

/// The kernels compiled for one instruction set. They give the same bits on all.
struct KernelSet {
  std::string_view name;  ///< "x86-64-v3"
  CombineKernel combine;
  Kernel binary64;
  Kernel binary32;
  /// The same past the caches, for elements that nobody reads soon: a store waits for no line of memory to be
  /// read first. Where rows lie is a multiple of 16 bytes.
  Kernel binary32_streamed;
  Kernel binary16;
  Kernel bfloat16;
  Kernel float8_e4m3fn;
  Kernel float8_e5m2;
  Kernel float8_e4m3fnuz;
  Kernel float8_e5m2fnuz;
};

/// The coefficients of u M and u^2 M above.
inline constexpr double stage_one_bound = 6 * 0x1p-53;
inline constexpr double stage_two_bound = 64 * 0x1p-106;

/// The kernel sets that this processor can run, the plainest first.
std::span<const KernelSet> kernel_sets();

}  // namespace vernier
