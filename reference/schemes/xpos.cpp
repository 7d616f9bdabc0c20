#include "reference/schemes/xpos.hpp"

#include <array>

#include <fmt/core.h>

#include "reference/keys/parameters.hpp"
#include "reference/schemes/encoding_of.hpp"
#include "reference/schemes/rotary_keys.hpp"
#include "reference/schemes/schemes.hpp"

namespace vernier {
namespace {

constexpr std::array<XposCentre, 3> conventions_of_centre{{
    {.name = "torchscale", .rounds_up = true, .layout = RopeSpec::Layout::interleaved},
    {.name = "flash_attn", .rounds_up = false, .layout = RopeSpec::Layout::half},
    {.name = "x_transformers", .rounds_up = false, .layout = RopeSpec::Layout::interleaved},
}};

}  // namespace

std::span<const XposCentre> xpos_centres() {
  return conventions_of_centre;
}

void XposSpec::keys(KeyVisitor& visit) {
  static const NumberRange factors{factor_range().least, factor_range().greatest,
                                   "a number from 1e-12 to 1e12, or one written as text (\"1/7\")"};
  visit.required("head_dim", head_dim, integer(2, largest_dimension));
  visit.require(head_dim % 2 == 0, "head_dim", "an even number, as dimensions rotate in pairs");
  visit.defaulted("rope_theta", rope_theta, number(base_range()));
  visit.defaulted("scale_base", scale_base, number(positive_range()));
  auto which = static_cast<Choice>(centre == nullptr ? 0 : centre - conventions_of_centre.data());
  visit.defaulted("centre", which, one_of(names_of(conventions_of_centre)));
  visit.fallback(centre, &conventions_of_centre[static_cast<std::size_t>(which)]);
  visit.fallback(layout, centre->layout);
  visit_layout(visit, layout);
  visit.required("sequence_length", sequence_length, integer(1, largest_position));
  visit_operation(visit, operation, true);
  visit.optional("frequency_scale", frequency_scale, constant(factors));
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

RopeSpec XposSpec::rotation() const {
  return {.head_dim = head_dim,
          .rope_theta = rope_theta,
          .layout = layout,
          .positions = {.map = {}, .frequency_scale = frequency_scale}};
}

std::vector<TensorDefinition> XposSpec::tensors() const {
  std::vector<TensorDefinition> result;
  const auto tables = rotation().tables();
  for (const auto& table : tables) {
    auto of_keys = table;
    of_keys.role += "_k";
    result.emplace_back(TurnedTable(table, scale(Operand::query), false));
    result.emplace_back(TurnedTable(std::move(of_keys), scale(Operand::key), false));
  }
  for (const auto& table : tables) {
    if (table.role == "cos") {
      auto scales = table;
      scales.role = "scale";
      result.emplace_back(TurnedTable(std::move(scales), scale(Operand::query), true));
    }
  }
  for (const auto operand : {Operand::query, Operand::key}) {
    auto of_operand = rotation().rotation();
    of_operand.scale = scale(operand);
    of_operand.is_of_keys = operand == Operand::key;
    result.emplace_back(with_operation(std::move(of_operand), operation));
  }
  return result;
}

std::string XposSpec::summary() const {
  return fmt::format(
             "xPos, head_dim {}, base {}, {} layout, scale base {}, centre {} as in {} for the length {}",
             head_dim, to_string(rope_theta), name_of(layout), to_string(scale_base), centre_position(),
             centre->name, sequence_length) +
         RealPositions{.map = {}, .frequency_scale = frequency_scale}.summary() + summary_of(operation);
}

std::vector<Scheme> xpos_schemes() {
  return schemes_of<XposSpec>();
}

}  // namespace vernier
