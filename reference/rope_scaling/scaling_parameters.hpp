#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "reference/keys/key_visitor.hpp"
#include "reference/rational.hpp"
#include "reference/rope_scaling/rotary_context.hpp"

namespace vernier {

/// \name Keys that several scalings have
/// @{
/// "factor", s. \param presence whether it must be there
void visit_scaling_factor(KeyVisitor& visit, Rational& factor,
                          KeyVisitor::Presence presence = KeyVisitor::Presence::required);
/// "original_max_position_embeddings", the length the model was trained with before it was extended.
void visit_original_length(KeyVisitor& visit, std::int64_t& length);
/// The same, or where it is absent the model's stated context.
void visit_original_length(KeyVisitor& visit, std::int64_t& length, const RotaryContext& context);
/// "factor", or where it is absent the stated context over the original length.
void visit_extension(KeyVisitor& visit, Rational& factor, std::int64_t original_length,
                     const RotaryContext& context);
/// "attention_factor", what multiplies cosine and sine.
void visit_attention_factor(KeyVisitor& visit, std::optional<Rational>& factor);
/// @}

/// The length that a scaling depends on, which its context says. \param what_for in a refusal of none
void take_length(KeyVisitor& visit, std::int64_t& length, const RotaryContext& context,
                 std::string_view what_for);

}  // namespace vernier
