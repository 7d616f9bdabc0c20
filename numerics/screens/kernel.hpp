#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

// The loops of the screens over the entries of a row, compiled once for each instruction set. A screen only
// decides which elements are looked at closely: deviation_screen.hpp, trigonometry_screen.hpp and
// unit_rows.hpp prove what it leaves out.

namespace vernier {

/// Unit vectors, one an entry.
struct UnitVectors {
  const double* cosines;
  const double* sines;
};

/// The greatest angle that a small turn may have, in magnitude.
inline constexpr double most_small_turn = 0x1p-5;

/// A row of sines and cosines beside the phases that they are said to be taken of.
struct TrigonometryRow {
  double position;
  double amplitude;
  double unsure;  ///< what all here, and the closer look, may be off by
  /// The product of these is the unit vector of position times frequency; of a sine's, less a quarter turn:
  /// so its cosine is what the element should be.
  UnitVectors block;
  UnitVectors within_block;
  const double* frequencies;  ///< one an entry, as are the others
  const double* phases;
  const double* most_turns;  ///< how far a phase may be from position times frequency; negative: nowhere
  const double* numbers;     ///< the elements
};

/// \param errors what the elements are off by at most; infinite where the phase is too far away
/// \param magnitudes of the sines and cosines times the amplitude, at least
using TrigonometryKernel = void (*)(const TrigonometryRow& row, std::size_t count, double* errors,
                                    double* magnitudes);

/// Sets settled to 1 where errors[i] <= shares[i] * limit, else to 0. \return how many are settled
using WithinKernel = std::size_t (*)(const double* errors, const double* shares, double limit,
                                     std::size_t count, std::int64_t* settled);

/// A row of couples: a cosine and a sine each, what they may be off by whatever their phase is, and what is
/// known of the errors of their frequencies.
struct DeviationRow {
  double position;
  double amplitude;
  UnitVectors block;  ///< whose product with the next is that of position times frequency
  UnitVectors within_block;
  const double* frequencies;  ///< one an entry, as are the others
  const double* slacks;
  const double* reaches;
  const double* least;
  const double* greatest;
  const double* cosines;
  const double* cosine_bounds;
  const double* sines;
  const double* sine_bounds;
};

/// Sets settled to 1 for couples that say something of their frequency and narrow nothing, else to 0.
/// \return how many are settled
using DeviationKernel = std::size_t (*)(const DeviationRow& row, std::size_t count, std::int64_t* settled);

/// A row of numbers, and bounds of them by their binades: from starts[i] on those of plain phases, then of
/// reduced ones.
struct BoundRow {
  double distance;  ///< |position|
  const double* table;
  const std::int64_t* starts;  ///< one a number, as are the others
  const double* reduced_from;
  const double* numbers;
};

/// Sets each bound.
using LookUpKernel = void (*)(const BoundRow& row, std::size_t count, double* bounds);

/// A row of couples (c, s), and what each number may be off by at least.
struct NormRow {
  double budget_ratio;
  double square;    ///< of the amplitude
  double rounding;  ///< relative, of c^2 + s^2 and of the square
  const double* cosines;
  const double* cosine_least;
  const double* sines;
  const double* sine_least;
};

/// Sets what is left of the budget's share beyond the excess of c^2 + s^2. \return of how many it is not
/// negative
using NormKernel = std::size_t (*)(const NormRow& row, std::size_t count, double* surplus);

/// The kernels for one instruction set. They give the same bits on all.
struct ScreenKernels {
  std::string_view name;
  TrigonometryKernel trigonometry;
  WithinKernel within;
  DeviationKernel deviation;
  LookUpKernel look_up;
  NormKernel norm;
};

/// The kernels that this processor can run, the plainest first: as many as kernel_sets().
std::span<const ScreenKernels> screen_kernel_sets();

/// The last of them.
const ScreenKernels& screen_kernels();

}  // namespace vernier
