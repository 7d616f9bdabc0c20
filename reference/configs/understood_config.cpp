#include "reference/configs/understood_config.hpp"

#include <algorithm>
#include <numeric>

#include <fmt/core.h>

#include "reference/configs/config_reader.hpp"
#include "reference/json/json_tree.hpp"
#include "reference/schemes/scheme_registry.hpp"
#include "reference/support/input_error.hpp"
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
  if (text == nullptr) {
    throw InputError("{}: {}: found {}, expected a string", source, path, value->found());
  }
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

[[noreturn]] void refuse_model_type(const std::string& path, const std::string& model_type,
                                    const std::string& source) {
  std::size_t known = 0;
  for (const auto& family : config_families()) {
    known += family.model_types.size();
  }
  throw InputError("{}: {}: found {}, expected one of the {} model types whose code Vernier has a source for",
                   source, path, JsonValue(model_type).found(), known);
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

LanguageModel find_language_model(const JsonValue& document, const std::string& source) {
  const auto outer_type = model_type_at(document, "", source);
  const auto* outer = outer_type ? family_of(*outer_type) : nullptr;
  const auto where = nested_object(document);
  require_object(document, where, source);
  const auto* patches = value_at(document, "patch_size");
  const bool has_text = outer != nullptr && !outer->text_model_type.empty();
  if (has_text && where.empty() && patches != nullptr && outer->rules.encoding != "axial_rope") {
    throw InputError(
        "{}: patch_size: found {}, expected the configuration of a language model, not of a vision part",
        source, short_text(*patches));
  }
  const auto inner_type = where.empty() ? outer_type : model_type_at(document, where, source);
  const auto* family = inner_type ? family_of(*inner_type) : family_of_text(outer);
  if (family != nullptr && family->rules.encoding.empty()) {
    family = family_of_text(family);
  }
  if (family == nullptr && inner_type) {
    refuse_model_type(type_path(document, where), *inner_type, source);
  }
  if (family == nullptr && where.empty()) {
    family = family_by_keys(document);
  }
  if (family == nullptr) {
    throw InputError(
        "{}: {}: missing, expected a model's configuration, with the name of its class, or a "
        "spec, with a scheme",
        source, key_path(where, "model_type"));
  }
  return {family, where};
}

/// The reading of the family that the configuration's values choose.
const ConfigFamily* chosen_variant(const ConfigFamily* family, ConfigReader& reader) {
  for (const auto& variant : family->variants) {
    if (std::ranges::all_of(variant.when, [&reader](const auto& one) { return reader.holds(one); })) {
      return &variant.family;
    }
  }
  return family;
}

/// Puts together what the layers of each kind, and the parts, have.
class Grouping {
 public:
  Grouping(ConfigReader& reader, const ConfigFamily& family) : reader_(reader), family_(family) {}

  void add(const std::string& kind, const std::vector<int>& layers) {
    QuantityReader quantities(reader_, rules_of_kind(family_, kind), family_.config_class);
    const auto& rules = quantities.rules();
    if (rules.encoding == refused) {
      result_.unencoded.push_back({kind, layers, rules.why});
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
    same->kind += ", " + kind;
    same->layers.insert(same->layers.end(), layers.begin(), layers.end());
    std::ranges::sort(same->layers);
  }

  UnderstoodConfig take() { return std::move(result_); }

 private:
  ConfigReader& reader_;
  const ConfigFamily& family_;
  UnderstoodConfig result_;
};

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

/// The numbers of all layers; none where the configuration leaves out how many there are.
std::vector<int> all_layers(QuantityReader& quantities) {
  const auto stated = quantities.stated("num_hidden_layers");
  std::vector<int> layers(stated ? static_cast<std::size_t>(quantities.config().integer(*stated, 1, 1 << 16))
                                 : 0);
  std::iota(layers.begin(), layers.end(), 0);
  return layers;
}

UnderstoodConfig grouped(ConfigReader& reader, const ConfigFamily& family) {
  Grouping grouping(reader, family);
  for (const auto& part : family.parts) {
    grouping.add(part, {});
  }
  if (!family.parts.empty()) {
    return grouping.take();
  }
  QuantityReader quantities(reader, family.rules, family.config_class);
  const auto kinds = kinds_of_layers(quantities, family);
  for (const auto& [kind, layers] : layers_by_kind(kinds)) {
    grouping.add(kind, layers);
  }
  if (kinds.empty()) {
    grouping.add("", all_layers(quantities));
  }
  return grouping.take();
}

[[noreturn]] void refuse_model(const ConfigReader& reader, const ConfigFamily& family,
                               const std::string& why) {
  const auto path = type_path(reader.document(), reader.where());
  const auto* model_type = value_at(reader.document(), path);
  throw InputError("{}: found {}, {}; expected a model whose encoding its configuration says",
                   reader.source(),
                   model_type == nullptr ? family.config_class : path + " " + short_text(*model_type), why);
}

[[noreturn]] void refuse_choice(const UnderstoodConfig& config, const std::string& which,
                                const std::string& source, const std::string& option) {
  std::string known;
  for (const auto& group : config.groups) {
    known += (known.empty() ? "" : "; ") + (group.kind.empty() ? std::string("all") : group.kind) +
             (group.layers.empty() ? "" : ": layers " + joined(group.layers));
  }
  throw InputError("{}: found {}, expected {}one of {}", source,
                   which.empty() ? "several encodings" : "no layer or part " + JsonValue(which).found(),
                   which.empty() ? option + " with " : "", known);
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

}  // namespace

UnderstoodConfig understand_config(const JsonValue& document, const std::string& source) {
  if (!std::holds_alternative<JsonValue::Object>(document.value())) {
    throw InputError("{}: found {}, expected the object of a configuration", source, document.found());
  }
  const auto model = find_language_model(document, source);
  ConfigReader reader(document, source, model.where);
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
  result.assumed = reader.assumed();
  result.remarks = reader.remarks();
  const bool encodes = std::ranges::any_of(result.groups, [](const Group& group) {
    return json_text(*value_at(group.spec, "scheme")) != R"("none")";
  });
  result.ignored = ignored_keys(reader, family, encodes);
  return result;
}

UnderstoodConfig read_config(const std::filesystem::path& file) {
  return understand_config(parse_python_json(read_text(file), file.string()), file.string());
}

const JsonValue& spec_of(const UnderstoodConfig& config, const std::string& which, const std::string& source,
                         const std::string& option) {
  const auto chosen = std::ranges::find_if(
      config.groups, [&which](const Group& group) { return chooses(which, group.kind, group.layers); });
  if (chosen != config.groups.end()) {
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
          family_by_keys(document) != nullptr);
}

JsonValue read_spec(const std::filesystem::path& file, const std::string& which) {
  const auto text = read_text(file);
  const auto source = file.string();
  const auto document = parse_python_json(text, source);
  if (is_config(document)) {
    return spec_of(understand_config(document, source), which, source);
  }
  if (!which.empty()) {
    throw InputError("{}: found a spec, expected a model's configuration, as --layer is given", source);
  }
  return parse_json(text, source);
}

}  // namespace vernier
