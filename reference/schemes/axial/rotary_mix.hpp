#pragma once

#include <memory>

#include "reference/encoding.hpp"

namespace vernier {

/// Reads an axial_rope spec that has the key "frequencies": pairs that turn by all axes at once.
std::unique_ptr<Encoding> parse_rotary_mix(ObjectReader& reader);

}  // namespace vernier
