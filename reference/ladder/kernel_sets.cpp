#include <vector>

#include "reference/ladder/kernel.hpp"

namespace vernier {

// Each is defined by kernel.cpp, compiled for the instruction set of its name
// (reference/ladder/kernels.cmake).
KernelSet kernels_portable();
#ifdef VERNIER_X86_64_KERNELS
KernelSet kernels_x86_64_v3();
KernelSet kernels_x86_64_v4();
#endif

namespace {

std::vector<KernelSet> runnable() {
  std::vector<KernelSet> sets{kernels_portable()};
#ifdef VERNIER_X86_64_KERNELS
  __builtin_cpu_init();
  const bool v3 =
      __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2");
  const bool v4 = v3 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                  __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
                  __builtin_cpu_supports("avx512vl");
  if (v3) {
    sets.push_back(kernels_x86_64_v3());
  }
  if (v4) {
    sets.push_back(kernels_x86_64_v4());
  }
#endif
  return sets;
}

}  // namespace

std::span<const KernelSet> kernel_sets() {
  static const auto sets = runnable();
  return sets;
}

}  // namespace vernier
