#include "numerics/implementations/runner/floating_point_control.hpp"

#include <cfenv>

namespace vernier::plugin_runner {

plugin_protocol::FloatingPointControl floating_point_control() {
  plugin_protocol::FloatingPointControl control;
  control.rounding = std::fegetround();
  [[maybe_unused]] std::fenv_t environment{};
  std::fegetenv(&environment);
#if defined(__x86_64__)
  constexpr std::uint32_t exception_flags = 0x3f;
  control.machine = environment.__mxcsr & ~exception_flags;
  // A register left on the x87 stack, as after MMX without emms, spoils the caller's long doubles.
  control.x87 = std::uint32_t{environment.__control_word} | std::uint32_t{environment.__tags} << 16;
#elif defined(__aarch64__)
  control.machine = environment.__fpcr;
#endif
  return control;
}

void reset_floating_point_control() {
  std::fesetenv(FE_DFL_ENV);
}

}  // namespace vernier::plugin_runner
