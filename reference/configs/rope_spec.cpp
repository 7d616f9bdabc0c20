// The quantities of a RoPE under the many names that configurations have for them.

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "reference/configs/config_reader.hpp"
#include "reference/json/json_tree.hpp"
#include "reference/keys/parameters.hpp"
#include "reference/support/word_list.hpp"

namespace vernier {
namespace {

constexpr std::string_view scaling_key = "rope_scaling";
/// In the rules of a family: that the spec's head is the part that rotates, which is not the first.
constexpr std::string_view part_key = "head_is_part";

/// Reads the quantities of one RoPE and builds its spec.
class RopeBuilder {
 public:
  RopeBuilder(QuantityReader& reader, const std::string& kind)
      : reader_(reader),
        config_(reader.config()),
        scaling_(parameters_of(config_, reader.rules().entry.empty() ? kind : reader.rules().entry)) {}

  JsonValue spec() {
    add("scheme", JsonValue(std::string("rope")));
    add_head_dim();
    add_theta();
    for (const auto& [key, value] : reader_.rules().spec) {
      if (key != scaling_key && key != part_key) {
        add(key, value);
      }
    }
    add_rotary_part();
    positions_ = reader_.value("max_position_embeddings");
    if (positions_) {
      config_.integer(*positions_, 1, std::int64_t{1} << 40);
      add("max_position_embeddings", positions_->value);
    }
    add_scaling();
    return JsonValue(std::move(spec_));
  }

 private:
  void add(const std::string& key, JsonValue value) { spec_.emplace_back(key, std::move(value)); }

  /// A member of the file's scaling object; nothing if these layers are not scaled by it.
  std::optional<ConfigValue> scaling_member(const std::string& key) {
    return scaling_ && applies() ? config_.find(scaling_->path + "." + key) : std::nullopt;
  }

  bool applies() const { return reader_.rules().scaled || scaling_->of_kind; }

  void add_head_dim() {
    head_dim_ = read_head_dim(reader_);
    add("head_dim", integer_value(head_dim_));
  }

  /// What stands in the object of the scaling, else what is named elsewhere; both may differ, with a remark.
  std::optional<ConfigValue> nearer(const std::optional<ConfigValue>& inside,
                                    const std::optional<ConfigValue>& named) {
    if (inside && named && !same_value(inside->value, named->value)) {
      config_.remark(fmt::format("{}: {} is read, not {}: {} beside it", inside->path,
                                 short_text(inside->value), named->path, short_text(named->value)));
    }
    return inside ? inside : named;
  }

  /// The base: in the entry of the kind of layer, else under the kind's own name, else in the object for all
  /// layers, else under the usual names.
  void add_theta() {
    const bool has_ratio = member_of(reader_.rules().defaults, "rope_ratio") != nullptr;
    auto found = has_ratio ? base_by_ratio() : stated_theta();
    found = found ? found : reader_.fallback("rope_theta");
    if (!found) {
      config_.refuse_missing(
          "rope_theta", fmt::format("the base of the frequencies, as {} has no default that Vernier knows",
                                    reader_.config_class()));
    }
    config_.refuse_if(config_.number(*found) <= 1, *found, "a base greater than 1");
    add("rope_theta", found->value);
  }

  std::optional<ConfigValue> stated_theta() {
    if (auto of_layer = config_.find("layer_rope_theta")) {
      return of_layer;
    }
    const bool own_name = reader_.rules().keys.contains("rope_theta");
    auto named = reader_.stated("rope_theta");
    if (!scaling_ || (own_name && !scaling_->of_kind)) {
      return named;
    }
    return nearer(config_.find(scaling_->path + ".rope_theta"), named);
  }

  /// ChatGLM's base: 10000 times rope_ratio.
  std::optional<ConfigValue> base_by_ratio() {
    const auto ratio = reader_.value("rope_ratio");
    const Rational base = 10000 * config_.number(*ratio);
    return ConfigValue{ratio->path, JsonValue(JsonValue::Number{to_string(base)})};
  }

  /// How much of each head rotates, if not all of it.
  void add_rotary_part() {
    if (reader_.names_of("partial_rotary_factor").empty()) {
      return;
    }
    auto share = nearer(scaling_member("partial_rotary_factor"), reader_.stated("partial_rotary_factor"));
    auto width = reader_.stated("rotary_dim");
    if (!share && !width) {
      share = reader_.fallback("partial_rotary_factor");
      width = reader_.fallback("rotary_dim");
    }
    if (!share && !width) {
      return;
    }
    const auto rotating = share ? rotating_by_share(*share, width) : rotating_by_width(*width);
    if (member_of(reader_.rules().spec, part_key) != nullptr) {
      spec_.at(1).second = integer_value(head_dim_ = rotating);
    } else if (share) {
      add("partial_rotary_factor", share->value);
    } else {
      add("rotary_dim", width->value);
    }
  }

  std::int64_t rotating_by_width(const ConfigValue& width) const {
    const auto rotating = config_.integer(width, 2, largest_dimension);
    config_.refuse_if(rotating > head_dim_ || rotating % 2 != 0, width,
                      fmt::format("an even number of at most {}, the head_dim", head_dim_));
    return rotating;
  }

  std::int64_t rotating_by_share(const ConfigValue& share, const std::optional<ConfigValue>& width) const {
    const auto exact = config_.number(share);
    config_.refuse_if(exact <= 0 || exact > 1, share, "a number greater than 0 and at most 1");
    const Rational rotating = head_dim_ * exact;
    const auto whole = *as_integer(Rational(numerator(rotating) / denominator(rotating)));
    if (width && config_.integer(*width, 2, largest_dimension) != whole) {
      config_.refuse(*width, fmt::format("{}, as {} {} of {} dimensions says", whole, share.path,
                                         short_text(share.value), head_dim_));
    }
    return whole;
  }

  /// The object that the family's rules give in place of rope_scaling, or to complete it.
  const JsonValue* constant_member(std::string_view key) const {
    const auto* constant = member_of(reader_.rules().spec, scaling_key);
    return constant == nullptr ? nullptr : value_at(*constant, key);
  }

  /// The type's name in the file: under rope_type or type, where both stand they must agree.
  std::optional<ConfigValue> stated_type() {
    const auto named = scaling_member("rope_type");
    const auto older = scaling_member("type");
    for (const auto& one : {named, older}) {
      if (one && !std::holds_alternative<std::string>(one->value.value())) {
        config_.refuse(*one, "a string, the type of scaling");
      }
    }
    if (named && older && type_of(*named).name != type_of(*older).name) {
      config_.refuse(*older, std::string("the same type as rope_type, ") + named->value.found());
    }
    return named ? named : older;
  }

  const RopeType& type_of(const ConfigValue& stated) const {
    const auto& types = config_names().rope_types;
    const auto found = types.find(std::get<std::string>(stated.value.value()));
    if (found == types.end()) {
      config_.refuse(stated, "one of " + joined(types, [](const auto& type) { return type.first; }));
    }
    return found->second;
  }

  /// The type of scaling, or nothing where nothing is scaled.
  const RopeType* scaling_type() {
    const auto& types = config_names().rope_types;
    if (const auto stated = stated_type()) {
      if (type_of(*stated).name == "dynamic" && scaling_member("alpha")) {
        config_.remark(scaling_->path + ".alpha: read as HunYuan's code does, as a fixed power of the base");
        return &types.at("ntk");
      }
      return &type_of(*stated);
    }
    if (scaling_member("low_freq_factor")) {
      config_.remark(scaling_->path +
                     ": neither rope_type nor type: read as llama3, as low_freq_factor is there");
      return &types.at("llama3");
    }
    if (const auto factor = scaling_member("factor")) {
      config_.refuse_missing(scaling_->path + ".rope_type", "the type of scaling, as a factor is given");
    }
    if (const auto* constant = constant_member("rope_type"); constant != nullptr && !is_stated()) {
      return &types.at(std::get<std::string>(constant->value()));
    }
    return has_sections() ? &types.at("default") : nullptr;
  }

  /// Whether the file has an object of its own, even one that leaves these layers unscaled.
  bool is_stated() const { return scaling_.has_value() && applies(); }

  bool has_sections() {
    return scaling_member("mrope_section").has_value() ||
           member_of(reader_.rules().defaults, "mrope_section") != nullptr;
  }

  /// A member of the spec's scaling: from the file's object, the rules, the object of the language model, or
  /// the class's defaults.
  std::optional<ConfigValue> parameter(const std::string& key) {
    if (auto inside = scaling_member(key)) {
      // For LongRoPE transformers reads the one at the top, for other types that of the scaling.
      const bool is_length = key == "original_max_position_embeddings";
      const auto outside = is_length ? config_.find(key) : std::nullopt;
      if (outside && !same_value(outside->value, inside->value)) {
        config_.refuse(*outside, fmt::format("that of {}, {}", inside->path, short_text(inside->value)));
      }
      return inside;
    }
    if (const auto* constant = constant_member(key)) {
      return ConfigValue{config_.full_path(key), *constant};
    }
    return reader_.value(key);
  }

  ConfigValue required_parameter(const RopeType& type, const std::string& key) {
    if (auto found = parameter(key)) {
      return *std::move(found);
    }
    if (key == "original_max_position_embeddings" && positions_ && type.name == "yarn") {
      config_.assume(fmt::format("{} absent: max_position_embeddings, {}, as transformers does",
                                 config_.full_path(key), short_text(positions_->value)));
      return *positions_;
    }
    config_.refuse_missing((scaling_ ? scaling_->path + "." : std::string()) + key,
                           fmt::format("a value, as rope_type \"{}\" needs it", type.name));
  }

  void add_sections(JsonValue::Object& scaling) {
    for (const std::string key : {"mrope_section", "mrope_interleaved", "mrope_reading"}) {
      const auto stated = scaling_member(key);
      if (const auto found = stated ? stated : reader_.fallback(key)) {
        scaling.emplace_back(key, found->value);
      }
    }
  }

  /// vLLM's: m(mscale) / m(mscale_all_dim) with m(k) = 1 + 0.1 k ln factor, the two being 1 and 0 where they
  /// are absent. Specs read them only where both are given, and as 1 and 0 where neither is.
  void set_amplitude_of_deepseek(JsonValue::Object& scaling) {
    const auto given = [&](const std::string& key, int otherwise) {
      const auto found = parameter(key);
      return found ? config_.number(*found) : Rational(otherwise);
    };
    const auto mscale = given("mscale", 1);
    const auto all_dim = given("mscale_all_dim", 0);
    const auto set = [&](const std::string& key, const std::string& number) {
      std::erase_if(scaling, [&](const auto& member) { return member.first == key; });
      scaling.emplace_back(key, JsonValue(JsonValue::Number{number}));
    };
    if (mscale != 0 && all_dim != 0) {
      set("mscale", to_string(mscale));
    } else if (mscale != 1 || all_dim != 0) {
      const double growth = 0.1 * std::log(std::max(approximately(given("factor", 1)), 1.0));
      set("attention_factor",
          fmt::format("{}", (1 + growth * approximately(mscale)) / (1 + growth * approximately(all_dim))));
      config_.remark(scaling_->path + ".mscale: the amplitude is that of vLLM's deepseek_yarn, in double");
    }
  }

  void add_scaling() {
    const auto* type = scaling_type();
    if (type == nullptr) {
      return;
    }
    JsonValue::Object scaling{{"rope_type", JsonValue(type->name)}};
    for (const auto& key : type->required) {
      scaling.emplace_back(key, required_parameter(*type, key).value);
    }
    for (const auto& key : type->optional) {
      if (const auto found = parameter(key)) {
        scaling.emplace_back(key, found->value);
      }
    }
    if (type->of_deepseek) {
      set_amplitude_of_deepseek(scaling);
    }
    add_sections(scaling);
    if (type->of_length && positions_) {
      config_.assume(fmt::format(
          "sequence_length, which these frequencies depend on and no configuration has: {}, the longest",
          short_text(positions_->value)));
    }
    if (type->name != "default" || scaling.size() > 1) {
      add(std::string(scaling_key), JsonValue(std::move(scaling)));
    }
  }

  QuantityReader& reader_;
  ConfigReader& config_;
  std::optional<RotationParameters> scaling_;
  JsonValue::Object spec_;
  std::int64_t head_dim_ = 0;
  std::optional<ConfigValue> positions_;
};

}  // namespace

std::int64_t read_head_dim(QuantityReader& reader) {
  auto& config = reader.config();
  if (const auto found = reader.value("head_dim")) {
    return config.integer(*found, 1, largest_dimension);
  }
  if (reader.rules().keys.contains("head_dim")) {
    config.refuse_missing(
        reader.names_of("head_dim").front(),
        fmt::format("the width of a head, as {} has no default that Vernier knows", reader.config_class()));
  }
  const auto hidden = reader.integer("hidden_size", 1, std::int64_t{1} << 30);
  const auto divisor = reader.value("head_divisor");
  const auto heads = reader.integer("num_attention_heads", 1, std::int64_t{1} << 20) *
                     (divisor ? config.integer(*divisor, 1, std::int64_t{1} << 20) : 1);
  if (hidden % heads != 0) {
    config.refuse_all(
        fmt::format("{}: found {}, expected a multiple of the {} attention heads, as head_dim is absent",
                    config.full_path("hidden_size"), hidden, heads));
  }
  config.assume(fmt::format("{} absent: {}, hidden_size over the number of heads, {}/{}",
                            config.full_path("head_dim"), hidden / heads, hidden, heads));
  return hidden / heads;
}

JsonValue rope_spec(QuantityReader& reader, const std::string& kind) {
  return RopeBuilder(reader, kind).spec();
}

}  // namespace vernier
