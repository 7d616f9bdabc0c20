#pragma once

#include <string>

#include "reference/head_rotation.hpp"
#include "reference/json.hpp"

namespace vernier {

/// Reads the key "operation", forward where it is absent.
RotationOperation read_operation(ObjectReader& reader);
/// Writes it where it is not forward, so that implementations that know no other see the spec that they know.
void write_operation(OrderedJson& spec, RotationOperation operation);
/// ", the transpose"; nothing of what is forward
std::string summary_of(RotationOperation operation);

}  // namespace vernier
