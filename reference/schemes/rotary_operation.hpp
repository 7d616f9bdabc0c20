#pragma once

#include <string>

#include "reference/head_rotation.hpp"

namespace vernier {

class KeyVisitor;

/// The key "operation": written where it is not forward, so that implementations that know no other see the
/// spec that they know.
void visit_operation(KeyVisitor& visit, RotationOperation& operation);
/// ", the transpose"; nothing of what is forward
std::string summary_of(RotationOperation operation);

}  // namespace vernier
