#pragma once

#include <cstdint>

#include "reports/rates/design.hpp"
#include "reports/rates/draw.hpp"

namespace vernier::rates {

/// An implementation without fault: some spec, computed in a way that people ship, stored in some format,
/// asked through some interface, for a context of some length. \param longest context, >= 64
Design draw_honest(Draw& draw, std::int64_t longest);

}  // namespace vernier::rates
