// What a reader's row makes of a configuration.

#include "reference/readers/reader.hpp"

#include <algorithm>
#include <set>

#include <fmt/core.h>

#include "reference/configs/family.hpp"
#include "reference/json/json_tree.hpp"
#include "reference/numbers/rational.hpp"
#include "reference/schemes/scheme_registry.hpp"
#include "reference/support/input_error.hpp"
#include "reference/support/refusal.hpp"

namespace vernier {
namespace {

constexpr std::string_view member_of_scaling = "$.";
const std::vector<std::string> scaling_objects{"rope_parameters", "rope_scaling"};

bool is_object(const JsonValue& value) {
  return std::holds_alternative<JsonValue::Object>(value.value());
}

std::string last_word(std::string_view path) {
  const auto dot = path.rfind('.');
  const std::string word(dot == std::string_view::npos ? path : path.substr(dot + 1));
  return word == "type" ? "rope_type" : word;
}

/// Reads one configuration as one reader does.
class ReadingBuilder {
 public:
  ReadingBuilder(const ReaderRow& reader, const JsonValue& document, const std::string& source,
                 const std::string& kind)
      : reader_(reader),
        document_(document),
        source_(source),
        where_(language_model_of(document)),
        model_type_(model_type_of(document)),
        family_(family_of(model_type_)),
        reading_{.reader = reader.name, .is_known = reader.covers(model_type_), .kind = kind} {}

  Reading reading() {
    if (!reading_.is_known) {
      return std::move(reading_);
    }
    try {
      read();
      const auto reader = reader_.is_reference ? "" : ": read as " + reader_.name + " does";
      parse_spec(ObjectReader(reading_.spec, source_ + reader, ""));
    } catch (const InputError& error) {
      reading_.error = error.what();
      reading_.spec = JsonValue();
    }
    list_ignored();
    return std::move(reading_);
  }

 private:
  void find_objects() {
    reading_.object.clear();
    for (const auto& name : *rules_.object) {
      auto path = key_path(where_, name);
      const auto* value = value_at(document_, path);
      if (value == nullptr || !is_object(*value)) {
        continue;
      }
      const auto is_entry = [](const auto& member) { return is_object(member.second); };
      if (rules_.entries.value_or(false) && std::ranges::any_of(members_at(document_, path), is_entry)) {
        path = key_path(path, reading_.kind);
      }
      reading_.object.push_back(path);
      if (!reader_.is_reference) {
        return;
      }
    }
  }

  std::optional<ReadQuantity> stated(const std::string& quantity, const ReadRule& rule) const {
    auto paths = paths_of(rule, reading_, where_);
    if (rule.of_class && family_ != nullptr) {
      if (const auto names = family_->rules.keys.find(quantity); names != family_->rules.keys.end()) {
        for (const auto& name : names->second) {
          paths.push_back(key_path(where_, name));
        }
      }
    }
    for (const auto& path : paths) {
      if (const auto* value = value_at(document_, path)) {
        return ReadQuantity{quantity, path, *value, rule.why};
      }
    }
    return std::nullopt;
  }

  std::optional<ReadQuantity> defaulted(const std::string& quantity, const ReadRule& rule) const {
    const auto* of_class =
        rule.of_class && family_ != nullptr ? member_of(family_->rules.defaults, quantity) : nullptr;
    if (of_class != nullptr) {
      return ReadQuantity{quantity, "", *of_class, rule.why};
    }
    return rule.fallback ? std::optional(ReadQuantity{quantity, "", *rule.fallback, rule.why}) : std::nullopt;
  }

  /// The value times another quantity that is read.
  JsonValue multiplied(const JsonValue& value, const std::string& times) {
    const auto factor = take(times);
    const auto number = number_in(value);
    const auto by = factor ? number_in(*factor) : std::nullopt;
    return number && by ? JsonValue(JsonValue::Number{to_string(*number * *by)}) : value;
  }

  /// The quantity, which goes into the account once.
  std::optional<JsonValue> take(const std::string& quantity) {
    if (const auto* known = reading_.quantity(quantity)) {
      return known->value;
    }
    const auto rule = rules_.quantities.find(quantity);
    if (rule == rules_.quantities.end()) {
      return std::nullopt;
    }
    auto found = stated(quantity, rule->second);
    if (found && !rule->second.times.empty()) {
      found->value = multiplied(found->value, rule->second.times);
    }
    if (!found) {
      found = defaulted(quantity, rule->second);
    }
    if (found) {
      reading_.quantities.push_back(*found);
    }
    return found ? std::optional(found->value) : std::nullopt;
  }

  void add(const std::string& key, JsonValue value) { spec_.emplace_back(key, std::move(value)); }
  bool add_if_there(const std::string& quantity) {
    auto value = take(quantity);
    if (value) {
      add(quantity, *std::move(value));
    }
    return value.has_value();
  }

  /// The type of an object that names none, as Vernier reads configurations (rope_spec.cpp).
  std::string meant_type() const {
    for (const auto& path : reading_.object) {
      if (value_at(document_, key_path(path, "low_freq_factor")) != nullptr) {
        return "llama3";
      }
      refuse_if(value_at(document_, key_path(path, "factor")) != nullptr,
                "{}: {}.rope_type: missing, expected the type of scaling, as a factor is given", source_,
                path);
    }
    return "default";
  }

  /// Vernier's name of the type of scaling.
  std::string type_of_scaling() {
    rules_ = rules_for(reader_, model_type_, reading_.kind, "");
    find_objects();
    const auto stated_type = take("rope_type");
    const auto* text = stated_type ? std::get_if<std::string>(&stated_type->value()) : nullptr;
    auto name = text == nullptr ? "default" : *text;
    auto& type_read = *std::ranges::find(reading_.quantities, "rope_type", &ReadQuantity::quantity);
    if (reader_.is_reference && type_read.key.empty()) {
      name = meant_type();
      type_read.value = JsonValue(name);
    }
    rules_ = rules_for(reader_, model_type_, reading_.kind, name);
    const auto type = rules_.types->find(name);
    if (type != rules_.types->end()) {
      return type->second;
    }
    refuse_if(reader_.refuses, "{}: {}: found {}, which {} does not know", source_, type_read.key,
              JsonValue(name).found(), reader_.is_reference ? "no reader" : reader_.name);
    type_read = {"rope_type", "", JsonValue(std::string("default")), "a type that it reads as no scaling"};
    return "default";
  }

  void read() {
    const auto type = type_of_scaling();
    add("scheme", JsonValue(std::string("rope")));
    add("head_dim", head_dim());
    add("rope_theta", required("rope_theta"));
    if (family_ != nullptr) {
      if (const auto* layout = member_of(family_->rules.spec, "layout")) {
        add("layout", *layout);
      }
    }
    if (!add_if_there("partial_rotary_factor")) {
      add_if_there("rotary_dim");
    }
    add_if_there("max_position_embeddings");
    take("context");
    add_scaling(config_names().rope_types.at(type));
    reading_.spec = JsonValue(std::move(spec_));
  }

  JsonValue required(const std::string& quantity) {
    if (auto found = take(quantity)) {
      return *std::move(found);
    }
    const auto& keys = rules_.quantities.at(quantity).keys;
    auto key = keys.empty() ? quantity : keys.front();
    if (key.starts_with(member_of_scaling)) {
      key = key.substr(member_of_scaling.size());
      key = reading_.object.empty() ? key : key_path(reading_.object.front(), key);
    }
    throw InputError("{}: {}: missing, expected a value{}", source_, key,
                     reader_.is_reference ? "" : fmt::format(", as {} needs it", reader_.name));
  }

  JsonValue head_dim() {
    if (auto stated_width = take("head_dim")) {
      return *std::move(stated_width);
    }
    const auto hidden = number_in(required("hidden_size"));
    const auto heads = number_in(required("num_attention_heads"));
    refuse_if(!hidden || !heads || *heads <= 0,
              "{}: hidden_size, num_attention_heads: expected two positive integers", source_);
    return JsonValue(JsonValue::Number{to_string(*hidden / *heads)});
  }

  void add_scaling(const RopeType& type) {
    JsonValue::Object scaling{{"rope_type", JsonValue(type.name)}};
    for (const auto& key : type.required) {
      scaling.emplace_back(key, required(key));
    }
    auto keys = type.optional;
    keys.insert(keys.end(), {"mrope_section", "mrope_interleaved"});
    for (const auto& key : keys) {
      if (key == "mrope_interleaved" && reading_.quantity("mrope_section") == nullptr) {
        continue;  // the order of no axes
      }
      if (auto value = take(key)) {
        scaling.emplace_back(key, *std::move(value));
      }
    }
    if (type.name != "default" || scaling.size() > 1) {
      add("rope_scaling", JsonValue(std::move(scaling)));
    }
  }

  /// Whether a key says what the reader has from elsewhere.
  bool is_said_elsewhere(const IgnoredKey& one) const {
    return std::ranges::any_of(reading_.quantities, [&one](const ReadQuantity& read) {
      return read.key == one.key ||
             (last_word(one.key) == last_word(read.key) && same_value(one.value, read.value));
    });
  }

  void list_ignored() {
    std::set<std::string> seen;
    for (const auto& name : scaling_objects) {
      const auto whole = key_path(where_, name);
      for (const auto& path : {whole, reading_.kind.empty() ? whole : key_path(whole, reading_.kind)}) {
        for (const auto& [key, value] : members_at(document_, path)) {
          if (!is_object(value)) {
            note(key_path(path, key), value, seen);
          }
        }
      }
    }
    for (const auto& [quantity, rule] : readers().front().rules.quantities) {
      for (const auto& key : rule.keys) {
        const auto path = key_path(where_, key);
        const auto* value = key.starts_with(member_of_scaling) ? nullptr : value_at(document_, path);
        if (value != nullptr) {
          note(path, *value, seen);
        }
      }
    }
  }

  void note(const std::string& path, const JsonValue& value, std::set<std::string>& seen) {
    static const std::set<std::string> of_width{"hidden_size",         "n_embd", "d_model",
                                                "num_attention_heads", "n_head", "n_heads"};
    const IgnoredKey one{path, value};
    if (!value.is_null() && !of_width.contains(last_word(path)) && seen.insert(path).second &&
        !is_said_elsewhere(one)) {
      reading_.ignored.push_back(one);
    }
  }

  const ReaderRow& reader_;
  const JsonValue& document_;
  std::string source_;
  std::string where_;
  std::string model_type_;
  const ConfigFamily* family_;
  ReaderRules rules_;
  Reading reading_;
  JsonValue::Object spec_;
};

}  // namespace

bool ReaderRow::covers(std::string_view model_type) const {
  return is_reference || std::ranges::find(model_types, model_type) != model_types.end();
}

const ReadQuantity* Reading::quantity(std::string_view name) const {
  const auto found = std::ranges::find(quantities, name, &ReadQuantity::quantity);
  return found == quantities.end() ? nullptr : &*found;
}

std::vector<std::string> paths_of(const ReadRule& rule, const Reading& reading, const std::string& where) {
  std::vector<std::string> paths;
  for (const auto& key : rule.keys) {
    if (!key.starts_with(member_of_scaling)) {
      paths.push_back(key_path(where, key));
      continue;
    }
    for (const auto& object : reading.object) {
      paths.push_back(key_path(object, key.substr(member_of_scaling.size())));
    }
  }
  return paths;
}

std::string language_model_of(const JsonValue& document) {
  for (const auto& path : config_names().nested) {
    if (held_at<JsonValue::Object>(document, path) != nullptr) {
      return path;
    }
  }
  return "";
}

std::string model_type_of(const JsonValue& document) {
  for (const auto& path : {key_path(language_model_of(document), "model_type"), std::string("model_type")}) {
    if (const auto* type = held_at<std::string>(document, path)) {
      return *type;
    }
  }
  return "";
}

std::vector<std::string> kinds_with_entries(const JsonValue& document) {
  const auto where = language_model_of(document);
  std::vector<std::string> kinds;
  for (const auto& name : scaling_objects) {
    for (const auto& [key, value] : members_at(document, key_path(where, name))) {
      if (is_object(value) && std::ranges::find(kinds, key) == kinds.end()) {
        kinds.push_back(key);
      }
    }
  }
  return kinds.empty() ? std::vector<std::string>{""} : kinds;
}

void require_rotation(const JsonValue& document, const std::string& source) {
  for (const auto& name : scaling_objects) {
    const auto path = key_path(language_model_of(document), name);
    const auto* value = value_at(document, path);
    if (value != nullptr && !value->is_null() && !is_object(*value)) {
      throw InputError("{}: {}: found {}, expected an object", source, path, value->found());
    }
  }
  for (const auto& kind : kinds_with_entries(document)) {
    if (const auto error = read_as(readers().front(), document, source, kind).error; !error.empty()) {
      throw InputError("{}", error);
    }
  }
}

Reading read_as(const ReaderRow& reader, const JsonValue& document, const std::string& source,
                const std::string& kind) {
  return ReadingBuilder(reader, document, source, kind).reading();
}

}  // namespace vernier
