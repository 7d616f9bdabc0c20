#pragma once

#include "numerics/implementations/runner_protocol.hpp"

namespace vernier::plugin_runner {

/// What this thread's floating-point unit is set to.
plugin_protocol::FloatingPointControl floating_point_control();
/// Sets it to what a process starts with: round to nearest, subnormals kept, no trap.
void reset_floating_point_control();

}  // namespace vernier::plugin_runner
