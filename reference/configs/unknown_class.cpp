#include <algorithm>
#include <vector>

#include <fmt/core.h>

#include "reference/configs/config_reader.hpp"
#include "reference/configs/family.hpp"
#include "reference/json/json_tree.hpp"
#include "reference/keys/parameters.hpp"
#include "reference/support/input_error.hpp"
#include "reference/support/refusal.hpp"
#include "reference/support/word_list.hpp"

namespace vernier {
namespace {

/// \param test a key, or a key and the value that it must have: `use_rotary=true`
bool passes(const JsonValue& document, const std::string& where, const std::string& test) {
  const auto end = std::min(test.find('='), test.size());
  const auto* value = value_at(document, key_path(where, test.substr(0, end)));
  if (value == nullptr) {
    return false;
  }
  const auto* object = std::get_if<JsonValue::Object>(&value->value());
  const bool is_empty = object != nullptr && object->empty();
  return end == test.size() ? !is_empty && json_text(*value) != "false"
                            : json_text(*value) == test.substr(end + 1);
}

/// Whether a key names a part of the model that is no language model.
bool names_other_part(const std::string& key) {
  return std::ranges::any_of(config_names().other_parts,
                             [&key](const auto& part) { return key.find(part) != std::string::npos; });
}

/// Whether a path can go through a key: it joins keys by dots, and an empty one leaves the path where it was.
bool fits_path(const std::string& key) {
  return !key.empty() && key.find('.') == std::string::npos;
}

void collect_rotations(const JsonValue& document, const std::string& where,
                       std::vector<std::string>& rotations) {
  const auto& object = where.empty() ? document : *value_at(document, where);
  for (const auto& [key, value] : std::get<JsonValue::Object>(object.value())) {
    if (!std::holds_alternative<JsonValue::Object>(value.value()) || names_other_part(key) ||
        !fits_path(key)) {
      continue;
    }
    const auto path = key_path(where, key);
    if (has_rotation(document, path)) {
      rotations.push_back(path);
    } else {
      collect_rotations(document, path, rotations);
    }
  }
}

}  // namespace

bool has_rotation(const JsonValue& document, const std::string& where) {
  return std::ranges::any_of(config_names().of_rotations,
                             [&](const auto& test) { return passes(document, where, test); });
}

std::optional<std::string> nested_rotation(const JsonValue& document, const std::string& source) {
  std::vector<std::string> rotations;
  if (!has_rotation(document, "")) {
    collect_rotations(document, "", rotations);
  }
  refuse_if(rotations.size() > 1,
            "{}: found keys of a rotation in {}, expected them in one object, or that object alone", source,
            joined(rotations, " and "));
  return rotations.empty() ? std::nullopt : std::optional(rotations.front());
}

bool has_model_key(const JsonValue& document) {
  return std::ranges::any_of(config_names().of_models,
                             [&](const auto& key) { return value_at(document, key) != nullptr; });
}

void refuse_without_rotation(const JsonValue& document, const std::string& path, const std::string& where,
                             const std::string& source) {
  const auto* model_type = value_at(document, path);
  std::vector<std::string> instead;
  for (const auto& [key, guess] : config_names().without_rotation) {
    const auto full = key_path(where, key);
    const auto* value = value_at(document, full);
    if (value != nullptr && json_text(*value) != "false") {
      instead.push_back(fmt::format("{} {} ({})", full, short_text(*value), guess));
    }
  }
  throw InputError(
      "{}: {}: {}, whose code Vernier does not know, expected a model with a key of a rotation, such as "
      "rope_theta, rope_parameters, rope_scaling or rotary_dim: there is none{}",
      source, path, model_type == nullptr ? "missing" : "found " + short_text(*model_type),
      instead.empty() ? "" : ", but there is " + joined(instead, " and "));
}

}  // namespace vernier
