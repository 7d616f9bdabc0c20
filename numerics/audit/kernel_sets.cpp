#include <vector>

#include "numerics/audit/kernel.hpp"

namespace vernier {

// Each is defined by kernel.cpp, compiled for the instruction set of its name (vernier_kernels in
// reference/ladder/kernels.cmake).
AuditKernels audit_kernels_portable();
#ifdef VERNIER_X86_64_KERNELS
AuditKernels audit_kernels_x86_64_v3();
AuditKernels audit_kernels_x86_64_v4();
#endif

std::span<const AuditKernels> audit_kernel_sets() {
  static const std::vector<AuditKernels> all{
      audit_kernels_portable(),
#ifdef VERNIER_X86_64_KERNELS
      audit_kernels_x86_64_v3(),
      audit_kernels_x86_64_v4(),
#endif
  };
  return std::span(all).first(kernel_sets().size());
}

}  // namespace vernier
