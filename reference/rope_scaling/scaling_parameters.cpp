#include "reference/rope_scaling/scaling_parameters.hpp"

#include "reference/schemes/parameters.hpp"
#include "reference/trig_table.hpp"

namespace vernier {
namespace {

constexpr std::string_view factor_key = "factor";
constexpr std::string_view original_key = "original_max_position_embeddings";
constexpr std::int64_t shortest_original = 2;

bool is_scaling_factor(const Rational& value) {
  return value >= 1 && value <= 1'000'000;
}
constexpr std::string_view scaling_factor_words = "a number from 1 to 1e6";

}  // namespace

Rational read_scaling_factor(ObjectReader& reader) {
  return reader.number(factor_key, is_scaling_factor, scaling_factor_words);
}

std::optional<Rational> read_optional_scaling_factor(ObjectReader& reader) {
  return reader.optional_number(factor_key, is_scaling_factor, scaling_factor_words);
}

std::int64_t read_original_length(ObjectReader& reader) {
  return reader.integer(original_key, shortest_original, largest_position);
}

std::int64_t read_original_length(ObjectReader& reader, const RotaryContext& context) {
  const auto given = reader.optional_integer(original_key, shortest_original, largest_position);
  if (!given && !context.max_position_embeddings) {
    reader.refuse(original_key, "the trained length, here or as max_position_embeddings beside rope_scaling");
  }
  return given ? *given : *context.max_position_embeddings;
}

Rational read_extension(ObjectReader& reader, const RotaryContext& context, std::int64_t original_length) {
  if (const auto factor = read_optional_scaling_factor(reader)) {
    return *factor;
  }
  if (!context.max_position_embeddings) {
    reader.refuse(factor_key, "a factor, or max_position_embeddings beside rope_scaling to make it from");
  }
  const Rational extension(*context.max_position_embeddings, original_length);
  if (!is_scaling_factor(extension)) {
    reader.refuse(original_key,
                  "at most max_position_embeddings, " + std::to_string(*context.max_position_embeddings));
  }
  return extension;
}

std::optional<Rational> read_attention_factor(ObjectReader& reader) {
  return read_positive(reader, "attention_factor");
}

}  // namespace vernier
