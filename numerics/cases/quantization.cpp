#include "numerics/cases/quantization.hpp"

#include <array>
#include <cmath>

#include "reference/keys/key_reader.hpp"

namespace vernier {
namespace {

enum class Direction { multiply, divide };

constexpr std::array<std::string_view, 2> direction_names{"multiply", "divide"};
constexpr std::array<std::string_view, 3> overflow_names{"saturate", "nan", "infinity"};

}  // namespace

void Quantization::keys(KeyVisitor& visit) {
  static const NumberRange positive{0, *parse_rational("1e4000"), "a number greater than 0", true};
  auto scale = factor;
  auto direction = Direction::multiply;
  visit.defaulted({"scale", "the scale of the tensor"}, scale, quotient(positive));
  visit.defaulted({"direction", "whether values are multiplied by the scale or divided"}, direction,
                  one_of(direction_names));
  visit.fallback(factor, direction == Direction::divide ? Rational(1 / scale) : scale);
  visit.optional({"overflow",
                  "what becomes of a number beyond the greatest of the format: that of its sign, a NaN "
                  "or an infinity; a fault where it is not given"},
                 overflow, one_of(overflow_names), Overflow::undeclared);
}

double rounded_with(Overflow overflow, Format format, double value) {
  return overflow == Overflow::saturate ? round_saturating(format, value) : round_to(format, value);
}

double overflow_threshold(Format format) {
  const double largest = traits(format).largest();
  return largest + ulp_at(format, largest) / 2;
}

double Quantization::approximate_factor() const {
  return approximately(Amplitude(factor));
}

double Quantization::stored(Format format, double value) const {
  return rounded_with(overflow, format, value * approximate_factor());
}

double Quantization::stored_from_single(Format format, double value) const {
  const auto single = [](double number) { return round_to(Format::binary32, number); };
  return rounded_with(overflow, format, single(value * single(approximate_factor())));
}

std::vector<TensorDefinition> scaled(std::vector<TensorDefinition> definitions, const Rational& factor) {
  struct Scale {
    const Rational& factor;
    void operator()(TrigTable& table) const { table.amplitude *= factor; }
    void operator()(MultiAxisTable& table) const { table.table.amplitude *= factor; }
    void operator()(HeadRotation& rotation) const { rotation.table.amplitude *= factor; }
    void operator()(ExactTable&) const {}
    void operator()(BiasTable&) const {}
    void operator()(BucketTable&) const {}
    void operator()(ScaledTable&) const {}
  };
  for (auto& definition : definitions) {
    std::visit(Scale{factor}, definition);
  }
  return definitions;
}

Quantization read_quantization(ObjectReader reader) {
  Quantization result;
  KeyReader keys(std::move(reader));
  result.keys(keys);
  keys.finish();
  return result;
}

}  // namespace vernier
