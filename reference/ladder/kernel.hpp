#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace vernier {

/// Elements of a plane are padded to a multiple of this, so that vector loops have no remainder.
inline constexpr std::size_t kernel_lanes = 16;

/// One coarse row A of seeds, to be combined with fine rows B: sin = As Bc + Ac Bs, cos = Ac Bc - As Bs.
/// Planes of `width` elements, 64-byte aligned; high and low parts of double-doubles.
struct CoarsePlanes {
  const double* sine_high;
  const double* sine_low;
  const double* cosine_high;
  const double* cosine_low;
  /// At least |As Bc| + |Ac Bs| (and |Ac Bc| + |As Bs|) for every fine row B: the M of the bounds. Infinite
  /// for a pair whose seeds carry no bound, so that nothing of it is decided.
  const double* sine_magnitude;
  const double* cosine_magnitude;
};

/// The fine rows, one after another in each plane.
struct FinePlanes {
  const double* sine_high;
  const double* sine_low;
  const double* cosine_high;
  const double* cosine_low;
};

/// Where a kernel writes: elements of the kernel's format, `stride` of them from one row to the next.
struct KernelOutput {
  void* sine;
  void* cosine;
  std::size_t stride;
  /// One a row: not zero if some element of the row is undecided (its element is then meaningless).
  std::uint8_t* undecided;
};

/// Combines one coarse row with `rows` fine ones.
///
/// binary32, binary16, bfloat16 (stage one, double). Write u = 2^-53, x = A1 B1 +- A2 B2 with true factors, M
/// = |A1 B1| + |A2 B2|. The high parts are off by at most 1.01 u of themselves (rotation.hpp, seeds.hpp), the
/// products round by u each: each is off by at most 3.03 u of itself; the sum by u M more; forming x - E and
/// x + E by u M more: 5.1 u M in all, second-order terms included. E = `bound_scale` 6 u M, M taken over all
/// fine rows; forming 6 u M itself rounds by 2 u of it. An element is decided if x - E and x + E round to the
/// same number: rounding is monotone, which is the whole proof.
///
/// binary64 (stage two, double-double). The seeds are off by at most 13 u^2 (coarse, with an amplitude)
/// and 2.5 u^2 (fine) of themselves. Dropped: the products of two low parts, u^2 M. Rounded: the four cross
/// products and their sums, 6 u^2 M; the low parts' sums, u^2 M + 3 u^2 M + 4 u^2 M; low - E and low + E, 4
/// u^2 M. The products of high parts and their sum are exact (two_product, two_sum). 34.5 u^2 M in all; E =
/// `bound_scale` 40 u^2 M.
///
/// \param bound_scale 1; tests widen the bounds, and may see only the speed change
using Kernel = void (*)(const CoarsePlanes& coarse, const FinePlanes& fine, std::size_t rows,
                        std::size_t width, double bound_scale, const KernelOutput& out);

/// The kernels compiled for one instruction set. They give the same bits on all.
struct KernelSet {
  std::string_view name;  ///< "x86-64-v3"
  Kernel binary64;
  Kernel binary32;
  Kernel binary16;
  Kernel bfloat16;
};

/// The coefficients of u M and u^2 M above.
inline constexpr double stage_one_bound = 6 * 0x1p-53;
inline constexpr double stage_two_bound = 40 * 0x1p-106;

/// The kernel sets that this processor can run, the plainest first.
std::span<const KernelSet> kernel_sets();

}  // namespace vernier
