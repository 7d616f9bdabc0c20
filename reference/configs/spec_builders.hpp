#pragma once

#include <string>

#include "reference/configs/config_reader.hpp"

namespace vernier {

/// The spec of a RoPE. \param kind the kind of layer, empty where the layers have no kinds
/// \throws InputError for values that are malformed or contradict each other
JsonValue rope_spec(QuantityReader& reader, const std::string& kind);

/// The spec of any scheme that the rules name, RoPE too.
/// \throws InputError for values that are malformed or contradict each other
JsonValue spec_of_rules(QuantityReader& reader, const std::string& kind);

}  // namespace vernier
