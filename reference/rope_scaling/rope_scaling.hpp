#pragma once

#include <string_view>
#include <variant>

#include "reference/rope_scaling/linear.hpp"
#include "reference/rope_scaling/llama3.hpp"
#include "reference/rope_scaling/longrope.hpp"
#include "reference/rope_scaling/ntk.hpp"
#include "reference/rope_scaling/ntk_by_parts.hpp"
#include "reference/rope_scaling/proportional.hpp"
#include "reference/rope_scaling/unscaled.hpp"
#include "reference/rope_scaling/yarn.hpp"

namespace vernier {

/// How the frequencies of RoPE are changed to reach further than the length they were trained with. Each
/// alternative is a file here, with the members that `Unscaled` has; a new one is one more, and one name in
/// this list.
using RopeScaling = std::variant<Unscaled, LinearScaling, StaticNtk, DynamicNtk, QwenDynamicNtk, NtkByParts,
                                 YarnScaling, LongRopeScaling, Llama3Scaling, ProportionalScaling>;

/// The names of all of them, in quotation marks, for error sentences.
std::string rope_scaling_names();
/// Whether `type` names one of them.
bool is_rope_scaling(std::string_view type);
/// Whether the scaling is one of the whole head, whatever part of it rotates.
bool spans_head(std::string_view type);

/// Reads the parameters of the scaling that `type` names. \throws InputError
RopeScaling read_rope_scaling(std::string_view type, ObjectReader& reader, const RotaryContext& context);

/// The object that reads back as this scaling.
OrderedJson to_json(const RopeScaling& scaling);
std::string summary(const RopeScaling& scaling);
/// What cosine and sine are multiplied by.
Amplitude amplitude(const RopeScaling& scaling);

}  // namespace vernier
