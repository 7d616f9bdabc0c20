#pragma once

#include <string>
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

/// Whether the scaling is one of the whole head, whatever part of it rotates.
bool spans_head(std::string_view type);

/// "rope_type", which says what scaling it is. \param has_older_names whether "type" is read too, and what
/// types were called before
void visit_rope_type(KeyVisitor& visit, RopeScaling& scaling, bool has_older_names);
/// The keys of the scaling itself.
void visit_keys(KeyVisitor& visit, RopeScaling& scaling, const RotaryContext& context);

std::string summary(const RopeScaling& scaling);
/// What cosine and sine are multiplied by.
Amplitude amplitude(const RopeScaling& scaling);

}  // namespace vernier
