#include "reference/keys/parameters.hpp"

#include <fmt/core.h>

namespace vernier {
namespace {

const Rational& largest_factor() {
  static const Rational value = *parse_rational("1e30");
  return value;
}

std::optional<Rational> exact_number(const JsonValue& value) {
  if (const auto* number = std::get_if<JsonValue::Number>(&value.value())) {
    return parse_rational(number->text);
  }
  const auto* text = std::get_if<std::string>(&value.value());
  return text == nullptr ? std::nullopt : parse_quotient(*text);
}

}  // namespace

const NumberRange& base_range() {
  static const NumberRange range{1, largest_factor(), "a number greater than 1, at most 1e30", true};
  return range;
}

const NumberRange& positive_range() {
  static const NumberRange range{1 / largest_factor(), largest_factor(), "a number from 1e-30 to 1e30"};
  return range;
}

const NumberRange& factor_range() {
  static const NumberRange range{1 / greatest_constant(), greatest_constant(),
                                 "a number from 1e-12 to 1e12, or one written as text (\"1/7\", \"2pi\")"};
  return range;
}

std::vector<Rational> read_exact_numbers(const ObjectReader& reader, const std::string& within,
                                         const JsonValue::Array& array,
                                         const std::function<bool(const Rational&)>& accepts,
                                         std::string_view expected) {
  std::vector<Rational> result;
  for (const auto& element : array) {
    const auto value = exact_number(element);
    if (!value || !accepts(*value)) {
      reader.refuse_within(fmt::format("{}[{}]", within, result.size()), element, expected);
    }
    result.push_back(*value);
  }
  return result;
}

OrderedJson exact_json_number(const Rational& value) {
  auto number = json_number(value);
  if (parse_rational(number.dump()) == value) {
    return number;
  }
  return to_string(value);
}

OrderedJson exact_json_number(const Constant& value) {
  return value.power_of_pi == 0 ? exact_json_number(value.factor) : OrderedJson(to_string(value));
}

const Rational& greatest_constant() {
  static const Rational value = *parse_rational("1e12");
  return value;
}

OrderedJson json_number(const Rational& value) {
  if (const auto integer = as_integer(value)) {
    return *integer;
  }
  return approximately(value);
}

}  // namespace vernier
