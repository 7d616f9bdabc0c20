#pragma once

#include <string_view>

#include "reference/json.hpp"
#include "reference/schemes/rope.hpp"

namespace vernier {

/// Reads the key "layout". \param fallback where it is absent
RopeSpec::Layout read_layout(ObjectReader& reader, RopeSpec::Layout fallback);
/// "half", "interleaved"
std::string_view name_of(RopeSpec::Layout layout);

}  // namespace vernier
