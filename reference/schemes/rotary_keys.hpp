#pragma once

#include <string>
#include <string_view>

#include "reference/schemes/rope.hpp"
#include "reference/tables/head_rotation.hpp"

namespace vernier {

/// The key "layout".
void visit_layout(KeyVisitor& visit, RopeSpec::Layout& layout);
/// "half", "interleaved"
std::string_view name_of(RopeSpec::Layout layout);

/// The key "operation": written where it is not forward, so that implementations that know no other see the
/// spec that they know.
/// \param can_shift whether turning by one position after turning by another is turning by their sum
void visit_operation(KeyVisitor& visit, RotationOperation& operation, bool can_shift = false);
/// ", the transpose"; nothing of what is forward
std::string summary_of(RotationOperation operation);

}  // namespace vernier
