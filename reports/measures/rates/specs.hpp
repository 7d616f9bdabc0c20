#pragma once

#include <cstdint>
#include <string_view>

#include "reference/json/json.hpp"
#include "reports/measures/rates/draw.hpp"

namespace vernier::rates {

/// How much may be asked for.
struct Size {
  std::int64_t length = 64;      ///< positions, >= 8
  std::int64_t elements = 4096;  ///< of a table, where its least width of 8 allows
};

/// A spec of some scheme with drawn parameters: every scheme that can be asked for, those that people run the
/// most.
OrderedJson draw_spec(Draw& draw, const Size& size);

/// Whether a drawn spec is of a scheme or of a kind of scaling, by the beginning or the end of its name:
/// "alibi", "bucket", "yarn". Of any scaling: "scaling"; of a rotation of a part of the head: "partial"; of
/// tokens with several positions: "axes". Anything is of the empty one.
bool is_of(const OrderedJson& spec, std::string_view wanted);

}  // namespace vernier::rates
