#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/core.h>

#include "reference/input_error.hpp"
#include "reference/json.hpp"
#include "reference/key_faults.hpp"
#include "reference/nearest_names.hpp"
#include "reference/word_list.hpp"

namespace vernier {
namespace {

/// How a sentence about a part of a document begins. \param where the path of the part
std::string about(const std::string& source, const std::string& where) {
  return source + ": " + (where.empty() ? "" : where + ": ");
}

/// \param value what the key has; null where it is missing
[[noreturn]] void refuse_key(const JsonValue* value, const std::string& source, KeyFault::Place place,
                             std::string_view expected, KeyFault::Kind kind,
                             std::vector<JsonValue> substitutes = {}) {
  const auto sentence = fmt::format("{}{}, expected {}", about(source, place.path),
                                    value == nullptr ? "missing" : "found " + value->found(), expected);
  throw KeyFault(sentence, kind, std::move(place), std::move(substitutes));
}

std::optional<Rational> number_of(const JsonValue& value) {
  const auto* number = std::get_if<JsonValue::Number>(&value.value());
  return number == nullptr ? std::nullopt : parse_rational(number->text);
}

JsonValue number_value(const std::string& text) {
  return JsonValue(JsonValue::Number{text});
}

std::vector<JsonValue> ends(std::int64_t least, std::int64_t greatest) {
  return {number_value(std::to_string(least)), number_value(std::to_string(greatest))};
}

JsonValue text_value(std::string_view text) {
  return JsonValue(std::string(text));
}

/// Some of the numbers that a key takes.
std::vector<JsonValue> numbers_that(const std::function<bool(const Rational&)>& accepts) {
  std::vector<JsonValue> result;
  for (const auto* text : {"0", "0.5", "1", "2", "10000"}) {
    if (accepts(*parse_rational(text))) {
      result.push_back(number_value(text));
    }
  }
  return result;
}

}  // namespace

ObjectReader::ObjectReader(const JsonValue& value, std::string source, std::string where)
    : object_(std::get_if<JsonValue::Object>(&value.value())),
      source_(std::move(source)),
      where_(std::move(where)) {
  if (object_ == nullptr) {
    refuse_all(fmt::format("found {}, expected an object", value.found()));
  }
}

const JsonValue* ObjectReader::find(std::string_view key) const {
  const auto found = std::ranges::find(*object_, key, &JsonValue::Object::value_type::first);
  return found == object_->end() ? nullptr : &found->second;
}

const JsonValue* ObjectReader::take(std::string_view key) {
  known_.emplace_back(key);
  const auto* value = find(key);
  return value == nullptr || value->is_null() ? nullptr : value;
}

std::string ObjectReader::path(std::string_view key) const {
  return key_path(where_, key);
}

void ObjectReader::refuse(std::string_view key, std::string_view expected) const {
  refuse_key(find(key), source_, {object_, std::string(key), path(key)}, expected, KeyFault::Kind::meaning);
}

void ObjectReader::refuse_within(std::string_view within, const JsonValue& value,
                                 std::string_view expected) const {
  throw InputError("{}: {}: found {}, expected {}", source_, path(within), value.found(), expected);
}

void ObjectReader::refuse_all(std::string_view sentence) const {
  throw InputError("{}{}", about(source_, where_), sentence);
}

std::optional<Rational> ObjectReader::optional_number(std::string_view key,
                                                      const std::function<bool(const Rational&)>& accepts,
                                                      std::string_view expected) {
  const auto* value = take(key);
  if (value == nullptr) {
    return std::nullopt;
  }
  const auto parsed = number_of(*value);
  if (!parsed || !accepts(*parsed)) {
    refuse_key(value, source_, {object_, std::string(key), path(key)}, expected, KeyFault::Kind::value,
               numbers_that(accepts));
  }
  return parsed;
}

Rational ObjectReader::number(std::string_view key, const std::function<bool(const Rational&)>& accepts,
                              std::string_view expected) {
  const auto value = optional_number(key, accepts, expected);
  if (!value) {
    refuse_key(find(key), source_, {object_, std::string(key), path(key)}, expected, KeyFault::Kind::missing,
               numbers_that(accepts));
  }
  return *value;
}

std::optional<Constant> ObjectReader::optional_constant(std::string_view key,
                                                        const std::function<bool(const Constant&)>& accepts,
                                                        std::string_view expected) {
  const auto* value = take(key);
  if (value == nullptr) {
    return std::nullopt;
  }
  const auto* text = std::get_if<std::string>(&value->value());
  const auto number = number_of(*value);
  const auto parsed = text != nullptr ? parse_constant(*text)
                      : number        ? std::optional(Constant{*number, 0})
                                      : std::nullopt;
  if (!parsed || !accepts(*parsed)) {
    refuse_key(value, source_, {object_, std::string(key), path(key)}, expected, KeyFault::Kind::value,
               {number_value("1")});
  }
  return parsed;
}

std::optional<std::int64_t> ObjectReader::optional_integer(std::string_view key, std::int64_t least,
                                                           std::int64_t greatest) {
  const auto* value = take(key);
  if (value == nullptr) {
    return std::nullopt;
  }
  const auto parsed = number_of(*value);
  const auto integer = parsed ? as_integer(*parsed) : std::nullopt;
  if (!integer || *integer < least || *integer > greatest) {
    refuse_key(value, source_, {object_, std::string(key), path(key)}, integer_from_to(least, greatest),
               KeyFault::Kind::value, ends(least, greatest));
  }
  return integer;
}

std::int64_t ObjectReader::integer(std::string_view key, std::int64_t least, std::int64_t greatest) {
  const auto value = optional_integer(key, least, greatest);
  if (!value) {
    refuse_key(find(key), source_, {object_, std::string(key), path(key)}, integer_from_to(least, greatest),
               KeyFault::Kind::missing, ends(least, greatest));
  }
  return *value;
}

std::optional<bool> ObjectReader::optional_boolean(std::string_view key) {
  const auto* value = take(key);
  if (value == nullptr) {
    return std::nullopt;
  }
  const auto* truth = std::get_if<bool>(&value->value());
  if (truth == nullptr) {
    refuse_key(value, source_, {object_, std::string(key), path(key)}, "true or false", KeyFault::Kind::value,
               {JsonValue(true), JsonValue(false)});
  }
  return *truth;
}

std::optional<std::string> ObjectReader::optional_string(std::string_view key) {
  const auto* value = take(key);
  if (value == nullptr) {
    return std::nullopt;
  }
  const auto* text = std::get_if<std::string>(&value->value());
  if (text == nullptr) {
    refuse_key(value, source_, {object_, std::string(key), path(key)}, "a string", KeyFault::Kind::value,
               {text_value("x"), text_value("y")});
  }
  return *text;
}

std::string ObjectReader::string(std::string_view key) {
  auto value = optional_string(key);
  if (!value) {
    refuse_key(find(key), source_, {object_, std::string(key), path(key)}, "a string",
               KeyFault::Kind::missing, {text_value("x"), text_value("y")});
  }
  return *std::move(value);
}

std::optional<std::size_t> ObjectReader::optional_choice(std::string_view key,
                                                         std::span<const std::string_view> choices) {
  const auto* value = take(key);
  if (value == nullptr) {
    return std::nullopt;
  }
  const auto* text = std::get_if<std::string>(&value->value());
  const auto found = text == nullptr ? choices.end() : std::ranges::find(choices, *text);
  if (found == choices.end()) {
    std::vector<JsonValue> all;
    std::ranges::transform(choices, std::back_inserter(all), text_value);
    refuse_key(value, source_, {object_, std::string(key), path(key)}, joined(choices, in_quotes, " or "),
               KeyFault::Kind::value, std::move(all));
  }
  return static_cast<std::size_t>(found - choices.begin());
}

std::optional<ObjectReader> ObjectReader::optional_object(std::string_view key) {
  const auto* value = take(key);
  if (value == nullptr) {
    return std::nullopt;
  }
  if (!std::holds_alternative<JsonValue::Object>(value->value())) {
    refuse_key(value, source_, {object_, std::string(key), path(key)}, "an object", KeyFault::Kind::value);
  }
  return std::optional<ObjectReader>(std::in_place, *value, source_, path(key));
}

ObjectReader ObjectReader::object(std::string_view key) {
  auto reader = optional_object(key);
  if (!reader) {
    refuse_key(find(key), source_, {object_, std::string(key), path(key)}, "an object",
               KeyFault::Kind::missing);
  }
  return *std::move(reader);
}

const JsonValue::Array& ObjectReader::array(std::string_view key, std::string_view expected) {
  const auto* value = take(key);
  const auto* elements = value == nullptr ? nullptr : std::get_if<JsonValue::Array>(&value->value());
  if (elements == nullptr) {
    refuse_key(find(key), source_, {object_, std::string(key), path(key)}, expected,
               find(key) == nullptr ? KeyFault::Kind::missing : KeyFault::Kind::value,
               {JsonValue(JsonValue::Array())});
  }
  return *elements;
}

std::vector<ObjectReader> ObjectReader::objects(std::string_view key, std::string_view expected) {
  std::vector<ObjectReader> result;
  for (const auto& value : array(key, expected)) {
    result.emplace_back(value, source_, fmt::format("{}[{}]", path(key), result.size()));
  }
  return result;
}

void ObjectReader::ignore(std::string_view key) {
  known_.emplace_back(key);
}

bool ObjectReader::has(std::string_view key) const {
  const auto* value = find(key);
  return value != nullptr && !value->is_null();
}

std::vector<std::string> ObjectReader::keys() const {
  std::vector<std::string> names;
  for (const auto& [name, value] : *object_) {
    names.push_back(name);
  }
  return names;
}

void ObjectReader::finish() const {
  for (const auto& [name, value] : *object_) {
    if (std::ranges::find(known_, name) == known_.end()) {
      const auto near = near_name(name, known_);
      throw KeyFault(
          about(source_, where_) + fmt::format("found the unknown key {}, expected only {}{}",
                                               in_quotes(name), joined(known_),
                                               near ? fmt::format("; did you mean \"{}\"?", *near) : ""),
          KeyFault::Kind::unknown, {object_, name, path(name)});
    }
  }
}

}  // namespace vernier
