#include "reference/configs/config_reader.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "reference/json/json_tree.hpp"
#include "reference/support/input_error.hpp"
#include "reference/support/mapped.hpp"
#include "reference/support/refusal.hpp"

namespace vernier {
namespace {

/// The object with the values of single layers, by the number of the layer.
constexpr std::string_view per_layer = "per_layer_config";

bool array_holds(const JsonValue& array, const JsonValue& wanted) {
  const auto* elements = std::get_if<JsonValue::Array>(&array.value());
  return elements != nullptr &&
         std::ranges::any_of(*elements, [&wanted](const auto& one) { return same_value(one, wanted); });
}

}  // namespace

std::string ConfigReader::entry_of_layer(int layer) const {
  for (const auto& [key, entry] : members_at(document_, full_path(per_layer))) {
    const auto number = parse_rational(key);
    if (number && *number == layer) {
      return fmt::format("{}.{}", per_layer, key);
    }
  }
  return "";
}

std::optional<ConfigValue> ConfigReader::find(std::string_view path) {
  const auto entry = layer_ ? entry_of_layer(*layer_) : "";
  for (const auto& full : {full_path(key_path(entry, path)), full_path(path)}) {
    read_.insert(full);
    if (const auto* value = value_at(document_, full)) {
      return at_layer({full, *value});
    }
  }
  return std::nullopt;
}

ConfigValue ConfigReader::at_layer(ConfigValue value) const {
  const auto* elements = std::get_if<JsonValue::Array>(&value.value.value());
  const auto key = value.path.substr(value.path.rfind('.') + 1);
  if (elements == nullptr || !layer_ ||
      std::ranges::find(config_names().by_layer, key) == config_names().by_layer.end()) {
    return value;
  }
  const auto layer = static_cast<std::size_t>(*layer_);
  vernier::refuse_if(layer >= elements->size(),
                     "{}: {}: found {} elements, expected one for each layer, also for layer {}", source_,
                     value.path, elements->size(), layer);
  return {fmt::format("{}[{}]", value.path, layer), JsonValue((*elements)[layer])};
}

std::string ConfigReader::values_of_layer(int layer) {
  std::string text;
  read_.insert(full_path(per_layer));
  const auto own = entry_of_layer(layer);
  for (const auto& [key, value] : own.empty() ? JsonValue::Object() : members_at(document_, full_path(own))) {
    read_.insert(full_path(key_path(own, key)));
    text += key + json_text(value);
  }
  for (const auto& key : config_names().by_layer) {
    for (const std::string place : {"", "rope_parameters.", "rope_scaling."}) {
      const auto path = full_path(place + key);
      if (held_at<JsonValue::Array>(document_, path) != nullptr) {
        layer_ = layer;
        text += path + json_text(at_layer({path, *value_at(document_, path)}).value);
        layer_.reset();
      }
    }
  }
  return text;
}

std::optional<ConfigValue> ConfigReader::first_of(std::span<const std::string> names) {
  std::optional<ConfigValue> result;
  for (const auto& name : names) {
    const auto found = find(name);
    if (!result) {
      result = found;
    } else if (found && !same_value(found->value, result->value)) {
      remark(fmt::format("{}: {} is read, not {}: {} beside it", result->path, short_text(result->value),
                         found->path, short_text(found->value)));
    }
  }
  return result;
}

bool ConfigReader::holds(const std::string& path, const JsonValue& wanted) {
  const auto found = find(path);
  if (!found || wanted.is_null()) {
    return !found && wanted.is_null();
  }
  return value_at(wanted, "present") != nullptr || same_value(found->value, wanted) ||
         array_holds(found->value, wanted);
}

void ConfigReader::assume(const std::string& sentence) {
  add_once(assumed_, sentence);
}

void ConfigReader::remark(const std::string& sentence) {
  add_once(remarks_, sentence);
}

void ConfigReader::read_as_written(const std::string& what) {
  if (as_written_.empty()) {
    as_written_ = fmt::format("as written: the code of {} is not known to Vernier", what);
  } else if (as_written_.find(what) == std::string::npos) {
    as_written_.insert(as_written_.rfind(" is not known"), " and of " + what);
  }
}

void ConfigReader::refuse(const ConfigValue& value, std::string_view expected) const {
  throw InputError("{}: {}: found {}, expected {}", source_, value.path, value.value.found(), expected);
}

void ConfigReader::refuse_if(bool condition, const ConfigValue& value, std::string_view expected) const {
  if (condition) {
    refuse(value, expected);
  }
}

void ConfigReader::refuse_missing(std::string_view path, std::string_view expected) const {
  throw InputError("{}: {}: missing, expected {}", source_, full_path(path), expected);
}

void ConfigReader::refuse_all(std::string_view sentence) const {
  throw InputError("{}: {}", source_, sentence);
}

Rational ConfigReader::number(const ConfigValue& value) const {
  const auto exact = number_in(value.value);
  refuse_if(!exact, value, "a number");
  return *exact;
}

const JsonValue::Array& ConfigReader::array(const ConfigValue& value, std::string_view expected) const {
  const auto* elements = std::get_if<JsonValue::Array>(&value.value.value());
  refuse_if(elements == nullptr, value, expected);
  return *elements;
}

std::int64_t ConfigReader::integer(const ConfigValue& value, std::int64_t least,
                                   std::int64_t greatest) const {
  const auto exact = number_in(value.value);
  const auto integer = exact ? as_integer(*exact) : std::nullopt;
  if (!integer || *integer < least || *integer > greatest) {
    refuse(value, integer_from_to(least, greatest));
  }
  return *integer;
}

std::span<const std::string> QuantityReader::names_of(std::string_view quantity) const {
  if (const auto own = rules_.keys.find(quantity); own != rules_.keys.end()) {
    return own->second;
  }
  const auto& common = config_names().keys;
  const auto found = common.find(quantity);
  return found == common.end() ? std::span<const std::string>() : found->second;
}

std::optional<ConfigValue> QuantityReader::stated(std::string_view quantity) {
  const auto names = names_of(quantity);
  auto first = config_.first_of(names);
  // Which of two bases or widths turns the pairs only a family that lists its own names says.
  const bool turns_pairs =
      quantity == "rope_theta" || quantity == "partial_rotary_factor" || quantity == "rotary_dim";
  if (turns_pairs && !rules_.keys.contains(quantity)) {
    for (const auto& name : names) {
      if (const auto other = config_.find(name); other && !same_value(other->value, first->value)) {
        config_.refuse(*other, fmt::format("that of {}, {}, or one of the two keys alone", first->path,
                                           short_text(first->value)));
      }
    }
  }
  return first;
}

std::optional<ConfigValue> QuantityReader::fallback(std::string_view quantity) {
  const auto* value = member_of(rules_.defaults, quantity);
  if (value == nullptr) {
    return std::nullopt;
  }
  const auto names = names_of(quantity);
  const auto path = config_.full_path(names.empty() ? std::string(quantity) : names.front());
  config_.assume(
      fmt::format("{} absent: {}, the class default of {}", path, json_text(*value), config_class_));
  return ConfigValue{path, *value};
}

std::optional<ConfigValue> QuantityReader::value(std::string_view quantity) {
  auto found = stated(quantity);
  return found ? found : fallback(quantity);
}

ConfigValue QuantityReader::required(std::string_view quantity, std::string_view expected) {
  auto found = value(quantity);
  if (!found) {
    const auto names = names_of(quantity);
    config_.refuse_missing(names.empty() ? std::string(quantity) : names.front(), expected);
  }
  return *std::move(found);
}

std::int64_t QuantityReader::integer(std::string_view quantity, std::int64_t least, std::int64_t greatest) {
  const auto found = required(quantity, integer_from_to(least, greatest));
  return config_.integer(found, least, greatest);
}

}  // namespace vernier
