#pragma once

namespace vernier {

/// Checks what every bound of the ladder assumes of this thread: rounding to nearest, and subnormal numbers
/// neither flushed to zero nor read as zero. \throws InputError if it is otherwise
void require_ieee_arithmetic();

}  // namespace vernier
