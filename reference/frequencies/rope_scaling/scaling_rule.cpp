#include "reference/frequencies/rope_scaling/scaling_rule.hpp"

#include <string>

#include "reference/keys/key_visitor.hpp"
#include "reference/keys/parameters.hpp"
#include "reference/numbers/position_range.hpp"

namespace vernier {
namespace {

constexpr std::string_view factor_key = "factor";
constexpr std::string_view original_key = "original_max_position_embeddings";
constexpr std::int64_t shortest_original = 2;

const NumberRange& scaling_factors() {
  static const NumberRange range{1, 1'000'000, "a number from 1 to 1e6"};
  return range;
}

KeyDomain original_lengths() {
  return integer(shortest_original, largest_position);
}

}  // namespace

void visit_scaling_factor(KeyVisitor& visit, Rational& factor, bool is_required) {
  const auto domain = number(scaling_factors());
  if (is_required) {
    visit.required(factor_key, factor, domain);
  } else {
    visit.defaulted(factor_key, factor, domain);
  }
}

void visit_original_length(KeyVisitor& visit, std::int64_t& length) {
  visit.required(original_key, length, original_lengths());
}

void visit_original_length(KeyVisitor& visit, std::int64_t& length, const RotaryContext& context) {
  if (context.max_position_embeddings) {
    visit.fallback(length, *context.max_position_embeddings);
  } else {
    visit.needed(original_key, "the trained length, here or as max_position_embeddings beside rope_scaling");
  }
  visit.defaulted(original_key, length, original_lengths());
  visit.require(length >= shortest_original, original_key,
                integer_from_to(shortest_original, largest_position));
}

void visit_extension(KeyVisitor& visit, Rational& factor, std::int64_t original_length,
                     const RotaryContext& context) {
  const auto& stated = context.max_position_embeddings;
  if (!stated) {
    visit.needed(factor_key, "a factor, or max_position_embeddings beside rope_scaling to make it from");
  } else {
    visit.fallback(factor, Rational(*stated, original_length));
  }
  visit_scaling_factor(visit, factor, false);
  visit.require(scaling_factors().contains(factor), original_key,
                "at most max_position_embeddings, " + std::to_string(stated.value_or(0)));
}

void visit_attention_factor(KeyVisitor& visit, std::optional<Rational>& factor) {
  visit.optional("attention_factor", factor, number(positive_range()));
}

void take_length(KeyVisitor& visit, std::int64_t& length, const RotaryContext& context,
                 std::string_view what_for) {
  visit.require_all(
      context.length().has_value(),
      "expected sequence_length or max_position_embeddings beside it, " + std::string(what_for));
  visit.fallback(length, context.length().value_or(length));
}

}  // namespace vernier
