#include "reference/schemes/real_positions.hpp"

#include <utility>

#include "reference/input_error.hpp"
#include "reference/schemes/parameters.hpp"

namespace vernier {
namespace {

constexpr std::string_view scale_key = "position_scale";
constexpr std::string_view offset_key = "position_offset";
constexpr std::string_view frequency_key = "frequency_scale";

bool is_power_of_two(const Constant& value) {
  const auto has_one_bit = [](const boost::multiprecision::mpz_int& x) { return x > 0 && lsb(x) == msb(x); };
  return value.power_of_pi == 0 && has_one_bit(numerator(value.factor)) &&
         has_one_bit(denominator(value.factor));
}

Constant read_factor(ObjectReader& reader, std::string_view key, const Constant& fallback) {
  return reader
      .optional_constant(key, is_factor,
                         "a number from 1e-12 to 1e12, or one written as text (\"1/7\", \"2pi\")")
      .value_or(fallback);
}

}  // namespace

Rational read_position_unit(ObjectReader& reader) {
  const auto unit = reader.optional_constant(position_unit_key, is_power_of_two,
                                             "a power of two, or one written as text (\"1/1024\")");
  return unit ? unit->factor : Rational(1);
}

RealPositions RealPositions::read(ObjectReader& reader) {
  RealPositions unscaled;
  unscaled.map = PositionMap(read_position_unit(reader), {}, Constant{0, 0});
  return read_axis(reader, unscaled);
}

RealPositions RealPositions::read_axis(ObjectReader& reader, const RealPositions& of_all) {
  RealPositions result;
  const auto scale = read_factor(reader, scale_key, of_all.map.scale());
  const auto offset =
      reader
          .optional_constant(
              offset_key, [](const Constant& value) { return abs(value.factor) <= greatest_constant(); },
              "a number from -1e12 to 1e12, or one written as text (\"-13/14\", \"pi/2\")")
          .value_or(of_all.map.offset());
  if (offset.factor != 0 && offset.power_of_pi != scale.power_of_pi) {
    reader.refuse(offset_key, scale.power_of_pi == 0 ? "a number without pi, as position_scale has none"
                                                     : "a multiple of pi, as position_scale is one");
  }
  result.frequency_scale = read_factor(reader, frequency_key, of_all.frequency_scale);
  try {
    result.map = PositionMap(of_all.map.unit(), scale, offset);
  } catch (const InputError& error) {
    reader.refuse_all(error.what());
  }
  return result;
}

void RealPositions::write(OrderedJson& to) const {
  if (!map.scale().is_one()) {
    to[scale_key] = exact_json_number(map.scale());
  }
  if (map.offset().factor != 0) {
    to[offset_key] = exact_json_number(map.offset());
  }
  if (map.unit() != 1) {
    to[position_unit_key] = exact_json_number(map.unit());
  }
  if (!frequency_scale.is_one()) {
    to[frequency_key] = exact_json_number(frequency_scale);
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

}  // namespace vernier
