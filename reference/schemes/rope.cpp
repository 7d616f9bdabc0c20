#include "reference/schemes/rope.hpp"

#include <algorithm>
#include <array>

#include <fmt/core.h>

#include "reference/keys/parameters.hpp"
#include "reference/schemes/encoding_of.hpp"
#include "reference/schemes/rotary_keys.hpp"
#include "reference/schemes/schemes.hpp"
#include "reference/support/mapped.hpp"

namespace vernier {
namespace {

using Direction = RopeSpec::Direction;

constexpr std::array<std::string_view, 2> direction_names{"counterclockwise", "clockwise"};

}  // namespace

void RopeSpec::keys(KeyVisitor& visit) {
  visit.required("head_dim", head_dim, integer(2, largest_dimension));
  visit.require(head_dim % 2 == 0, "head_dim", "an even number, as dimensions rotate in pairs");
  visit.defaulted("rope_theta", rope_theta, number(base_range()));
  visit_layout(visit, layout);
  visit_rotary_part(visit);
  visit.defaulted("direction", direction, one_of(direction_names));
  visit_operation(visit, operation, true);
  visit.optional("max_position_embeddings", max_position_embeddings, integer(1, largest_position));
  visit.optional("sequence_length", sequence_length, integer(1, largest_position));
  visit_scaling(visit);
  visit.optional("rotary_offset", rotary_offset,
                 integer(0, head_dim - std::min<std::int64_t>(rotary_dim(), head_dim)));
  positions.keys(visit);
  visit.require(operation != RotationOperation::shift || positions.map.is_plain(), "operation",
                "one other than \"shift\", because a shift is between positions that count from 0 by 1");
}

/// As a factor, unless only the number of dimensions is exact in decimals.
void RopeSpec::visit_rotary_part(KeyVisitor& visit) {
  static const NumberRange shares{0, 1, "a number greater than 0 and at most 1", true};
  std::optional<Rational> share;
  std::optional<std::int64_t> dimensions;
  if (!visit.fills()) {
    if (parse_rational(json_number(partial_rotary_factor).dump()) == partial_rotary_factor) {
      share = partial_rotary_factor;
    } else {
      dimensions = as_integer(partial_rotary_factor * head_dim).value_or(rotary_dim());
    }
  }
  visit.optional("partial_rotary_factor", share, number(shares));
  visit.optional("rotary_dim", dimensions, integer(2, head_dim));
  visit.require(!share || !dimensions, "rotary_dim", "either it or partial_rotary_factor, not both");
  visit.require(!dimensions || *dimensions % 2 == 0, "rotary_dim",
                "an even number, as dimensions rotate in pairs");
  visit.fallback(partial_rotary_factor, share ? *share : Rational(dimensions.value_or(head_dim), head_dim));
}

void RopeSpec::visit_scaling(KeyVisitor& visit) {
  const auto require_pairs = [&] {
    const int rotating = rotary_dim();
    visit.require(
        rotating >= 2 && rotating % 2 == 0, "partial_rotary_factor",
        fmt::format("a factor that makes an even number of at least 2 rotating dimensions out of {}, "
                    "not {}",
                    head_dim, rotating));
    return rotating;
  };
  const bool is_there = visit.object("rope_scaling", !std::holds_alternative<Unscaled>(scaling) || mrope,
                                     [&](KeyVisitor& within) {
                                       visit_rope_type(within, scaling, true);
                                       const int rotating = require_pairs();
                                       visit_keys(within, scaling,
                                                  {.rope_theta = rope_theta,
                                                   .head_dim = static_cast<int>(head_dim),
                                                   .rotary_dim = rotating,
                                                   .partial_rotary_factor = partial_rotary_factor,
                                                   .max_position_embeddings = max_position_embeddings,
                                                   .sequence_length = sequence_length});
                                       MropeAxes::keys(within, mrope, rotating / 2);
                                     });
  if (!is_there) {
    require_pairs();
  }
}

int RopeSpec::rotary_dim() const {
  const auto type = std::visit([](const auto& rule) { return rule.type; }, scaling);
  if (partial_rotary_factor == 1 || spans_head(type)) {
    return static_cast<int>(head_dim);
  }
  const boost::multiprecision::mpz_int whole =
      head_dim * numerator(partial_rotary_factor) / denominator(partial_rotary_factor);
  return static_cast<int>(whole);
}

Frequencies RopeSpec::frequencies() const {
  return std::holds_alternative<Unscaled>(scaling)
             ? positions.of(unscaled_frequencies())
             : positions.of(ScaledFrequencies{unscaled_frequencies(), scaling});
}

std::optional<RopeSpec> RopeSpec::transposed() const {
  if (operation == RotationOperation::inverse || operation == RotationOperation::shift) {
    return std::nullopt;
  }
  auto result = *this;
  result.operation =
      operation == RotationOperation::forward ? RotationOperation::transpose : RotationOperation::forward;
  return result;
}

std::pair<int, int> RopeSpec::dimensions(int pair) const {
  const auto [first, second] = columns(pair);
  const auto before = static_cast<int>(rotary_offset);
  return {before + first, before + second};
}

TrigTable RopeSpec::table(Component component) const {
  TrigTable result{component == Component::sine ? "sin" : "cos",
                   frequencies(),
                   amplitude(),
                   {},
                   std::nullopt,
                   positions.map};
  for (int pair = 0; pair < pairs(); ++pair) {
    result.columns.push_back({pair, component});
  }
  return result;
}

TrigTable RopeSpec::table_of_vectors(Component component) const {
  auto result = table(component);
  result.amplitude = amplitude_of_vectors();
  return result;
}

std::vector<TrigTable> RopeSpec::tables() const {
  std::vector<TrigTable> result;
  for (const auto component : {Component::cosine, Component::sine}) {
    const auto single = table(component);
    auto duplicated = single;
    duplicated.columns.resize(static_cast<std::size_t>(rotary_dim()));
    for (int pair = 0; pair < pairs(); ++pair) {
      const auto [first, second] = columns(pair);
      duplicated.columns[static_cast<std::size_t>(first)] = {pair, component};
      duplicated.columns[static_cast<std::size_t>(second)] = {pair, component};
    }
    result.push_back(single);
    result.push_back(duplicated);
  }
  return result;
}

std::vector<TensorDefinition> RopeSpec::tensors() const {
  const auto of_one_position = tables();
  std::vector<TurnedTable> of_axes;
  if (mrope) {
    const PositionAxes axes{static_cast<std::size_t>(mrope->count()),
                            [of = *mrope](std::int64_t position) { return of.of_text(position); }};
    for (const auto& table : of_one_position) {
      auto of_columns = mapped(table.columns, [&](const auto& column) { return mrope->axis(column.pair); });
      of_axes.emplace_back(table, TurnedTable::Axes{std::move(of_columns), axes});
    }
  }
  std::vector<TensorDefinition> result;
  if (of_axes.empty() || of_axes.front().turns_by_one_position()) {
    result.assign(of_one_position.begin(), of_one_position.end());
  }
  result.insert(result.end(), of_axes.begin(), of_axes.end());
  result.emplace_back(rotation());
  return result;
}

std::optional<std::int64_t> RopeSpec::length_of_sequence() const {
  return std::visit(
      [](const auto& rule) -> std::optional<std::int64_t> {
        if constexpr (requires { rule.sequence_length; }) {
          return rule.sequence_length;
        } else {
          return std::nullopt;
        }
      },
      scaling);
}

HeadRotation RopeSpec::rotation() const {
  HeadRotation result{table(Component::cosine), static_cast<std::size_t>(head_dim), {}, {}};
  const int sign = direction == Direction::counterclockwise ? 1 : -1;
  for (int pair = 0; pair < pairs(); ++pair) {
    const auto [first, second] = dimensions(pair);
    const auto a = static_cast<std::size_t>(first);
    const auto b = static_cast<std::size_t>(second);
    result.rotated.push_back({a, a, b, -sign, pair});
    result.rotated.push_back({b, b, a, sign, pair});
    result.pairs.emplace_back(a, b);
    if (mrope) {
      result.axes.push_back(mrope->axis(pair));
    }
  }
  return with_operation(std::move(result), operation);
}

std::string RopeSpec::summary() const {
  std::string text =
      fmt::format("RoPE, head_dim {}, base {}, {} layout", head_dim, to_string(rope_theta), name_of(layout));
  if (rotary_dim() != head_dim) {
    text += fmt::format(", {} dimensions rotate{}", rotary_dim(),
                        rotary_offset == 0 ? "" : fmt::format(" behind {} others", rotary_offset));
  }
  if (direction == Direction::clockwise) {
    text += ", clockwise";
  }
  text += summary_of(operation);
  if (!std::holds_alternative<Unscaled>(scaling)) {
    text += ", " + vernier::summary(scaling);
  }
  if (mrope) {
    text += ", " + mrope->summary();
  }
  return text + positions.summary();
}

std::vector<Scheme> rope_schemes() {
  return schemes_of<RopeSpec>();
}

}  // namespace vernier
