#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "reference/json.hpp"
#include "reference/rational.hpp"
#include "reference/rope_scaling/rotary_context.hpp"

namespace vernier {

/// "factor", s: from 1 to 1e6.
Rational read_scaling_factor(ObjectReader& reader);
std::optional<Rational> read_optional_scaling_factor(ObjectReader& reader);

/// "original_max_position_embeddings", the length the model was trained with before it was extended: from 2
/// to 2^31.
std::int64_t read_original_length(ObjectReader& reader);
/// The same, or where it is absent the model's stated context.
std::int64_t read_original_length(ObjectReader& reader, const RotaryContext& context);

/// The length in use, or the model's stated context. \param why one of them must be known
std::int64_t known_length(const ObjectReader& reader, const RotaryContext& context, std::string_view why);

/// "factor", or where it is absent the stated context over the original length.
Rational read_extension(ObjectReader& reader, const RotaryContext& context, std::int64_t original_length);

/// "attention_factor", what multiplies cosine and sine: greater than 0.
std::optional<Rational> read_attention_factor(ObjectReader& reader);

}  // namespace vernier
