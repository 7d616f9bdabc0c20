#pragma once

#include <cstdint>
#include <string>

#include "reference/configs/config_reader.hpp"

namespace vernier {

/// The spec of a RoPE. \param kind the kind of layer, empty where the layers have no kinds
/// \throws InputError for values that are malformed or contradict each other
JsonValue rope_spec(QuantityReader& reader, const std::string& kind);

/// The spec of a rotary encoding over several axes.
/// \throws InputError for values that are malformed or contradict each other
JsonValue axial_rope_spec(QuantityReader& reader);

/// The spec of sinusoids along several axes, which are added to the patches of an image or a video.
/// \throws InputError for values that are malformed or contradict each other
JsonValue sinusoidal_axes_spec(QuantityReader& reader);

/// The width of the model: stated, the class's default, or that of all heads together.
std::int64_t model_width(QuantityReader& reader);

/// The width of a head: stated, the class's default, or what the hidden size leaves each head.
std::int64_t read_head_dim(QuantityReader& reader);

/// The spec of any scheme that the rules name, RoPE too.
/// \throws InputError for values that are malformed or contradict each other
JsonValue spec_of_rules(QuantityReader& reader, const std::string& kind);

}  // namespace vernier
