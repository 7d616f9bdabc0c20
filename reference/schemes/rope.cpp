#include "reference/schemes/rope.hpp"

#include <array>

#include "reference/schemes/parameters.hpp"

namespace vernier {
namespace {

using Layout = RopeSpec::Layout;
using Direction = RopeSpec::Direction;

constexpr std::array<std::string_view, 2> layout_names{"half", "interleaved"};
constexpr std::array<std::string_view, 2> direction_names{"counterclockwise", "clockwise"};

/// Only the unscaled rotation is known here: anything else is refused by name, never approximated.
void read_rope_scaling(ObjectReader& reader) {
  auto scaling = reader.optional_object("rope_scaling");
  if (!scaling) {
    return;
  }
  const auto* key = scaling->has("type") && !scaling->has("rope_type") ? "type" : "rope_type";
  if (scaling->string(key) != "default") {
    scaling->refuse(key, "\"default\": this version knows no scaled RoPE");
  }
  scaling->finish();
}

std::unique_ptr<Encoding> parse(ObjectReader& reader) {
  RopeSpec spec;
  spec.head_dim = reader.integer("head_dim", 2, largest_dimension);
  if (spec.head_dim % 2 != 0) {
    reader.refuse("head_dim", "an even number, as dimensions rotate in pairs");
  }
  spec.rope_theta = read_base(reader, "rope_theta").value_or(spec.rope_theta);
  spec.layout = static_cast<Layout>(reader.choice("layout", {layout_names[0], layout_names[1]}, 0));
  const auto share = reader.optional_number(
      "partial_rotary_factor", [](const Rational& x) { return x > 0 && x <= 1; },
      "a number greater than 0 and at most 1");
  spec.partial_rotary_factor = share.value_or(spec.partial_rotary_factor);
  if (const int rotating = spec.rotary_dim(); rotating < 2 || rotating % 2 != 0) {
    reader.refuse("partial_rotary_factor",
                  "a factor that makes an even number of at least 2 rotating dimensions out of " +
                      std::to_string(spec.head_dim) + ", not " + std::to_string(rotating));
  }
  spec.direction =
      static_cast<Direction>(reader.choice("direction", {direction_names[0], direction_names[1]}, 0));
  spec.max_position_embeddings = reader.optional_integer("max_position_embeddings", 1, largest_position);
  reader.ignore("sequence_length");
  read_rope_scaling(reader);
  return std::make_unique<RopeEncoding>(spec);
}

}  // namespace

int RopeSpec::rotary_dim() const {
  const Rational exact = head_dim * partial_rotary_factor;
  return static_cast<int>(boost::multiprecision::mpz_int(numerator(exact) / denominator(exact)));
}

GeometricFrequencies RopeSpec::frequencies() const {
  return {rope_theta, Rational(2, rotary_dim()), pairs()};
}

std::pair<int, int> RopeSpec::dimensions(int pair) const {
  return layout == Layout::half ? std::pair(pair, pair + pairs()) : std::pair(2 * pair, 2 * pair + 1);
}

TrigTable RopeEncoding::table(Component component) const {
  TrigTable result{component == Component::sine ? "sin" : "cos", spec_.frequencies(), 1, {}, std::nullopt};
  for (int pair = 0; pair < spec_.pairs(); ++pair) {
    result.columns.push_back({pair, component});
  }
  return result;
}

std::vector<TrigTable> RopeEncoding::tables() const {
  std::vector<TrigTable> result;
  for (const auto component : {Component::cosine, Component::sine}) {
    const auto single = table(component);
    auto duplicated = single;
    duplicated.columns.resize(static_cast<std::size_t>(spec_.rotary_dim()));
    for (int pair = 0; pair < spec_.pairs(); ++pair) {
      const auto [first, second] = spec_.dimensions(pair);
      duplicated.columns[static_cast<std::size_t>(first)] = {pair, component};
      duplicated.columns[static_cast<std::size_t>(second)] = {pair, component};
    }
    result.push_back(single);
    result.push_back(duplicated);
  }
  return result;
}

std::string RopeEncoding::summary() const {
  std::string text = "RoPE, head_dim " + std::to_string(spec_.head_dim) + ", base " +
                     to_string(spec_.rope_theta) + ", " +
                     std::string(layout_names[static_cast<std::size_t>(spec_.layout)]) + " layout";
  if (spec_.rotary_dim() != spec_.head_dim) {
    text += ", " + std::to_string(spec_.rotary_dim()) + " dimensions rotate";
  }
  if (spec_.direction == Direction::clockwise) {
    text += ", clockwise";
  }
  return text;
}

OrderedJson RopeEncoding::spec() const {
  OrderedJson result{{"scheme", "rope"},
                     {"head_dim", spec_.head_dim},
                     {"rope_theta", json_number(spec_.rope_theta)},
                     {"layout", layout_names[static_cast<std::size_t>(spec_.layout)]},
                     {"partial_rotary_factor", json_number(spec_.partial_rotary_factor)},
                     {"direction", direction_names[static_cast<std::size_t>(spec_.direction)]}};
  if (spec_.max_position_embeddings) {
    result["max_position_embeddings"] = *spec_.max_position_embeddings;
  }
  return result;
}

Scheme rope_scheme() {
  return {"rope",
          "rotation of each pair of a query or key by an angle proportional to the position (Su et al. 2021)",
          parse};
}

}  // namespace vernier
