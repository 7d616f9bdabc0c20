#include "reference/schemes/xpos.hpp"

#include <array>
#include <memory>

#include <fmt/core.h>

#include "reference/schemes/parameters.hpp"
#include "reference/schemes/rotary_layout.hpp"
#include "reference/schemes/rotary_operation.hpp"
#include "reference/schemes/schemes.hpp"

namespace vernier {
namespace {

using Layout = RopeSpec::Layout;
using Operand = XposSpec::Operand;

constexpr std::array<XposCentre, 3> centres{{
    {.name = "torchscale", .rounds_up = true, .layout = Layout::interleaved},
    {.name = "flash_attn", .rounds_up = false, .layout = Layout::half},
    {.name = "x_transformers", .rounds_up = false, .layout = Layout::interleaved},
}};

std::unique_ptr<Encoding> parse_xpos(ObjectReader& reader) {
  XposSpec spec;
  spec.head_dim = reader.integer("head_dim", 2, largest_dimension);
  if (spec.head_dim % 2 != 0) {
    reader.refuse("head_dim", "an even number, as dimensions rotate in pairs");
  }
  spec.rope_theta = read_base(reader, "rope_theta").value_or(spec.rope_theta);
  spec.scale_base = read_positive(reader, "scale_base").value_or(spec.scale_base);
  spec.centre = &centres[reader.choice("centre", {centres[0].name, centres[1].name, centres[2].name}, 0)];
  spec.layout = read_layout(reader, spec.centre->layout);
  spec.sequence_length = reader.integer("sequence_length", 1, largest_position);
  spec.operation = read_operation(reader);
  spec.frequency_scale =
      reader
          .optional_constant("frequency_scale", is_factor,
                             "a number from 1e-12 to 1e12, or one written as text (\"1/7\")")
          .value_or(spec.frequency_scale);
  return std::make_unique<XposEncoding>(std::move(spec));
}

}  // namespace

std::span<const XposCentre> xpos_centres() {
  return centres;
}

std::int64_t XposSpec::centre_position() const {
  return (sequence_length + (centre->rounds_up ? 1 : 0)) / 2;
}

Rational XposSpec::ratio(int pair) const {
  return Rational(10 * std::int64_t{pair} + 2 * head_dim, 7 * head_dim);
}

PositionScale XposSpec::scale(Operand operand) const {
  PositionScale result{{}, centre_position(), scale_base, operand == Operand::key};
  for (int pair = 0; pair < pairs(); ++pair) {
    result.ratios.push_back(ratio(pair));
  }
  return result;
}

Real XposSpec::scale(Operand operand, std::int64_t position, int pair) const {
  return scale(operand).at(position, pair);
}

RopeEncoding XposSpec::rotation() const {
  return RopeEncoding({.head_dim = head_dim,
                       .rope_theta = rope_theta,
                       .layout = layout,
                       .positions = {.map = {}, .frequency_scale = frequency_scale}});
}

std::vector<TensorDefinition> XposEncoding::define_tensors() const {
  std::vector<TensorDefinition> result;
  const auto tables = spec_.rotation().tables();
  for (const auto& table : tables) {
    auto of_keys = table;
    of_keys.role += "_k";
    result.emplace_back(TurnedTable(table, spec_.scale(Operand::query), false));
    result.emplace_back(TurnedTable(std::move(of_keys), spec_.scale(Operand::key), false));
  }
  for (const auto& table : tables) {
    if (table.role == "cos") {
      auto scales = table;
      scales.role = "scale";
      result.emplace_back(TurnedTable(std::move(scales), spec_.scale(Operand::query), true));
    }
  }
  for (const auto operand : {Operand::query, Operand::key}) {
    auto rotation = rotation_of(spec_.rotation());
    rotation.scale = spec_.scale(operand);
    rotation.is_of_keys = operand == Operand::key;
    result.emplace_back(with_operation(std::move(rotation), spec_.operation));
  }
  return result;
}

std::string XposEncoding::summary() const {
  return fmt::format(
             "xPos, head_dim {}, base {}, {} layout, scale base {}, centre {} as in {} for the length {}",
             spec_.head_dim, to_string(spec_.rope_theta), name_of(spec_.layout), to_string(spec_.scale_base),
             spec_.centre_position(), spec_.centre->name, spec_.sequence_length) +
         RealPositions{.map = {}, .frequency_scale = spec_.frequency_scale}.summary() +
         summary_of(spec_.operation);
}

OrderedJson XposEncoding::spec() const {
  OrderedJson result{{"scheme", "xpos"},
                     {"head_dim", spec_.head_dim},
                     {"rope_theta", json_number(spec_.rope_theta)},
                     {"layout", name_of(spec_.layout)},
                     {"scale_base", json_number(spec_.scale_base)},
                     {"centre", spec_.centre->name},
                     {"sequence_length", spec_.sequence_length}};
  write_operation(result, spec_.operation);
  RealPositions{.map = {}, .frequency_scale = spec_.frequency_scale}.write(result);
  return result;
}

Scheme xpos_scheme() {
  return {
      "xpos",
      "RoPE whose queries shrink and whose keys grow with the position, so that scores decay (Sun et al. "
      "2022)",
      parse_xpos,
      {R"({"scheme":"xpos","head_dim":16,"sequence_length":256})",
       R"({"scheme":"xpos","head_dim":8,"sequence_length":99,"centre":"x_transformers","frequency_scale":"1/3"})"}};
}

}  // namespace vernier
