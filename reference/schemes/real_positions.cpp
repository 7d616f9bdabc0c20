#include "reference/schemes/real_positions.hpp"

#include "reference/keys/key_visitor.hpp"
#include "reference/keys/parameters.hpp"
#include "reference/support/input_error.hpp"

namespace vernier {
namespace {

constexpr std::string_view scale_key = "position_scale";
constexpr std::string_view offset_key = "position_offset";
constexpr std::string_view frequency_key = "frequency_scale";

}  // namespace

void RealPositions::keys(KeyVisitor& visit) {
  static const NumberRange units{0, *parse_rational("1e4000"),
                                 "a power of two, or one written as text (\"1/1024\")", true,
                                 NumberRange::Grid::powers_of_two};
  auto unit = map.unit();
  visit.optional(position_unit_key, unit, quotient(units), 1);
  RealPositions plain;
  if (visit.fills()) {
    plain.map = PositionMap(unit, {}, Constant{0, 0});
  }
  keys_of_axis(visit, plain);
}

void RealPositions::keys_of_axis(KeyVisitor& visit, const RealPositions& of_all) {
  static const NumberRange offsets{
      -greatest_constant(), greatest_constant(),
      "a number from -1e12 to 1e12, or one written as text (\"-13/14\", \"pi/2\")"};
  visit.fallback(*this, of_all);
  auto scale = map.scale();
  auto offset = map.offset();
  visit.optional(scale_key, scale, constant(factor_range()), of_all.map.scale());
  visit.optional(offset_key, offset, constant(offsets), of_all.map.offset());
  const bool go_together = offset.factor == 0 || offset.power_of_pi == scale.power_of_pi;
  visit.require(go_together, offset_key,
                scale.power_of_pi == 0 ? "a number without pi, as position_scale has none"
                                       : "a multiple of pi, as position_scale is one");
  visit.optional(frequency_key, frequency_scale, constant(factor_range()), of_all.frequency_scale);
  if (visit.fills() && go_together) {
    try {
      map = PositionMap(of_all.map.unit(), scale, offset.factor == 0 ? Constant{0, 0} : offset);
    } catch (const InputError& error) {
      visit.require_all(false, error.what());
    }
  }
}

std::string RealPositions::summary() const {
  std::string text;
  if (!map.scale().is_one()) {
    text += ", positions times " + to_string(map.scale());
  }
  if (map.offset().factor != 0) {
    text += (map.scale().is_one() ? ", positions plus " : " plus ") + to_string(map.offset());
  }
  if (!frequency_scale.is_one()) {
    text += ", frequencies times " + to_string(frequency_scale);
  }
  return text;
}

RealPositions with_unit_of(const RealPositions& positions) {
  return {.map = PositionMap(positions.map.unit(), {}, Constant{0, 0}), .frequency_scale = {}};
}

void require_unit_of_axes(KeyVisitor& visit, const RealPositions& of_all) {
  visit.require(of_all.map.unit() <= 1, position_unit_key, "a power of two up to 1 where there are axes");
}

}  // namespace vernier
