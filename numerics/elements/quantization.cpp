#include "numerics/elements/quantization.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "numerics/errors/overflow.hpp"
#include "reference/keys/key_reader.hpp"
#include "reference/support/refusal.hpp"

namespace vernier {
namespace {

enum class Direction { multiply, divide };

constexpr std::array<std::string_view, 2> direction_names{"multiply", "divide"};
constexpr std::array<std::string_view, 3> overflow_names{"saturate", "nan", "infinity"};
/// What they are, by name.
constexpr std::array<Overflow, 3> overflows{Overflow::saturate, Overflow::nan, Overflow::infinite};
enum class DeclaredOverflow { saturate, nan, infinity };
enum class ElementChoice { float4_e2m1 };
constexpr std::array<std::string_view, 1> element_names{"float4_e2m1"};
constexpr std::array<std::string_view, 3> rule_names{"amax", "ue8m0", "mx"};

}  // namespace

void Quantization::keys(KeyVisitor& visit) {
  static const NumberRange positive{0, *parse_rational("1e4000"), "a number greater than 0", true};
  auto scale = factor;
  auto direction = Direction::multiply;
  visit.defaulted("scale", scale, quotient(positive));
  visit.defaulted("direction", direction, one_of(direction_names));
  visit.fallback(factor, direction == Direction::divide ? Rational(1 / scale) : scale);
  const auto* known = std::ranges::find(overflows, overflow);
  std::optional<DeclaredOverflow> declared;
  if (known != overflows.end()) {
    declared = static_cast<DeclaredOverflow>(known - overflows.begin());
  }
  visit.optional("overflow", declared, one_of(overflow_names));
  visit.fallback(overflow, declared ? overflows[static_cast<std::size_t>(*declared)] : Overflow::undeclared);
  auto elements = is_float4 ? std::optional(ElementChoice::float4_e2m1) : std::nullopt;
  visit.optional("elements", elements, one_of(element_names));
  visit.fallback(is_float4, elements.has_value());
  visit.optional("rule", rule, one_of(rule_names));
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
    void operator()(TurnedTable& table) const { table.sines.amplitude *= table.scale ? Rational(1) : factor; }
    void operator()(HeadRotation& rotation) const { rotation.table.amplitude *= factor; }
    void operator()(ExactTable&) const {}
    void operator()(BiasTable&) const {}
    void operator()(BucketTable&) const {}
  };
  for (auto& definition : definitions) {
    std::visit(Scale{factor}, definition);
  }
  return definitions;
}

void require_eight_bits(const Quantization& quantization, Format format, std::string_view source,
                        std::string_view role) {
  const auto& t = traits(format);
  refuse_if(!t.is_storage_only(), "{}: quantization: found {} of {}, expected a format of eight bits", source,
            role, t.name);
  const auto of_other = t.has_infinity() ? Overflow::nan : Overflow::infinite;
  refuse_if(quantization.overflow == of_other,
            "{}: quantization.overflow: found \"{}\", expected \"saturate\" or \"{}\" of {}", source,
            t.has_infinity() ? "nan" : "infinity", t.has_infinity() ? "infinity" : "nan", t.name);
}

Quantization read_quantization(ObjectReader reader) {
  Quantization result;
  KeyReader keys(std::move(reader));
  result.keys(keys);
  keys.finish();
  return result;
}

}  // namespace vernier
