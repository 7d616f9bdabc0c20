#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

// The loop over phases, compiled once for each instruction set.

namespace vernier {

/// Sets the C library's sinf and cosf of phases that are float values, where they are certain to be its bits;
/// else doubtful to 1, what is set beside it having no meaning. \return how many are doubtful
using SingleSinesKernel = std::size_t (*)(const double* phases, std::size_t count, double* sines,
                                          double* cosines, std::int64_t* doubtful);

/// The kernel for one instruction set.
struct SingleSinesKernels {
  std::string_view name;
  SingleSinesKernel sines_cosines;
};

/// The kernels that this processor can run, the plainest first: as many as kernel_sets().
std::span<const SingleSinesKernels> single_sines_kernel_sets();

}  // namespace vernier
