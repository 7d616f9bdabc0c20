#pragma once

#include <cstddef>

namespace interop {

/// Phases come in multiples of so many, aligned to so many bytes: whole vectors of any width.
inline constexpr std::size_t lanes = 16;
inline constexpr std::size_t alignment = 64;

/// Cosines and sines of `count` phases, a multiple of `lanes`; all arrays aligned, none overlapping.
template <typename Real>
using CosinesAndSines = void (*)(const Real* phases, std::size_t count, Real* cosines, Real* sines);

/// In what the plug-ins differ: each is rope_plugin.cpp and one file that defines `trigonometry`.
struct Trigonometry {
  const char* name;     ///< of the library
  const char* version;  ///< the one at hand
  CosinesAndSines<float> in_float32;
  CosinesAndSines<double> in_float64;
};
extern const Trigonometry trigonometry;

}  // namespace interop
