#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "reference/json/json.hpp"

namespace vernier {

/// A member of an object, if there is one.
const JsonValue* member_of(const JsonValue::Object& object, std::string_view key);

/// The value at a path of keys joined by dots ("attn_config.alibi"); no value where a key is absent, where
/// something that is no object stands in the way, or where the value is null.
const JsonValue* value_at(const JsonValue& tree, std::string_view path);

/// The same where it is of this kind; null where it is of another, too.
template <class Held>
const Held* held_at(const JsonValue& tree, std::string_view path) {
  const auto* value = value_at(tree, path);
  return value == nullptr ? nullptr : std::get_if<Held>(&value->value());
}

/// The members of the object at a path; none where there is no object.
const JsonValue::Object& members_at(const JsonValue& tree, std::string_view path);

/// Whether two values are the same: numbers by their exact value, objects whatever the order of their keys.
bool same_value(const JsonValue& one, const JsonValue& other);

/// The exact value of a number; nothing of other values.
std::optional<Rational> number_in(const JsonValue& value);

/// A number, written as an integer is.
JsonValue integer_value(std::int64_t value);

/// The value as JSON on lines indented by two spaces, arrays on one; numbers with the text that they were
/// read with, so that no digit is lost or gained.
std::string json_text(const JsonValue& value);

/// The value in a few words for a sentence: scalars as JSON, others by their kind ("an array").
std::string short_text(const JsonValue& value);

/// Parses JSON as Python writes it: beside strict JSON also the bare words Infinity, -Infinity and NaN, which
/// become strings, as no key that Vernier reads may have such a value. \param source as in `parse_json`
/// \throws InputError as `parse_json`
JsonValue parse_python_json(std::string_view text, const std::string& source);

}  // namespace vernier
