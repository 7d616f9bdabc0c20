#pragma once

#include <cstdint>

#include "reference/json.hpp"
#include "reports/rates/draw.hpp"

namespace vernier::rates {

/// A spec of some scheme with drawn parameters: every scheme that can be asked for, those that people run the
/// most. \param length the positions that will be asked for, >= 8
OrderedJson draw_spec(Draw& draw, std::int64_t length);

}  // namespace vernier::rates
