#include "reference/configs/family.hpp"

#include <algorithm>

#include "reference/json/json_tree.hpp"
#include "reference/keys/parameters.hpp"
#include "reference/support/mapped.hpp"

namespace vernier {

/// The data files of this folder, compiled in: names.json, and name and text of each file of families.
std::string_view embedded_config_names();
std::vector<std::pair<std::string, std::string_view>> embedded_family_files();

namespace {

constexpr std::string_view rope_scaling = "rope_scaling";

KeyNames read_names(ObjectReader reader) {
  KeyNames names;
  for (const auto& key : reader.keys()) {
    names[key] = read_strings(reader, key);
  }
  return names;
}

std::map<std::string, std::string, std::less<>> read_texts(ObjectReader& parent, std::string_view key) {
  std::map<std::string, std::string, std::less<>> texts;
  if (auto reader = parent.optional_object(key)) {
    for (const auto& name : reader->keys()) {
      texts[name] = reader->string(name);
    }
  }
  return texts;
}

EncodingRules read_rules(ObjectReader& reader, const JsonValue& value) {
  EncodingRules rules;
  rules.encoding = reader.optional_string("encoding").value_or("");
  rules.why = reader.optional_string("why").value_or("");
  if (auto keys = reader.optional_object("keys")) {
    rules.keys = read_names(*std::move(keys));
  }
  reader.ignore("defaults");
  rules.defaults = members_at(value, "defaults");
  reader.ignore("spec");
  rules.spec = members_at(value, "spec");
  rules.scaled = reader.optional_boolean("scaled").value_or(true);
  rules.entry = reader.optional_string("entry").value_or("");
  return rules;
}

std::map<std::string, EncodingRules, std::less<>> read_kinds(const JsonValue& value,
                                                             const std::string& source) {
  std::map<std::string, EncodingRules, std::less<>> kinds;
  for (const auto& [name, rules] : members_at(value, "kinds")) {
    ObjectReader reader(rules, source, name);
    kinds[name] = read_rules(reader, rules);
    reader.finish();
  }
  return kinds;
}

LayerRule read_layer_rule(const JsonValue& value, const std::string& source) {
  ObjectReader reader(value, source, "layers");
  LayerRule rule;
  rule.form =
      static_cast<LayerRule::Form>(reader.choice("form", {"names", "codes", "interval", "members"}, 0));
  rule.keys = read_strings(reader, "keys");
  rule.codes = read_texts(reader, "codes");
  rule.default_interval = reader.optional_integer("default", 1, most_layers);
  rule.first = reader.choice("at", {"last", "first"}, 0) == 1;
  rule.kind = reader.optional_string("kind").value_or("");
  rule.others = reader.optional_string("others").value_or("");
  reader.finish();
  return rule;
}

JsonValue replaced(const JsonValue& base, const JsonValue& changes);

/// Puts another object's members in place of an object's own, or beside them; those of a scaling one by one.
void replace_members(JsonValue::Object& base, const JsonValue::Object& changes) {
  for (const auto& [key, value] : changes) {
    const auto found = std::ranges::find(base, key, &JsonValue::Object::value_type::first);
    if (found == base.end()) {
      base.emplace_back(key, value);
    } else {
      found->second = key == rope_scaling ? replaced(found->second, value) : value;
    }
  }
}

JsonValue replaced(const JsonValue& base, const JsonValue& changes) {
  auto result = std::get<JsonValue::Object>(base.value());
  replace_members(result, std::get<JsonValue::Object>(changes.value()));
  return JsonValue(std::move(result));
}

ConfigFamily read_family(const JsonValue& value, const std::string& source);

void read_variants(const JsonValue& value, const std::string& source, ConfigFamily& family) {
  const auto* variants = value_at(value, "variants");
  if (variants == nullptr) {
    return;
  }
  for (const auto& variant : std::get<JsonValue::Array>(variants->value())) {
    auto whole = std::get<JsonValue::Object>(replaced(value, variant).value());
    std::erase_if(whole,
                  [](const auto& entry) { return entry.first == "variants" || entry.first == "when"; });
    family.variants.push_back(
        {members_at(variant, "when"), read_family(JsonValue(std::move(whole)), source)});
  }
}

ConfigFamily read_family(const JsonValue& value, const std::string& source) {
  ObjectReader reader(value, source, "families");
  ConfigFamily family;
  family.model_types = read_strings(reader, "model_types");
  family.recognised_by = read_strings(reader, "recognised_by");
  family.config_class = reader.string("class");
  family.text_model_type = reader.optional_string("text").value_or("");
  family.rules = read_rules(reader, value);
  if (reader.has("layers")) {
    family.layers = mapped(reader.array("layers", "an array of rules"),
                           [&](const JsonValue& rule) { return read_layer_rule(rule, source); });
  }
  family.parts = read_strings(reader, "parts");
  reader.ignore("kinds");
  family.kinds = read_kinds(value, source);
  family.because = read_texts(reader, "because");
  family.note = reader.optional_string("note").value_or("");
  family.assumptions = read_strings(reader, "assumptions");
  family.source = reader.string("source");
  reader.ignore("variants");
  read_variants(value, source, family);
  reader.finish();
  return family;
}

RopeType read_rope_type(ObjectReader reader, const std::string& name) {
  RopeType type;
  type.name = reader.optional_string("is").value_or(name);
  type.required = read_strings(reader, "required");
  type.optional = read_strings(reader, "optional");
  type.of_length = reader.optional_boolean("of_length").value_or(false);
  type.of_deepseek = reader.optional_boolean("of_deepseek").value_or(false);
  reader.finish();
  return type;
}

ConfigNames read_config_names(const JsonValue& value, const std::string& source) {
  ObjectReader reader(value, source, "");
  ConfigNames names;
  names.nested = read_strings(reader, "nested");
  names.keys = read_names(reader.object("keys"));
  auto types = reader.object("rope_types");
  for (const auto& name : types.keys()) {
    names.rope_types[name] = read_rope_type(types.object(name), name);
  }
  reader.ignore("kinds");
  names.kinds = read_kinds(value, source);
  names.positional = read_strings(reader, "positional");
  names.not_positional = read_strings(reader, "not_positional");
  names.decisive = read_strings(reader, "decisive");
  names.of_scalings = read_strings(reader, "of_scalings");
  reader.ignore("neutral");
  names.neutral = members_at(value, "neutral");
  names.because = read_texts(reader, "because");
  names.of_rotations = read_strings(reader, "of_rotations");
  names.other_parts = read_strings(reader, "other_parts");
  names.by_layer = read_strings(reader, "by_layer");
  names.of_models = read_strings(reader, "of_models");
  names.without_rotation = read_texts(reader, "without_rotation");
  reader.ignore("as_written");
  names.as_written = read_family(*value_at(value, "as_written"), source);
  reader.finish();
  // A type of another name takes what the type takes that it names.
  for (auto& [name, type] : names.rope_types) {
    const bool of_deepseek = type.of_deepseek;
    type = names.rope_types.at(type.name);
    type.of_deepseek = of_deepseek;
  }
  return names;
}

std::vector<ConfigFamily> read_families() {
  std::vector<ConfigFamily> families;
  for (const auto& [name, text] : embedded_family_files()) {
    const auto document = parse_json(text, name);
    ObjectReader reader(document, name, "");
    for (const auto& family : reader.array("families", "an array of families")) {
      families.push_back(read_family(family, name));
    }
    reader.finish();
  }
  return families;
}

const EncodingRules* kind_named(const ConfigFamily& family, std::string_view kind) {
  if (const auto own = family.kinds.find(kind); own != family.kinds.end()) {
    return &own->second;
  }
  const auto common = config_names().kinds.find(kind);
  return common == config_names().kinds.end() ? nullptr : &common->second;
}

}  // namespace

std::vector<std::string> read_strings(ObjectReader& reader, std::string_view key) {
  std::vector<std::string> result;
  if (reader.has(key)) {
    for (const auto& element : reader.array(key, "an array of strings")) {
      const auto* text = std::get_if<std::string>(&element.value());
      if (text == nullptr) {
        reader.refuse_within(key, element, "a string");
      }
      result.push_back(*text);
    }
  }
  return result;
}

std::span<const ConfigFamily> config_families() {
  static const auto families = read_families();
  return families;
}

const ConfigNames& config_names() {
  static const auto names =
      read_config_names(parse_json(embedded_config_names(), "names.json"), "names.json");
  return names;
}

const ConfigFamily* family_of(std::string_view model_type) {
  const auto families = config_families();
  const auto found = std::ranges::find_if(families, [model_type](const ConfigFamily& family) {
    return std::ranges::find(family.model_types, model_type) != family.model_types.end();
  });
  return found == families.end() ? nullptr : &*found;
}

EncodingRules rules_of_kind(const ConfigFamily& family, std::string_view kind) {
  auto rules = family.rules;
  const auto* changes = kind_named(family, kind);
  if (changes == nullptr) {
    return rules;
  }
  if (!changes->encoding.empty()) {
    rules.encoding = changes->encoding;
    rules.why = changes->why;
  }
  for (const auto& [key, names] : changes->keys) {
    rules.keys[key] = names;
  }
  replace_members(rules.defaults, changes->defaults);
  replace_members(rules.spec, changes->spec);
  rules.scaled = changes->scaled;
  rules.entry = changes->entry;
  return rules;
}

}  // namespace vernier
