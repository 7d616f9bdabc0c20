#include <fmt/core.h>

#include "reference/configs/config_reader.hpp"
#include "reference/json/json_tree.hpp"
#include "reference/support/mapped.hpp"

namespace vernier {
namespace {

/// The members of such an object that are parameters of a kind of layer.
std::vector<std::string> entries_of(const JsonValue& parameters) {
  return mapped(filtered(std::get<JsonValue::Object>(parameters.value()),
                         [](const auto& member) {
                           return std::holds_alternative<JsonValue::Object>(member.second.value());
                         }),
                &JsonValue::Object::value_type::first);
}

/// rope_scaling or rope_parameters, whichever there is.
std::optional<RotationParameters> whole_scaling(ConfigReader& config) {
  std::optional<RotationParameters> result;
  for (const std::string key : {"rope_scaling", "rope_parameters"}) {
    const auto found = config.find(key);
    if (!found) {
      continue;
    }
    config.refuse_if(!std::holds_alternative<JsonValue::Object>(found->value.value()), *found,
                     "an object or null");
    config.refuse_if(result && !same_value(result->value, found->value), *found,
                     "no more than one of rope_scaling and rope_parameters, or the same in both");
    result = RotationParameters{key, found->value};
  }
  return result;
}

}  // namespace

std::optional<RotationParameters> parameters_of(ConfigReader& config, const std::string& kind) {
  auto whole = whole_scaling(config);
  if (!whole || entries_of(whole->value).empty()) {
    return whole;
  }
  if (kind.empty()) {
    config.refuse_missing("layer_types",
                          fmt::format("the kinds of the layers, as {} has an entry for each", whole->path));
  }
  const auto path = whole->path + "." + kind;
  const auto entry = config.find(path);
  if (!entry) {
    config.refuse_missing(path, "an entry, as layer_types names this kind");
  }
  config.refuse_if(!std::holds_alternative<JsonValue::Object>(entry->value.value()), *entry, "an object");
  return RotationParameters{path, entry->value, true};
}

std::vector<std::string> entries_of_kinds(ConfigReader& config) {
  const auto whole = whole_scaling(config);
  return whole ? entries_of(whole->value) : std::vector<std::string>();
}

}  // namespace vernier
