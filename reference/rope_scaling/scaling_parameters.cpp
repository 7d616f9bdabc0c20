#include "reference/rope_scaling/scaling_parameters.hpp"

#include <string>

#include "reference/schemes/parameters.hpp"
#include "reference/trig_table.hpp"

namespace vernier {
namespace {

constexpr KeyText factor_key{"factor", "s, by which the context is extended"};
constexpr KeyText original_key{"original_max_position_embeddings",
                               "n, the length that the model was trained with", "positions"};
constexpr std::int64_t shortest_original = 2;

const NumberRange& scaling_factors() {
  static const NumberRange range{1, 1'000'000, "a number from 1 to 1e6"};
  return range;
}

KeyDomain original_lengths() {
  return integer(shortest_original, largest_position);
}

}  // namespace

void visit_scaling_factor(KeyVisitor& visit, Rational& factor, KeyVisitor::Presence presence) {
  const auto domain = number(scaling_factors());
  if (presence == KeyVisitor::Presence::required) {
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
    visit.needed(original_key.name,
                 "the trained length, here or as max_position_embeddings beside rope_scaling");
  }
  visit.defaulted(original_key, length, original_lengths());
  visit.require(length >= shortest_original, original_key.name,
                integer_from_to(shortest_original, largest_position));
}

void visit_extension(KeyVisitor& visit, Rational& factor, std::int64_t original_length,
                     const RotaryContext& context) {
  const auto& stated = context.max_position_embeddings;
  if (!stated) {
    visit.needed(factor_key.name, "a factor, or max_position_embeddings beside rope_scaling to make it from");
  } else {
    visit.fallback(factor, Rational(*stated, original_length));
  }
  visit_scaling_factor(visit, factor, KeyVisitor::Presence::defaulted);
  visit.require(scaling_factors().contains(factor), original_key.name,
                "at most max_position_embeddings, " + std::to_string(stated.value_or(0)));
}

void visit_attention_factor(KeyVisitor& visit, std::optional<Rational>& factor) {
  visit.optional(
      {"attention_factor", "what cosine and sine are multiplied by, in place of what follows from s"}, factor,
      number(positive_range()));
}

void take_length(KeyVisitor& visit, std::int64_t& length, const RotaryContext& context,
                 std::string_view what_for) {
  visit.require_all(
      context.length().has_value(),
      "expected sequence_length or max_position_embeddings beside it, " + std::string(what_for));
  visit.fallback(length, context.length().value_or(length));
}

}  // namespace vernier
