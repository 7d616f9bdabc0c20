#include <algorithm>
#include <utility>

#include <fmt/core.h>

#include "reference/json/json.hpp"
#include "reference/json/json_tree.hpp"
#include "reference/json/key_faults.hpp"
#include "reference/support/input_error.hpp"
#include "reference/support/mapped.hpp"
#include "reference/support/nearest_names.hpp"
#include "reference/support/word_list.hpp"

namespace vernier {
namespace {

/// How a sentence about a part of a document begins. \param where the path of the part
std::string about(const std::string& source, const std::string& where) {
  return source + ": " + (where.empty() ? "" : where + ": ");
}

JsonValue number_value(const std::string& text) {
  return JsonValue(JsonValue::Number{text});
}

JsonValue text_value(std::string_view text) {
  return JsonValue(std::string(text));
}

template <class Held>
std::optional<Held> held(const JsonValue& value) {
  const auto* found = std::get_if<Held>(&value.value());
  return found == nullptr ? std::nullopt : std::optional(*found);
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

void ObjectReader::refuse_value(std::string_view key, std::string_view expected,
                                std::vector<JsonValue> substitutes) const {
  throw KeyFault(sentence_about(key, expected), KeyFault::Kind::value, {object_, std::string(key), path(key)},
                 std::move(substitutes));
}

void ObjectReader::refuse(std::string_view key, std::string_view expected) const {
  throw KeyFault(sentence_about(key, expected), KeyFault::Kind::meaning,
                 {object_, std::string(key), path(key)});
}

std::string ObjectReader::sentence_about(std::string_view key, std::string_view expected) const {
  const auto* value = find(key);
  return fmt::format("{}{}, expected {}", about(source_, path(key)),
                     value == nullptr ? "missing" : "found " + value->found(), expected);
}

void ObjectReader::refuse_within(std::string_view within, const JsonValue& value,
                                 std::string_view expected) const {
  throw InputError("{}: {}: found {}, expected {}", source_, path(within), value.found(), expected);
}

void ObjectReader::refuse_all(std::string_view sentence) const {
  throw InputError("{}{}", about(source_, where_), sentence);
}

template <class Parse, class Substitutes>
auto ObjectReader::read(std::string_view key, Presence presence, std::string_view expected,
                        const Parse& parse, const Substitutes& substitutes) -> decltype(parse(JsonValue())) {
  const auto* value = take(key);
  auto result = value == nullptr ? decltype(parse(*value))() : parse(*value);
  if (!result && (value != nullptr || presence == Presence::required)) {
    refuse_value(key, expected, substitutes());
  }
  return result;
}

std::optional<Rational> ObjectReader::read_number(std::string_view key, Presence presence,
                                                  const std::function<bool(const Rational&)>& accepts,
                                                  std::string_view expected) {
  const auto parse = [&](const JsonValue& value) {
    auto number = number_in(value);
    return number && accepts(*number) ? number : std::nullopt;
  };
  return read(key, presence, expected, parse, [&] { return numbers_that(accepts); });
}

std::optional<Constant> ObjectReader::optional_constant(std::string_view key,
                                                        const std::function<bool(const Constant&)>& accepts,
                                                        std::string_view expected) {
  const auto parse = [&](const JsonValue& value) {
    const auto* text = std::get_if<std::string>(&value.value());
    const auto number = number_in(value);
    auto parsed = text != nullptr ? parse_constant(*text)
                  : number        ? std::optional(Constant{*number, 0})
                                  : std::nullopt;
    return parsed && accepts(*parsed) ? parsed : std::nullopt;
  };
  return read(key, Presence::optional, expected, parse, [] { return std::vector{number_value("1")}; });
}

std::optional<std::int64_t> ObjectReader::read_integer(std::string_view key, Presence presence,
                                                       std::int64_t least, std::int64_t greatest) {
  const auto parse = [&](const JsonValue& value) {
    const auto number = number_in(value);
    const auto integer = number ? as_integer(*number) : std::nullopt;
    return integer && *integer >= least && *integer <= greatest ? integer : std::nullopt;
  };
  return read(key, presence, integer_from_to(least, greatest), parse, [&] {
    return std::vector{number_value(std::to_string(least)), number_value(std::to_string(greatest))};
  });
}

std::optional<bool> ObjectReader::optional_boolean(std::string_view key) {
  return read(key, Presence::optional, "true or false", held<bool>, [] {
    return std::vector{JsonValue(true), JsonValue(false)};
  });
}

std::optional<std::string> ObjectReader::read_string(std::string_view key, Presence presence) {
  return read(key, presence, "a string", held<std::string>, [] {
    return std::vector{text_value("x"), text_value("y")};
  });
}

std::optional<std::size_t> ObjectReader::optional_choice(std::string_view key,
                                                         std::span<const std::string_view> choices) {
  const auto parse = [&](const JsonValue& value) {
    const auto* text = std::get_if<std::string>(&value.value());
    const auto found = text == nullptr ? choices.end() : std::ranges::find(choices, *text);
    return found == choices.end() ? std::nullopt : std::optional<std::size_t>(found - choices.begin());
  };
  return read(key, Presence::optional, joined(choices, in_quotes, " or "), parse,
              [&] { return mapped(choices, text_value); });
}

std::optional<ObjectReader> ObjectReader::read_object(std::string_view key, Presence presence) {
  const auto parse = [&](const JsonValue& value) {
    return std::holds_alternative<JsonValue::Object>(value.value())
               ? std::optional<ObjectReader>(std::in_place, value, source_, path(key))
               : std::nullopt;
  };
  return read(key, presence, "an object", parse, [] { return std::vector<JsonValue>(); });
}

std::optional<ObjectReader> ObjectReader::optional_object(std::string_view key) {
  return read_object(key, Presence::optional);
}

ObjectReader ObjectReader::object(std::string_view key) {
  return *read_object(key, Presence::required);
}

const JsonValue::Array& ObjectReader::array(std::string_view key, std::string_view expected) {
  const auto parse = [](const JsonValue& value) {
    const auto* elements = std::get_if<JsonValue::Array>(&value.value());
    return elements == nullptr ? std::nullopt : std::optional(elements);
  };
  return **read(key, Presence::required, expected, parse,
                [] { return std::vector{JsonValue(JsonValue::Array())}; });
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
  return mapped(*object_, &JsonValue::Object::value_type::first);
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
