#pragma once

#include <cstdint>

#include "reference/json.hpp"
#include "reports/rates/draw.hpp"

namespace vernier::rates {

/// How much may be asked for.
struct Size {
  std::int64_t length = 64;      ///< positions, >= 8
  std::int64_t elements = 4096;  ///< of a table, where its least width of 8 allows
};

/// A spec of some scheme with drawn parameters: every scheme that can be asked for, those that people run the
/// most.
OrderedJson draw_spec(Draw& draw, const Size& size);

}  // namespace vernier::rates
