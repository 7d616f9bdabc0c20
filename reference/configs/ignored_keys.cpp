#include <algorithm>
#include <array>

#include <fmt/core.h>

#include "reference/configs/config_reader.hpp"
#include "reference/json/json_tree.hpp"

namespace vernier {
namespace {

constexpr std::array<std::string_view, 2> scaling_keys{"rope_scaling", "rope_parameters"};

template <class Names>
bool is_among(const Names& names, const std::string& key) {
  return std::ranges::find(names, key) != std::ranges::end(names);
}

bool has_part_of(const std::string& key, const std::vector<std::string>& parts) {
  return !is_among(config_names().not_positional, key) &&
         std::ranges::any_of(parts, [&key](const auto& part) { return key.find(part) != std::string::npos; });
}

bool is_neutral(const std::string& key, const JsonValue& value) {
  const auto* neutral = member_of(config_names().neutral, key);
  return neutral != nullptr &&
         std::ranges::any_of(std::get<JsonValue::Array>(neutral->value()),
                             [&value](const auto& one) { return same_value(one, value); });
}

class Collector {
 public:
  Collector(const ConfigReader& reader, const ConfigFamily& family, bool encodes)
      : reader_(reader), family_(family), encodes_(encodes) {
    const auto* name = held_at<std::string>(reader.document(), "model_type");
    around_ = name == nullptr || reader.where().empty() ? nullptr : family_of(*name);
  }

  /// Where an object stands.
  struct Place {
    std::string path;
    std::string reason;       ///< why its keys are left unread, empty if nothing says so
    bool is_own = true;       ///< whether its keys are the language model's, or those of the model around it
    bool in_scaling = false;  ///< where every key counts
  };

  void collect(const JsonValue::Object& object, const Place& place) {
    for (const auto& [key, value] : object) {
      const auto full = key_path(place.path, key);
      const auto because = reason_of(key, place);
      const auto* inner = std::get_if<JsonValue::Object>(&value.value());
      const bool scaling = place.in_scaling || is_among(scaling_keys, key);
      const bool around = (reader_.where() + ".").starts_with(full + ".");
      const bool is_entered = inner != nullptr && (scaling || around || key == "attn_config");
      const bool is_left = !value.is_null() && !is_entered && !reader_.was_read(full);
      if (encodes_ && is_left && place.is_own && because.empty() && is_decisive(key, value, place)) {
        reader_.refuse(
            {full, value},
            fmt::format("no key that may change the encoding and that Vernier does not read for {}",
                        family_.config_class));
      }
      if (inner != nullptr) {
        collect(*inner, {full, because, place.is_own && is_entered, scaling});
      } else if (is_left && (place.in_scaling || has_part_of(key, config_names().positional))) {
        sentences_.push_back(
            fmt::format("{}: {}{}", full, short_text(value), because.empty() ? "" : " (" + because + ")"));
      }
    }
  }

  std::vector<std::string> take() { return std::move(sentences_); }

 private:
  bool is_decisive(const std::string& key, const JsonValue& value, const Place& place) const {
    const bool known =
        place.path.starts_with(reader_.where()) &&
        (place.in_scaling ? family_.rules.encoding == "rope" && is_among(config_names().of_scalings, key)
                          : is_known(key));
    const bool is_base_of_all =
        key == "rope_theta" && is_among(scaling_keys, place.path.substr(place.path.rfind('.') + 1));
    return (!known || is_base_of_all) && !is_neutral(key, value) && !is_said_within(key, value, place) &&
           (place.in_scaling || has_part_of(key, config_names().decisive));
  }

  /// Whether the family reads the key for some of its layers, if not for those that this model has.
  bool is_known(const std::string& key) const {
    return std::ranges::any_of(family_.layers, [&](const auto& rule) { return is_among(rule.keys, key); }) ||
           std::ranges::any_of(family_.kinds, [&](const auto& kind) {
             return std::ranges::any_of(kind.second.keys,
                                        [&](const auto& names) { return is_among(names.second, key); });
           });
  }

  /// Whether a key of the model around says what the language model's own says.
  bool is_said_within(const std::string& key, const JsonValue& value, const Place& place) const {
    const auto* own = value_at(reader_.document(), reader_.full_path(key_path(place.path, key)));
    return !reader_.where().empty() && own != nullptr && same_value(*own, value);
  }

  std::string reason_of(const std::string& key, const Place& place) const {
    const bool is_outside = around_ != nullptr && place.path.empty();
    for (const auto* reasons :
         {is_outside ? &around_->because : &family_.because, &family_.because, &config_names().because}) {
      if (const auto found = reasons->find(key); found != reasons->end()) {
        return found->second;
      }
    }
    return place.reason;
  }

  const ConfigReader& reader_;
  const ConfigFamily& family_;
  const ConfigFamily* around_ = nullptr;  ///< that of the model around the language model
  bool encodes_;
  std::vector<std::string> sentences_;
};

}  // namespace

std::vector<std::string> ignored_keys(const ConfigReader& reader, const ConfigFamily& family, bool encodes) {
  Collector collector(reader, family, encodes);
  collector.collect(std::get<JsonValue::Object>(reader.document().value()), {});
  return collector.take();
}

}  // namespace vernier
