#pragma once

#include <string_view>

#include "reference/schemes/rope.hpp"

namespace vernier {

/// The key "layout".
void visit_layout(KeyVisitor& visit, RopeSpec::Layout& layout);
/// "half", "interleaved"
std::string_view name_of(RopeSpec::Layout layout);

}  // namespace vernier
