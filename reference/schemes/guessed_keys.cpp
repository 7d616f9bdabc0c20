#include "reference/schemes/guessed_keys.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

#include "reference/json/json_tree.hpp"
#include "reference/support/input_error.hpp"

namespace vernier {

/// guessed_keys.json as it stands.
std::string guessed_keys_text();

namespace {

using Object = JsonValue::Object;

/// One row of guessed_keys.json: `keys`, in specs of `schemes` (or of all), where others have the values of
/// `where` (null: are missing), go into the object, or each object of the list, under `move_to`, which is
/// made with `beside` where it is missing; or they are dropped; or refused with what is `expected`.
const OrderedJson& guesses() {
  static const auto all = OrderedJson::parse(guessed_keys_text());
  return all.at("rows");
}

bool is_text(const JsonValue* value, const OrderedJson& wanted) {
  if (wanted.is_null() || value == nullptr) {
    return wanted.is_null() && value == nullptr;
  }
  const auto* text = std::get_if<std::string>(&value->value());
  return text != nullptr && *text == wanted.get_ref<const std::string&>();
}

bool applies(const OrderedJson& row, const Object& spec, const std::string& scheme) {
  if (const auto found = row.find("schemes"); found != row.end()) {
    const auto schemes = found->get<std::vector<std::string>>();
    if (std::ranges::find(schemes, scheme) == schemes.end()) {
      return false;
    }
  }
  const auto others = row.value("where", OrderedJson::object());
  for (const auto& [key, value] : others.items()) {
    if (!is_text(member_of(spec, key), value)) {
      return false;
    }
  }
  return true;
}

void drop(Object& object, std::string_view key) {
  std::erase_if(object, [&](const auto& entry) { return entry.first == key; });
}

void add_missing(JsonValue& to, const std::string& key, const JsonValue& value) {
  auto* object = std::get_if<Object>(&to.value());
  if (object != nullptr && member_of(*object, key) == nullptr) {
    object->emplace_back(key, value);
  }
}

/// Moves a key into the object or the objects under another, unless that is something else.
void move_key(Object& spec, const std::string& key, const OrderedJson& row) {
  const auto value = *member_of(spec, key);
  const std::string under = row.at("move_to");
  auto target = std::ranges::find(spec, under, &Object::value_type::first);
  if (target == spec.end() && row.contains("beside")) {
    target = spec.insert(target, {under, parse_json(row.at("beside").dump(), "guessed_keys.json")});
  }
  if (target == spec.end()) {
    return;
  }
  if (auto* list = std::get_if<JsonValue::Array>(&target->second.value())) {
    for (auto& one : *list) {
      add_missing(one, key, value);
    }
  } else {
    add_missing(target->second, key, value);
  }
  drop(spec, key);
}

}  // namespace

JsonValue with_guessed_keys(JsonValue spec, const std::string& source) {
  auto* object = std::get_if<Object>(&spec.value());
  const auto* name = object == nullptr ? nullptr : member_of(*object, "scheme");
  const auto* text = name == nullptr ? nullptr : std::get_if<std::string>(&name->value());
  if (text == nullptr) {
    return spec;
  }
  const auto scheme = *text;
  for (const auto& row : guesses()) {
    for (const std::string key : row.at("keys")) {
      if (member_of(*object, key) == nullptr || !applies(row, *object, scheme)) {
        continue;
      }
      if (row.contains("expected")) {
        throw InputError("{}: {}: found the key in a spec of {}, expected {}", source, key, scheme,
                         row.at("expected").get_ref<const std::string&>());
      }
      if (row.contains("move_to")) {
        move_key(*object, key, row);
      } else {
        drop(*object, key);
      }
    }
  }
  return spec;
}

}  // namespace vernier
