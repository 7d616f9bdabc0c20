
#include <fmt/core.h>

#include "reference/configs/config_reader.hpp"
#include "reference/json/json_tree.hpp"
#include "reference/keys/parameters.hpp"
#include "reference/support/word_list.hpp"

namespace vernier {
namespace {

using Form = LayerRule::Form;
using Kinds = std::vector<std::string>;

std::size_t number_of_layers(QuantityReader& reader) {
  return static_cast<std::size_t>(reader.integer("num_hidden_layers", 1, most_layers));
}

std::string element_path(const ConfigValue& array, std::size_t index) {
  return fmt::format("{}[{}]", array.path, index);
}

bool is_known_kind(const ConfigFamily& family, const std::string& kind) {
  return family.kinds.contains(kind) || config_names().kinds.contains(kind);
}

std::string known_kinds(const ConfigFamily& family) {
  std::vector<std::string> names;
  for (const auto* kinds : {&family.kinds, &config_names().kinds}) {
    for (const auto& [name, rules] : *kinds) {
      names.push_back(name);
    }
  }
  return joined(names);
}

/// The elements of an array with one element for each layer, at least.
const JsonValue::Array& elements_of(QuantityReader& reader, const ConfigValue& found) {
  const auto& array = reader.config().array(found, "an array with an element for each layer");
  const auto layers = number_of_layers(reader);
  if (array.size() < layers) {
    reader.config().refuse_all(fmt::format("{}: found {} elements, expected one for each of the {} layers",
                                           found.path, array.size(), layers));
  }
  if (array.size() > layers) {
    reader.config().remark(fmt::format("{}: {} elements for {} layers; the first {} are read", found.path,
                                       array.size(), layers, layers));
  }
  return array;
}

Kinds named_kinds(QuantityReader& reader, const ConfigFamily& family, const ConfigValue& found) {
  const auto& elements = elements_of(reader, found);
  const auto layers = number_of_layers(reader);
  Kinds kinds;
  for (std::size_t layer = 0; layer < layers; ++layer) {
    const auto* name = std::get_if<std::string>(&elements[layer].value());
    if (name == nullptr) {
      reader.config().refuse({element_path(found, layer), elements[layer]},
                             "one of the kinds of layers " + known_kinds(family));
    }
    if (!is_known_kind(family, *name)) {
      reader.config().read_as_written(fmt::format("layers of the kind \"{}\"", *name));
    }
    kinds.push_back(*name);
  }
  return kinds;
}

std::string kind_of_code(QuantityReader& reader, const LayerRule& rule, const std::string& path,
                         const JsonValue& code) {
  const auto* letter = std::get_if<std::string>(&code.value());
  const auto stated = rule.codes.find(letter == nullptr ? short_text(code) : *letter);
  const auto found = stated == rule.codes.end() ? rule.codes.find("otherwise") : stated;
  if (found == rule.codes.end()) {
    const auto known =
        joined(rule.codes, [](const auto& one) { return fmt::format("{} ({})", one.first, one.second); });
    reader.config().refuse({path, code}, "one of " + known);
  }
  return found->second;
}

Kinds coded_kinds(QuantityReader& reader, const LayerRule& rule, const ConfigValue& found) {
  const auto layers = number_of_layers(reader);
  Kinds kinds;
  const auto* letters = std::get_if<std::string>(&found.value.value());
  if (letters != nullptr && !letters->empty()) {
    for (std::size_t layer = 0; layer < layers; ++layer) {
      const auto letter = JsonValue(std::string(1, (*letters)[layer % letters->size()]));
      kinds.push_back(kind_of_code(reader, rule, found.path, letter));
    }
    return kinds;
  }
  const auto& elements = elements_of(reader, found);
  for (std::size_t layer = 0; layer < layers; ++layer) {
    kinds.push_back(kind_of_code(reader, rule, element_path(found, layer), elements[layer]));
  }
  return kinds;
}

Kinds kinds_at_interval(QuantityReader& reader, const LayerRule& rule, std::int64_t interval) {
  const auto period = static_cast<std::size_t>(interval);
  const auto layers = number_of_layers(reader);
  Kinds kinds;
  for (std::size_t layer = 0; layer < layers; ++layer) {
    const auto place = layer % period;
    kinds.push_back(place == (rule.first ? 0 : period - 1) ? rule.kind : rule.others);
  }
  return kinds;
}

Kinds kinds_of_members(QuantityReader& reader, const LayerRule& rule, const ConfigValue& found) {
  const auto& members = reader.config().array(found, "an array of the numbers of layers");
  const auto layers = number_of_layers(reader);
  Kinds kinds(layers, rule.others);
  for (std::size_t i = 0; i < members.size(); ++i) {
    const auto layer = reader.config().integer({element_path(found, i), members[i]}, 0,
                                               static_cast<std::int64_t>(layers) - 1);
    kinds[static_cast<std::size_t>(layer)] = rule.kind;
  }
  return kinds;
}

/// Whether the value is of the rule's form. An empty list says nothing: Llama 4 writes one where the interval
/// counts. EXAONE 4 writes its pattern as letters or as an interval.
bool fits(const LayerRule& rule, const JsonValue& value) {
  const auto* array = std::get_if<JsonValue::Array>(&value.value());
  if (array != nullptr && array->empty()) {
    return false;
  }
  return rule.form != Form::codes || !std::holds_alternative<JsonValue::Number>(value.value());
}

Kinds apply(QuantityReader& reader, const ConfigFamily& family, const LayerRule& rule) {
  const auto found = reader.config().first_of(rule.keys);
  if (found && fits(rule, found->value)) {
    switch (rule.form) {
      case Form::names:
        return named_kinds(reader, family, *found);
      case Form::codes:
        return coded_kinds(reader, rule, *found);
      case Form::members:
        return kinds_of_members(reader, rule, *found);
      case Form::interval:
        return kinds_at_interval(reader, rule, reader.config().integer(*found, 1, most_layers));
    }
  }
  if (!rule.default_interval) {
    return {};
  }
  const auto what = rule.keys.empty() ? std::string("layer_types") : rule.keys.front();
  reader.config().assume(
      fmt::format("{} absent: one layer in {} is of the kind {}, the {} of each, the class default of {}",
                  reader.config().full_path(what), *rule.default_interval, rule.kind,
                  rule.first ? "first" : "last", reader.config_class()));
  return kinds_at_interval(reader, rule, *rule.default_interval);
}

}  // namespace

std::vector<std::string> kinds_of_layers(QuantityReader& reader, const ConfigFamily& family) {
  static const std::vector<LayerRule> usual{{Form::names, {"layer_types"}, {}, std::nullopt, false, "", ""}};
  for (const auto& rule : family.layers.empty() ? usual : family.layers) {
    if (auto kinds = apply(reader, family, rule); !kinds.empty()) {
      return kinds;
    }
  }
  if (!family.kinds.empty() && !family.model_types.empty() && entries_of_kinds(reader.config()).empty()) {
    reader.config().refuse_missing(
        family.layers.front().keys.front(),
        fmt::format("the kinds of the layers, as those of {} differ", family.config_class));
  }
  return {};
}

}  // namespace vernier
