#include "props/test/scaled_rope.hpp"

#include <algorithm>
#include <array>

#include "reference/keys/parameters.hpp"
#include "reference/schemes/encoding_of.hpp"
#include "reference/test/parsed.hpp"

namespace vernier {
namespace {

/// What a scaling's parameters are drawn for.
struct Model {
  int pairs;
  std::int64_t original_length;
};

template <class Value, std::size_t size>
Value one_of(Dice& dice, const std::array<Value, size>& values) {
  return values[static_cast<std::size_t>(dice.between(0, size - 1))];
}

/// Quarters, so that specs write them exactly.
OrderedJson quarters(Dice& dice, std::int64_t lowest, std::int64_t highest) {
  return json_number(Rational(dice.between(lowest, highest), 4));
}

OrderedJson drawn_factor(Dice& dice) {
  return quarters(dice, 5, 256);
}

OrderedJson linear(Dice& dice, const Model&) {
  return {{"factor", drawn_factor(dice)}};
}

OrderedJson ntk(Dice& dice, const Model&) {
  return {{"alpha", drawn_factor(dice)}};
}

OrderedJson by_length(Dice&, const Model& model) {
  return {{"original_max_position_embeddings", model.original_length}};
}

OrderedJson by_factor_and_length(Dice& dice, const Model& model) {
  return {{"factor", drawn_factor(dice)}, {"original_max_position_embeddings", model.original_length}};
}

OrderedJson yarn(Dice& dice, const Model& model) {
  auto result = by_factor_and_length(dice, model);
  if (dice.chance(50)) {
    result["truncate"] = dice.chance(50);
  }
  if (dice.chance(30)) {
    result["beta_slow"] = quarters(dice, 1, 8);
    result["beta_fast"] = quarters(dice, 9, 256);
  }
  if (dice.chance(40)) {
    result["mscale"] = quarters(dice, 0, 8);
    result["mscale_all_dim"] = quarters(dice, 0, 8);
  }
  if (dice.chance(20)) {
    result["attention_factor"] = quarters(dice, 1, 8);
  }
  if (dice.chance(20)) {
    result["clamp"] = "pairs";
  }
  return result;
}

OrderedJson longrope(Dice& dice, const Model& model) {
  auto result = by_factor_and_length(dice, model);
  for (const auto* key : {"short_factor", "long_factor"}) {
    auto& divisors = result[key] = OrderedJson::array();
    for (int pair = 0; pair < model.pairs; ++pair) {
      divisors.push_back(quarters(dice, 4, 256));
    }
  }
  if (dice.chance(20)) {
    result["attention_factor"] = quarters(dice, 1, 8);
  } else if (dice.chance(30)) {
    result["short_mscale"] = quarters(dice, 1, 8);
    result["long_mscale"] = quarters(dice, 1, 8);
  }
  return result;
}

OrderedJson llama3(Dice& dice, const Model& model) {
  auto result = by_factor_and_length(dice, model);
  const auto low = dice.between(1, 16);
  result["low_freq_factor"] = json_number(Rational(low, 4));
  result["high_freq_factor"] = json_number(Rational(dice.chance(20) ? low : low + dice.between(1, 256), 4));
  return result;
}

struct Kind {
  std::string_view type;
  bool by_length;  ///< the frequencies depend on the sequence's length
  OrderedJson (*parameters)(Dice&, const Model&);
};

constexpr std::array<Kind, 9> kinds{{{"linear", false, linear},
                                     {"ntk", false, ntk},
                                     {"dynamic", true, by_factor_and_length},
                                     {"dynamic_qwen", true, by_length},
                                     {"ntk_by_parts", false, by_factor_and_length},
                                     {"yarn", false, yarn},
                                     {"longrope", true, longrope},
                                     {"llama3", false, llama3},
                                     {"proportional", false, linear}}};

template <class Condition>
std::vector<std::string> types_where(const Condition& condition) {
  std::vector<std::string> result;
  for (const auto& kind : kinds) {
    if (condition(kind)) {
      result.emplace_back(kind.type);
    }
  }
  return result;
}

/// Half of those beyond the trained length are uniform, half mostly near it.
std::int64_t drawn_length(Dice& dice, std::int64_t original_length) {
  return dice.chance(20)   ? original_length
         : dice.chance(40) ? dice.between(3, original_length - 1)
         : dice.chance(50) ? dice.between(original_length + 1, 9 * original_length)
                           : original_length + 1 + dice.logarithmic(8 * original_length - 1);
}

}  // namespace

const std::vector<std::string>& scaling_types() {
  static const auto types = types_where([](const Kind&) { return true; });
  return types;
}

const std::vector<std::string>& length_dependent_types() {
  static const auto types = types_where([](const Kind& kind) { return kind.by_length; });
  return types;
}

const std::vector<std::string>& fixed_types() {
  static const auto types = types_where([](const Kind& kind) { return !kind.by_length; });
  return types;
}

OrderedJson drawn_rope(Dice& dice, std::string_view type) {
  const auto head_dim = 2 * dice.between(3, 16);
  const auto original_length = 32 * dice.between(2, 1024);
  OrderedJson result{{"scheme", "rope"},
                     {"head_dim", head_dim},
                     {"rope_theta", one_of(dice, std::array{10, 10000, 500000, 5000000})},
                     {"layout", one_of(dice, std::array{"half", "interleaved"})},
                     {"direction", one_of(dice, std::array{"counterclockwise", "clockwise"})},
                     {"max_position_embeddings", original_length << dice.between(0, 5)},
                     {"sequence_length", drawn_length(dice, original_length)}};
  auto rotary_dim = head_dim;
  if (spans_head(type)) {
    // The whole head, or at least one of three pairs.
    result["partial_rotary_factor"] = json_number(dice.chance(25) ? 1 : Rational(dice.between(7, 19), 20));
  } else if (dice.chance(30)) {
    result["rotary_dim"] = rotary_dim = 2 * dice.between(2, head_dim / 2);
  }
  const auto kind = std::ranges::find(kinds, type, &Kind::type);
  auto& scaling = result["rope_scaling"] =
      kind->parameters(dice, {static_cast<int>(rotary_dim / 2), original_length});
  scaling["rope_type"] = type;
  return result;
}

OrderedJson drawn_rope(Dice& dice, const std::vector<std::string>& types) {
  const auto last = static_cast<std::int64_t>(types.size()) - 1;
  return drawn_rope(dice, types[static_cast<std::size_t>(dice.between(0, last))]);
}

RopeSpec rope_spec(const OrderedJson& spec) {
  return dynamic_cast<const RopeEncoding&>(*parsed(spec.dump())).parameters();
}

std::string type_of(const RopeSpec& spec) {
  return std::visit([](const auto& rule) { return std::string(rule.type); }, spec.scaling);
}

std::int64_t length_of(const RopeSpec& spec) {
  return spec.sequence_length.value();
}

RopeSpec at_length(RopeSpec spec, std::int64_t length) {
  spec.sequence_length = length;
  std::visit(
      [length](auto& rule) {
        if constexpr (requires { rule.sequence_length; }) {
          rule.sequence_length = length;
        }
      },
      spec.scaling);
  return spec;
}

Interval reference_frequency(const RopeSpec& spec, int pair) {
  return spec.frequencies().at(pair);
}

Interval unscaled_frequency(const RopeSpec& spec, int pair) {
  return spec.unscaled_frequencies().at(pair);
}

Turn reference_turn(const RopeSpec& spec, std::int64_t position, int pair) {
  const auto trig = [&](Component component) {
    return spec.table(component).value(position, pair, component)();
  };
  return {trig(Component::cosine), trig(Component::sine)};
}

Judged judged(Outcome outcome, const RopeSpec& spec) {
  return {outcome, {type_of(spec)}};
}

}  // namespace vernier
