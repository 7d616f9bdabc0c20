#pragma once

#include <optional>
#include <string>

#include "numerics/implementations/runner_protocol.hpp"

namespace vernier {

/// What differs, in words: "flush to zero (MXCSR 0x9f80, expected 0x1f80)"; nothing if nothing does.
std::optional<std::string> floating_point_evidence(const plugin_protocol::FloatingPointControl& before,
                                                   const plugin_protocol::FloatingPointControl& after);

}  // namespace vernier
