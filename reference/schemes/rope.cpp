#include "reference/schemes/rope.hpp"

#include <array>

#include <fmt/core.h>

#include "reference/schemes/parameters.hpp"
#include "reference/schemes/rotary_layout.hpp"
#include "reference/schemes/rotary_operation.hpp"
#include "reference/schemes/schemes.hpp"

namespace vernier {
namespace {

using Layout = RopeSpec::Layout;
using Direction = RopeSpec::Direction;

constexpr std::array<std::string_view, 2> direction_names{"counterclockwise", "clockwise"};

/// The type that a rope_scaling object names, by the field's older names too.
std::string read_type(ObjectReader& scaling) {
  const std::string_view key = scaling.has("type") && !scaling.has("rope_type") ? "type" : "rope_type";
  const auto name = scaling.string(key);
  scaling.ignore("type");
  const auto type = name == "su"      ? std::string(LongRopeScaling::type)
                    : name == "mrope" ? std::string(Unscaled::type)
                                      : name;
  if (!is_rope_scaling(type)) {
    scaling.refuse(key, "one of " + rope_scaling_names());
  }
  return type;
}

bool in_unit_interval(const Rational& x) {
  return x > 0 && x <= 1;
}

/// The part that rotates: as a factor, or as a number of dimensions.
void read_rotary_part(ObjectReader& reader, RopeSpec& spec) {
  const auto share = reader.optional_number("partial_rotary_factor", in_unit_interval,
                                            "a number greater than 0 and at most 1");
  const auto dimensions = reader.optional_integer("rotary_dim", 2, spec.head_dim);
  if (share && dimensions) {
    reader.refuse("rotary_dim", "either it or partial_rotary_factor, not both");
  }
  if (dimensions && *dimensions % 2 != 0) {
    reader.refuse("rotary_dim", "an even number, as dimensions rotate in pairs");
  }
  spec.partial_rotary_factor = share        ? *share
                               : dimensions ? Rational(*dimensions, spec.head_dim)
                                            : spec.partial_rotary_factor;
}

void require_pairs(const ObjectReader& reader, const RopeSpec& spec) {
  if (const int rotating = spec.rotary_dim(); rotating < 2 || rotating % 2 != 0) {
    reader.refuse("partial_rotary_factor",
                  "a factor that makes an even number of at least 2 rotating dimensions out of " +
                      std::to_string(spec.head_dim) + ", not " + std::to_string(rotating));
  }
}

void read_scaling(ObjectReader& reader, RopeSpec& spec) {
  auto scaling = reader.optional_object("rope_scaling");
  const auto type = scaling ? read_type(*scaling) : std::string(Unscaled::type);
  const int rotary_dim = spans_head(type) ? static_cast<int>(spec.head_dim) : spec.rotary_dim();
  if (!spans_head(type)) {
    require_pairs(reader, spec);
  }
  if (!scaling) {
    return;
  }
  spec.scaling = read_rope_scaling(type, *scaling,
                                   {.rope_theta = spec.rope_theta,
                                    .head_dim = static_cast<int>(spec.head_dim),
                                    .rotary_dim = rotary_dim,
                                    .partial_rotary_factor = spec.partial_rotary_factor,
                                    .max_position_embeddings = spec.max_position_embeddings,
                                    .sequence_length = spec.sequence_length});
  spec.mrope = MropeAxes::read(*scaling, rotary_dim / 2);
  scaling->finish();
}

std::unique_ptr<Encoding> parse_rope(ObjectReader& reader) {
  RopeSpec spec;
  spec.head_dim = reader.integer("head_dim", 2, largest_dimension);
  if (spec.head_dim % 2 != 0) {
    reader.refuse("head_dim", "an even number, as dimensions rotate in pairs");
  }
  spec.rope_theta = read_base(reader, "rope_theta").value_or(spec.rope_theta);
  spec.layout = read_layout(reader, Layout::half);
  read_rotary_part(reader, spec);
  spec.direction =
      static_cast<Direction>(reader.choice("direction", {direction_names[0], direction_names[1]}, 0));
  spec.operation = read_operation(reader);
  spec.max_position_embeddings = reader.optional_integer("max_position_embeddings", 1, largest_position);
  spec.sequence_length = reader.optional_integer("sequence_length", 1, largest_position);
  read_scaling(reader, spec);
  spec.positions = RealPositions::read(reader);
  return std::make_unique<RopeEncoding>(spec);
}

/// As a factor, unless only the number of dimensions is exact in decimals.
void write_rotary_part(OrderedJson& to, const RopeSpec& spec) {
  if (parse_rational(json_number(spec.partial_rotary_factor).dump()) == spec.partial_rotary_factor) {
    to["partial_rotary_factor"] = json_number(spec.partial_rotary_factor);
  } else {
    to["rotary_dim"] = spec.rotary_dim();
  }
}

}  // namespace

int RopeSpec::rotary_dim() const {
  const auto type = std::visit([](const auto& rule) { return rule.type; }, scaling);
  if (partial_rotary_factor == 1 || spans_head(type)) {
    return static_cast<int>(head_dim);
  }
  const boost::multiprecision::mpz_int whole =
      head_dim * numerator(partial_rotary_factor) / denominator(partial_rotary_factor);
  return static_cast<int>(whole);
}

GeometricFrequencies RopeSpec::unscaled_frequencies() const {
  return {rope_theta, Rational(2, rotary_dim()), pairs()};
}

Frequencies RopeSpec::frequencies() const {
  return std::holds_alternative<Unscaled>(scaling)
             ? positions.of(unscaled_frequencies())
             : positions.of(ScaledFrequencies{unscaled_frequencies(), scaling});
}

Amplitude RopeSpec::amplitude_of_vectors() const {
  return operation == RotationOperation::inverse ? amplitude().reciprocal() : amplitude();
}

int RopeSpec::sense() const {
  return (direction == Direction::counterclockwise) == (operation == RotationOperation::forward) ? 1 : -1;
}

std::optional<RopeSpec> RopeSpec::transposed() const {
  if (operation == RotationOperation::inverse) {
    return std::nullopt;
  }
  auto result = *this;
  result.operation =
      operation == RotationOperation::forward ? RotationOperation::transpose : RotationOperation::forward;
  return result;
}

std::pair<int, int> RopeSpec::dimensions(int pair) const {
  return layout == Layout::half ? std::pair(pair, pair + pairs()) : std::pair(2 * pair, 2 * pair + 1);
}

TrigTable RopeEncoding::table(Component component) const {
  TrigTable result{component == Component::sine ? "sin" : "cos",
                   spec_.frequencies(),
                   spec_.amplitude(),
                   {},
                   std::nullopt,
                   spec_.positions.map};
  for (int pair = 0; pair < spec_.pairs(); ++pair) {
    result.columns.push_back({pair, component});
  }
  return result;
}

TrigTable RopeEncoding::table_of_vectors(Component component) const {
  auto result = table(component);
  result.amplitude = spec_.amplitude_of_vectors();
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

std::vector<TensorDefinition> RopeEncoding::define_tensors() const {
  const auto of_one_position = tables();
  std::vector<TensorDefinition> result;
  if (spec_.mrope) {
    const auto& mrope = *spec_.mrope;
    const PositionAxes axes{static_cast<std::size_t>(mrope.count()),
                            [mrope](std::int64_t position) { return mrope.of_text(position); }};
    for (const auto& table : of_one_position) {
      std::vector<int> of_columns;
      for (const auto& column : table.columns) {
        of_columns.push_back(mrope.axis(column.pair));
      }
      result.emplace_back(TurnedTable(table, {std::move(of_columns), axes}));
    }
  }
  if (result.empty() || std::get<TurnedTable>(result.front()).turns_by_one_position()) {
    result.insert(result.begin(), of_one_position.begin(), of_one_position.end());
  }
  result.emplace_back(rotation_of(*this));
  return result;
}

std::optional<std::int64_t> RopeEncoding::sequence_length() const {
  return std::visit(
      [](const auto& rule) -> std::optional<std::int64_t> {
        if constexpr (requires { rule.sequence_length; }) {
          return rule.sequence_length;
        } else {
          return std::nullopt;
        }
      },
      spec_.scaling);
}

HeadRotation rotation_of(const RopeEncoding& encoding) {
  const auto& spec = encoding.parameters();
  HeadRotation result{encoding.table(Component::cosine), static_cast<std::size_t>(spec.head_dim), {}, {}};
  const int sign = spec.direction == RopeSpec::Direction::counterclockwise ? 1 : -1;
  for (int pair = 0; pair < spec.pairs(); ++pair) {
    const auto [first, second] = spec.dimensions(pair);
    const auto a = static_cast<std::size_t>(first);
    const auto b = static_cast<std::size_t>(second);
    result.rotated.push_back({a, a, b, -sign, pair});
    result.rotated.push_back({b, b, a, sign, pair});
    result.pairs.emplace_back(a, b);
    if (spec.mrope) {
      result.axes.push_back(spec.mrope->axis(pair));
    }
  }
  return with_operation(std::move(result), spec.operation);
}

std::string RopeEncoding::summary() const {
  std::string text = fmt::format("RoPE, head_dim {}, base {}, {} layout", spec_.head_dim,
                                 to_string(spec_.rope_theta), name_of(spec_.layout));
  if (spec_.rotary_dim() != spec_.head_dim) {
    text += fmt::format(", {} dimensions rotate", spec_.rotary_dim());
  }
  if (spec_.direction == Direction::clockwise) {
    text += ", clockwise";
  }
  text += summary_of(spec_.operation);
  if (!std::holds_alternative<Unscaled>(spec_.scaling)) {
    text += ", " + vernier::summary(spec_.scaling);
  }
  if (spec_.mrope) {
    text += ", " + spec_.mrope->summary();
  }
  text += spec_.positions.summary();
  return text;
}

OrderedJson RopeEncoding::spec() const {
  OrderedJson result{{"scheme", "rope"},
                     {"head_dim", spec_.head_dim},
                     {"rope_theta", json_number(spec_.rope_theta)},
                     {"layout", name_of(spec_.layout)}};
  write_rotary_part(result, spec_);
  result["direction"] = direction_names[static_cast<std::size_t>(spec_.direction)];
  write_operation(result, spec_.operation);
  if (spec_.max_position_embeddings) {
    result["max_position_embeddings"] = *spec_.max_position_embeddings;
  }
  if (spec_.sequence_length) {
    result["sequence_length"] = *spec_.sequence_length;
  }
  if (!std::holds_alternative<Unscaled>(spec_.scaling) || spec_.mrope) {
    auto& scaling = result["rope_scaling"] = to_json(spec_.scaling);
    if (spec_.mrope) {
      spec_.mrope->write(scaling);
    }
  }
  spec_.positions.write(result);
  return result;
}

Scheme rope_scheme() {
  return {
      "rope",
      "rotation of each pair of a query or key by an angle proportional to the position (Su et al. 2021)",
      parse_rope,
      {R"({"scheme":"rope","head_dim":8})", R"({"scheme":"rope","head_dim":64,"rope_theta":500000})",
       R"({"scheme":"rope","head_dim":128,"rope_theta":1000000,"partial_rotary_factor":0.5})",
       R"({"scheme":"rope","head_dim":32,"rope_scaling":{"rope_type":"linear","factor":3}})",
       R"({"scheme":"rope","head_dim":64,"rope_theta":500000,"max_position_embeddings":131072,"rope_scaling":{"rope_type":"llama3","factor":8,"low_freq_factor":1,"high_freq_factor":4,"original_max_position_embeddings":8192}})",
       R"({"scheme":"rope","head_dim":64,"rope_scaling":{"rope_type":"yarn","factor":4,"original_max_position_embeddings":4096}})"}};
}

}  // namespace vernier
