#include <vector>

#include "numerics/recipes/single_sines/kernel.hpp"
#include "reference/ladder/kernel.hpp"

namespace vernier {

// Each is defined by kernel.cpp, compiled for the instruction set of its name (vernier_kernels in
// reference/ladder/kernels.cmake).
SingleSinesKernels single_sines_kernels_portable();
#ifdef VERNIER_X86_64_KERNELS
SingleSinesKernels single_sines_kernels_x86_64_v3();
SingleSinesKernels single_sines_kernels_x86_64_v4();
#endif

std::span<const SingleSinesKernels> single_sines_kernel_sets() {
  static const std::vector<SingleSinesKernels> all{
      single_sines_kernels_portable(),
#ifdef VERNIER_X86_64_KERNELS
      single_sines_kernels_x86_64_v3(),
      single_sines_kernels_x86_64_v4(),
#endif
  };
  return std::span(all).first(kernel_sets().size());
}

}  // namespace vernier
