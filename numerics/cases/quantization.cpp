#include "numerics/cases/quantization.hpp"

#include <array>
#include <cmath>

#include "reference/input_error.hpp"

namespace vernier {
namespace {

constexpr std::array overflows{Overflow::saturate, Overflow::nan, Overflow::infinity, Overflow::undeclared};

bool is_positive(const Rational& value) {
  return value > 0;
}

}  // namespace

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

void require_eight_bits(const Quantization& quantization, Format format, std::string_view source,
                        std::string_view role) {
  const auto& t = traits(format);
  if (!t.is_storage_only()) {
    throw InputError("{}: quantization: found {} of {}, expected a format of eight bits", source, role,
                     t.name);
  }
  const auto of_other = t.has_infinity() ? Overflow::nan : Overflow::infinity;
  if (quantization.overflow == of_other) {
    throw InputError("{}: quantization.overflow: found \"{}\", expected \"saturate\" or \"{}\" of {}", source,
                     t.has_infinity() ? "nan" : "infinity", t.has_infinity() ? "infinity" : "nan", t.name);
  }
}

Quantization read_quantization(ObjectReader reader) {
  Quantization result;
  const auto scale =
      reader.optional_number("scale", is_positive, "a number greater than 0").value_or(Rational(1));
  const bool divides = reader.choice("direction", {"multiply", "divide"}, 0) == 1;
  result.factor = divides ? Rational(1 / scale) : scale;
  result.overflow = overflows[reader.choice("overflow", {"saturate", "nan", "infinity"}, 3)];
  reader.finish();
  return result;
}

}  // namespace vernier
