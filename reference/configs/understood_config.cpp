#include "reference/configs/understood_config.hpp"

#include <algorithm>
#include <numeric>

#include <fmt/core.h>

#include "reference/configs/config_reader.hpp"
#include "reference/json/json_tree.hpp"
#include "reference/schemes/scheme_registry.hpp"
#include "reference/support/input_error.hpp"
#include "reference/support/mapped.hpp"
#include "reference/support/refusal.hpp"
#include "reference/support/text_file.hpp"
#include "reference/support/word_list.hpp"

namespace vernier {
namespace {

using Group = UnderstoodConfig::Group;
using Unencoded = UnderstoodConfig::Unencoded;

constexpr std::string_view refused = "refused";

/// The language model within a document.
struct LanguageModel {
  const ConfigFamily* family;
  std::string where;
  std::string unknown = {};  ///< whose code is not known, in words
};

/// The key that names the class of an object of the document: diffusers has one of its own.
std::string type_path(const JsonValue& document, const std::string& where) {
  const auto path = key_path(where, "model_type");
  const auto of_diffusers = key_path(where, "_class_name");
  return value_at(document, path) == nullptr && value_at(document, of_diffusers) != nullptr ? of_diffusers
                                                                                            : path;
}

/// The model_type of an object of the document, if it has one.
std::optional<std::string> model_type_at(const JsonValue& document, const std::string& where,
                                         const std::string& source) {
  const auto path = type_path(document, where);
  const auto* value = value_at(document, path);
  if (value == nullptr) {
    return std::nullopt;
  }
  const auto* text = std::get_if<std::string>(&value->value());
  refuse_if(text == nullptr, "{}: {}: found {}, expected a string", source, path, value->found());
  return *text;
}

/// The path of the language model's object, empty if it is the document itself.
std::string nested_object(const JsonValue& document) {
  for (const auto& path : config_names().nested) {
    if (value_at(document, path) != nullptr) {
      return path;
    }
  }
  return "";
}

void require_object(const JsonValue& document, const std::string& path, const std::string& source) {
  const auto* value = value_at(document, path);
  if (value != nullptr && !std::holds_alternative<JsonValue::Object>(value->value())) {
    throw InputError("{}: {}: found {}, expected an object", source, path, value->found());
  }
}

const ConfigFamily* family_by_keys(const JsonValue& document) {
  const auto families = config_families();
  const auto found = std::ranges::find_if(families, [&document](const ConfigFamily& family) {
    return !family.recognised_by.empty() &&
           std::ranges::all_of(family.recognised_by,
                               [&document](const auto& key) { return value_at(document, key) != nullptr; });
  });
  return found == families.end() ? nullptr : &*found;
}

/// The family of the language model that a multimodal family has where its file says nothing of it.
const ConfigFamily* family_of_text(const ConfigFamily* outer) {
  return outer == nullptr || outer->text_model_type.empty() ? nullptr : family_of(outer->text_model_type);
}

/// The path of the language model's object. \param is_known whether the class of the document is
std::string place_of_language_model(const JsonValue& document, bool is_known, const std::string& source) {
  const auto where = nested_object(document);
  require_object(document, where, source);
  const bool is_elsewhere = !is_known && !has_rotation(document, where);
  if (is_elsewhere && !where.empty() && has_rotation(document, "")) {
    return "";
  }
  return is_elsewhere && where.empty() && family_by_keys(document) == nullptr
             ? nested_rotation(document, source).value_or("")
             : where;
}

/// How a class is called whose code is not known.
std::string unknown_class(const JsonValue& document, const std::string& where) {
  const auto path = type_path(document, where);
  const auto* model_type = value_at(document, path);
  return model_type == nullptr ? "a model without " + path : path + " " + short_text(*model_type);
}

/// The family of an object whose class is known by its name or its keys, or by the model around it.
const ConfigFamily* known_family(const JsonValue& document, const std::string& where,
                                 const ConfigFamily* outer, const std::string& source) {
  const auto inner_type = model_type_at(document, where, source);
  const auto* family = inner_type ? family_of(*inner_type) : family_of_text(outer);
  if (family != nullptr && family->rules.encoding.empty()) {
    family = family_of_text(family);
  }
  return family == nullptr && !inner_type && where.empty() ? family_by_keys(document) : family;
}

LanguageModel find_language_model(const JsonValue& document, const std::string& source) {
  const auto outer_type = model_type_at(document, "", source);
  const auto* outer = outer_type ? family_of(*outer_type) : nullptr;
  const auto where = place_of_language_model(document, outer != nullptr, source);
  const auto* patches = value_at(document, "patch_size");
  const bool has_text = outer != nullptr && !outer->text_model_type.empty();
  if (has_text && where.empty() && patches != nullptr && outer->rules.encoding != "axial_rope") {
    throw InputError(
        "{}: patch_size: found {}, expected the configuration of a language model, not of a vision part",
        source, short_text(*patches));
  }
  if (const auto* family = known_family(document, where, outer, source)) {
    const bool is_wrapped = outer_type && outer == nullptr && !where.empty();
    return {family, where,
            is_wrapped ? fmt::format("{}, around {},", unknown_class(document, ""), where) : ""};
  }
  if (!has_rotation(document, where)) {
    refuse_without_rotation(document, type_path(document, where), where, source);
  }
  return {&config_names().as_written, where, unknown_class(document, where)};
}

/// The reading of the family that the configuration's values choose.
const ConfigFamily* chosen_variant(const ConfigFamily* family, ConfigReader& reader) {
  for (const auto& variant : family->variants) {
    if (std::ranges::all_of(variant.when,
                            [&reader](const auto& one) { return reader.holds(one.first, one.second); })) {
      return &variant.family;
    }
  }
  return family;
}

/// The layer that the text is the number of, if it is one.
std::optional<int> layer_number(const std::string& which) {
  const bool digits = !which.empty() && which.size() < 7 &&
                      std::ranges::all_of(which, [](char c) { return c >= '0' && c <= '9'; });
  return digits ? std::optional(std::stoi(which)) : std::nullopt;
}

/// Whether `which` names layers of this kind, or one of these layers.
bool chooses(const std::string& which, const std::string& kinds, const std::vector<int>& layers) {
  if (const auto number = layer_number(which)) {
    return std::ranges::find(layers, *number) != layers.end();
  }
  return (", " + kinds + ",").find(", " + which + ",") != std::string::npos;
}

/// The layers of each kind, the kinds in the order in which they first come.
std::vector<std::pair<std::string, std::vector<int>>> layers_by_kind(const std::vector<std::string>& kinds) {
  std::vector<std::pair<std::string, std::vector<int>>> result;
  for (std::size_t layer = 0; layer < kinds.size(); ++layer) {
    auto found = std::ranges::find(result, kinds[layer], &std::pair<std::string, std::vector<int>>::first);
    if (found == result.end()) {
      found = result.insert(result.end(), {kinds[layer], {}});
    }
    found->second.push_back(static_cast<int>(layer));
  }
  return result;
}

/// Puts together what the layers of each kind, and the parts, have.
class Grouping {
 public:
  Grouping(ConfigReader& reader, const ConfigFamily& family) : reader_(reader), family_(family) {}

  /// Layers of one kind, apart where a list says something else of each.
  void add_layers(const std::string& kind, const std::vector<int>& layers) {
    const auto values = mapped(layers, [this](int layer) { return reader_.values_of_layer(layer); });
    for (const auto& [value, places] : layers_by_kind(values)) {
      const auto alike = mapped(places, [&](int place) { return layers[static_cast<std::size_t>(place)]; });
      reader_.read_layer(alike.front());
      add(kind, alike);
    }
    reader_.read_layer(std::nullopt);
    if (layers.empty()) {
      add(kind, layers);
    }
  }

  UnderstoodConfig take() { return std::move(result_); }

 private:
  void add(const std::string& kind, const std::vector<int>& layers) {
    QuantityReader quantities(reader_, rules_of_kind(family_, kind), family_.config_class);
    const auto& rules = quantities.rules();
    if (rules.encoding == refused) {
      result_.unencoded.push_back({kind, layers, rules.why});
      return;
    }
    if (lacks_entry(kind, rules)) {
      result_.unencoded.push_back({kind, layers, "the parameters of the rotation have no entry for it"});
      return;
    }
    auto spec = spec_of_rules(quantities, kind);
    // Whatever else is wrong with a value, its scheme says.
    parse_spec(ObjectReader(spec, reader_.source() + ": understood as a spec", ""));
    const auto same = std::ranges::find_if(
        result_.groups, [&spec](const Group& group) { return same_value(group.spec, spec); });
    if (same == result_.groups.end()) {
      result_.groups.push_back({kind, layers, std::move(spec)});
      return;
    }
    if (!chooses(kind, same->kind, {})) {
      same->kind += ", " + kind;
    }
    same->layers.insert(same->layers.end(), layers.begin(), layers.end());
    std::ranges::sort(same->layers);
  }

  /// Whether layers whose code is not known have no entry of their own where each kind has one.
  bool lacks_entry(const std::string& kind, const EncodingRules& rules) {
    const auto entries = entries_of_kinds(reader_);
    return !reader_.as_written().empty() && rules.encoding == "rope" && !kind.empty() && !entries.empty() &&
           std::ranges::find(entries, rules.entry.empty() ? kind : rules.entry) == entries.end();
  }

  ConfigReader& reader_;
  const ConfigFamily& family_;
  UnderstoodConfig result_;
};

/// The numbers of all layers; none where the configuration leaves out how many there are.
std::vector<int> all_layers(QuantityReader& quantities) {
  const auto stated = quantities.stated("num_hidden_layers");
  std::vector<int> layers(stated ? static_cast<std::size_t>(quantities.config().integer(*stated, 1, 1 << 16))
                                 : 0);
  std::iota(layers.begin(), layers.end(), 0);
  return layers;
}

/// Layers of which nothing says of which kind they are: all alike, or as many kinds as have parameters.
void add_uncounted(Grouping& grouping, QuantityReader& quantities) {
  auto& config = quantities.config();
  const auto entries =
      quantities.rules().encoding == "rope" ? entries_of_kinds(config) : std::vector<std::string>();
  for (const auto& entry : entries) {
    grouping.add_layers(entry, {});
  }
  if (entries.empty()) {
    return grouping.add_layers("", all_layers(quantities));
  }
  config.assume(
      fmt::format("{} absent: which layers are of which kind is not known", config.full_path("layer_types")));
}

UnderstoodConfig grouped(ConfigReader& reader, const ConfigFamily& family) {
  Grouping grouping(reader, family);
  for (const auto& part : family.parts) {
    grouping.add_layers(part, {});
  }
  if (!family.parts.empty()) {
    return grouping.take();
  }
  QuantityReader quantities(reader, family.rules, family.config_class);
  const auto kinds = kinds_of_layers(quantities, family);
  for (const auto& [kind, layers] : layers_by_kind(kinds)) {
    grouping.add_layers(kind, layers);
  }
  if (kinds.empty()) {
    add_uncounted(grouping, quantities);
  }
  return grouping.take();
}

[[noreturn]] void refuse_model(const ConfigReader& reader, const ConfigFamily& family,
                               const std::string& why) {
  const auto path = type_path(reader.document(), reader.where());
  const auto* model_type = value_at(reader.document(), path);
  throw InputError("{}: found {}, {}; expected a model whose configuration defines its encoding",
                   reader.source(),
                   model_type == nullptr ? family.config_class : path + " " + short_text(*model_type), why);
}

[[noreturn]] void refuse_choice(const UnderstoodConfig& config, const std::string& which,
                                const std::string& source, const std::string& option) {
  std::vector<std::string> kinds;  // by which a group can be chosen
  int last = -1;
  for (const auto& group : config.groups) {
    last = group.layers.empty() ? last : std::max(last, group.layers.back());
    if (!group.kind.empty() && std::ranges::count(config.groups, group.kind, &Group::kind) == 1) {
      kinds.push_back(group.kind);
    }
  }
  throw InputError("{}: found {}, expected {}{}{}{}", which.empty() ? source : option,
                   which.empty()         ? "several encodings"
                   : layer_number(which) ? which
                                         : JsonValue(which).found(),
                   which.empty() ? option + " with " : "",
                   last >= 0       ? fmt::format("a number from 0 to {}", last)
                   : kinds.empty() ? "a number"
                                   : "",
                   last >= 0 && !kinds.empty() ? " or " : "",
                   kinds.empty() ? "" : "a kind: " + joined(kinds));
}

}  // namespace

UnderstoodConfig understand_config(const JsonValue& document, const std::string& source) {
  refuse_if(!std::holds_alternative<JsonValue::Object>(document.value()),
            "{}: found {}, expected the object of a configuration", source, document.found());
  const auto model = find_language_model(document, source);
  ConfigReader reader(document, source, model.where);
  if (!model.unknown.empty()) {
    reader.read_as_written(model.unknown);
  }
  const auto& family = *chosen_variant(model.family, reader);
  if (family.rules.encoding == refused) {
    refuse_model(reader, family, family.rules.why);
  }
  auto result = grouped(reader, family);
  if (result.groups.empty()) {
    refuse_model(reader, family, result.unencoded.front().why);
  }
  if (!model_type_at(document, model.where, source) && !model.family->model_types.empty()) {
    reader.assume(fmt::format("{} absent: {}, as the model around it has it", reader.full_path("model_type"),
                              model.family->model_types.front()));
  }
  if (!family.note.empty()) {
    reader.remark(family.note);
  }
  std::ranges::for_each(family.assumptions, [&](const auto& sentence) { reader.assume(sentence); });
  result.assumed = reader.assumed();
  result.remarks = reader.remarks();
  const bool encodes = std::ranges::any_of(result.groups, [](const Group& group) {
    return json_text(*value_at(group.spec, "scheme")) != R"("none")";
  });
  result.as_written = reader.as_written();
  result.ignored = ignored_keys(reader, family, encodes && model.family != &config_names().as_written);
  return result;
}

UnderstoodConfig read_config(const std::filesystem::path& file) {
  return understand_config(parse_python_json(read_text(file), file.string()), file.string());
}

const JsonValue& spec_of(const UnderstoodConfig& config, const std::string& which, const std::string& source,
                         const std::string& option) {
  const auto fits = [&which](const Group& group) { return chooses(which, group.kind, group.layers); };
  const auto chosen = std::ranges::find_if(config.groups, fits);
  if (std::ranges::count_if(config.groups, fits) == 1) {
    return chosen->spec;
  }
  const auto unencoded = std::ranges::find_if(
      config.unencoded, [&which](const Unencoded& one) { return chooses(which, one.kind, one.layers); });
  if (!which.empty() && unencoded != config.unencoded.end()) {
    throw InputError("{}: layer {}: found {}: {}; expected a layer with an encoding", source, which,
                     unencoded->kind, unencoded->why);
  }
  const bool countless = config.groups.front().layers.empty() && layer_number(which);
  if (config.groups.size() == 1 && (which.empty() || countless)) {
    return config.groups.front().spec;
  }
  refuse_choice(config, which, source, option);
}

bool is_config(const JsonValue& document) {
  return value_at(document, "scheme") == nullptr &&
         (value_at(document, type_path(document, "")) != nullptr || !nested_object(document).empty() ||
          family_by_keys(document) != nullptr || has_model_key(document));
}

DeclaredSpec declared_spec(const JsonValue& document, const std::string& which, const std::string& source,
                           const std::string& option) {
  if (is_config(document)) {
    const auto config = understand_config(document, source);
    return {spec_of(config, which, source, option), config.as_written};
  }
  refuse_if(!which.empty(), "{}: found a spec, expected a model's configuration, as {} is given", source,
            option);
  return {document};
}

DeclaredSpec read_spec(const std::filesystem::path& file, const std::string& which) {
  const auto text = read_text(file);
  const auto source = file.string();
  const auto document = parse_python_json(text, source);
  return declared_spec(is_config(document) ? document : parse_json(text, source), which, source);
}

}  // namespace vernier
