#include <vector>

#include "numerics/identification/screens/kernel.hpp"
#include "reference/ladder/kernel.hpp"

namespace vernier {

// Each is defined by kernel.cpp, compiled for the instruction set of its name (vernier_kernels in
// reference/ladder/kernels.cmake).
ScreenKernels screen_kernels_portable();
#ifdef VERNIER_X86_64_KERNELS
ScreenKernels screen_kernels_x86_64_v3();
ScreenKernels screen_kernels_x86_64_v4();
#endif

std::span<const ScreenKernels> screen_kernel_sets() {
  static const std::vector<ScreenKernels> all{
      screen_kernels_portable(),
#ifdef VERNIER_X86_64_KERNELS
      screen_kernels_x86_64_v3(),
      screen_kernels_x86_64_v4(),
#endif
  };
  return std::span(all).first(kernel_sets().size());
}

const ScreenKernels& screen_kernels() {
  static const auto& widest = screen_kernel_sets().back();
  return widest;
}

}  // namespace vernier
