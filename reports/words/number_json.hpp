#pragma once

#include <functional>
#include <optional>

#include "reference/json/json.hpp"
#include "reference/numbers/format.hpp"

namespace vernier {

/// A number, or its name where JSON has none for it: "nan", "infinity", "-infinity".
OrderedJson real_json(double value);

/// A value of a format, told three times: {"decimal": "0.1", "hex": "0x1.99999ap-4", "bits": "0x3dcccccd"}.
OrderedJson value_json(Format format, double value);

/// An array of what `element` makes of each thing.
template <class Things, class Element>
OrderedJson array_json(const Things& things, const Element& element) {
  auto array = OrderedJson::array();
  for (const auto& thing : things) {
    array.push_back(std::invoke(element, thing));
  }
  return array;
}

/// What `element` makes of a value, or null if there is none.
template <class Value, class Element = std::identity>
OrderedJson json_or_null(const std::optional<Value>& value, const Element& element = {}) {
  return value ? OrderedJson(std::invoke(element, *value)) : OrderedJson(nullptr);
}

/// Adds a key to an object if there is a value, as `element` tells it.
template <class Value, class Element = std::identity>
void add_if_any(OrderedJson& object, const char* key, const std::optional<Value>& value,
                const Element& element = {}) {
  if (value) {
    object[key] = std::invoke(element, *value);
  }
}

/// Adds a key to an object if the text or the list is not empty.
template <class Value>
requires requires(const Value& value) {
  value.empty();
}
void add_if_any(OrderedJson& object, const char* key, const Value& value) {
  if (!value.empty()) {
    object[key] = value;
  }
}

/// Text for a file: keys in their order, and bytes that are not UTF-8 as the replacement character.
std::string document_text(const OrderedJson& document);

}  // namespace vernier
