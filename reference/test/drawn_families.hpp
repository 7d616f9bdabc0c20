#pragma once

// Configurations drawn of families whose code is published, and what that code makes of them: not a line of
// Vernier's own data on families is used.

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <random>
#include <regex>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "reference/test/published_families.hpp"

namespace vernier {

/// What a layer's queries and keys go through, by the code of its model.
struct Turns {
  std::string kind;
  std::string encoding = "rope";  ///< or "none", or "refused" of layers without attention
  std::string layout;
  int head_dim = 0;
  std::vector<double> frequencies;
  double amplitude = 1;
  OrderedJson sections;  ///< of M-RoPE, or null
};

struct Drawn {
  OrderedJson config;
  std::vector<Turns> layers;
  std::string scaling;  ///< the path of the object with the scaling, empty if there is none
};
inline const OrderedJson& published_families() {
  return published("families");
}

// The formulas of transformers' modeling_rope_utils.py, in double
// --------------------------------------------------------------------------------------------------

inline std::vector<double> default_frequencies(double base, int rotating) {
  std::vector<double> result;
  for (int i = 0; i < rotating; i += 2) {
    result.push_back(std::pow(base, -static_cast<double>(i) / rotating));
  }
  return result;
}

/// _compute_yarn_parameters.
inline void apply_yarn(const OrderedJson& scaling, double base, int rotating, Turns& turns) {
  const double factor = scaling.at("factor");
  const double original = scaling.at("original_max_position_embeddings");
  const auto correction = [&](double rotations) {
    return rotating * std::log(original / (rotations * 2 * std::numbers::pi)) / (2 * std::log(base));
  };
  double low = correction(scaling.value("beta_fast", 32.0));
  double high = correction(scaling.value("beta_slow", 1.0));
  if (scaling.value("truncate", true)) {
    low = std::floor(low);
    high = std::ceil(high);
  }
  low = std::max(low, 0.0);
  high = std::min(high, rotating - 1.0);
  high += low == high ? 0.001 : 0;
  for (std::size_t i = 0; i < turns.frequencies.size(); ++i) {
    const double ramp = std::clamp((static_cast<double>(i) - low) / (high - low), 0.0, 1.0);
    turns.frequencies[i] *= ramp / factor + (1 - ramp);
  }
  const auto mscale = [&](double k) { return 0.1 * k * std::log(factor) + 1; };
  turns.amplitude = scaling.contains("attention_factor") ? scaling.at("attention_factor").get<double>()
                    : scaling.contains("mscale_all_dim")
                        ? mscale(scaling.at("mscale")) / mscale(scaling.at("mscale_all_dim"))
                        : mscale(1);
}

/// _compute_llama3_parameters.
inline void apply_llama3(const OrderedJson& scaling, Turns& turns) {
  const double factor = scaling.at("factor");
  const double original = scaling.at("original_max_position_embeddings");
  const double low = scaling.at("low_freq_factor");
  const double high = scaling.at("high_freq_factor");
  for (auto& w : turns.frequencies) {
    const double wavelength = 2 * std::numbers::pi / w;
    const double smooth = (original / wavelength - low) / (high - low);
    w = wavelength < original / high  ? w
        : wavelength > original / low ? w / factor
                                      : (1 - smooth) * w / factor + smooth * w;
  }
}

/// _compute_longrope_parameters of the whole context, which is longer than the original one.
inline void apply_longrope(const OrderedJson& scaling, double original, double context, Turns& turns) {
  for (std::size_t i = 0; i < turns.frequencies.size(); ++i) {
    turns.frequencies[i] /= scaling.at("long_factor").at(i).get<double>();
  }
  const double factor = scaling.value("factor", context / original);
  turns.amplitude = std::sqrt(1 + std::log(factor) / std::log(original));
}

// Drawing
// --------------------------------------------------------------------------------------------------

/// Draws a configuration of a family and says what the family's code makes of it.
class FamilyDraw {
 public:
  FamilyDraw(std::string model_type, OrderedJson family, std::uint64_t seed)
      : family_(std::move(family)), engine_(seed) {
    config()["model_type"] = std::move(model_type);
    config().update(family_.value("always", OrderedJson::object()));
  }

  Drawn drawn() {
    draw_head();
    draw_kinds();
    draw_flags();
    draw_positions();
    for (const auto& kind : kinds_) {
      draw_rotation(kind);
    }
    for (const auto& kind : layers_) {
      drawn_.layers.push_back(turns_.at(kind).value);
    }
    return drawn_;
  }

 private:
  struct Kind {
    std::string name;
    Turns value;
  };
  struct ByKind : std::vector<Kind> {
    const Kind& at(const std::string& name) const { return *std::ranges::find(*this, name, &Kind::name); }
  };

  OrderedJson& config() { return drawn_.config; }
  template <class Value>
  Value one_of(const std::vector<Value>& values) {
    return values[std::uniform_int_distribution<std::size_t>(0, values.size() - 1)(engine_)];
  }
  int between(int least, int greatest) { return std::uniform_int_distribution(least, greatest)(engine_); }
  bool half() { return between(0, 1) == 1; }
  double number(double least, double greatest) {
    return std::round(std::uniform_real_distribution(least, greatest)(engine_) * 1000) / 1000;
  }

  OrderedJson kind_data(const std::string& kind) const {
    return kind.empty() ? OrderedJson::object() : family_.at("kinds").at(kind);
  }
  std::string name(const std::string& quantity, const std::string& kind = "") const {
    const auto own = kind_data(kind);
    for (const auto* data : {&own, &family_}) {
      if (data->contains("names") && data->at("names").contains(quantity)) {
        return data->at("names").at(quantity);
      }
    }
    return quantity;
  }
  bool may(const std::string& key) const { return lists(key) || must(key); }
  bool must(const std::string& key) const { return lists(key + "!"); }
  bool lists(const std::string& key) const {
    const auto keys = family_.at("may").get<std::vector<std::string>>();
    return std::ranges::find(keys, key) != keys.end();
  }
  double absent(const std::string& quantity, const std::string& kind = "") const {
    const auto own = kind_data(kind);
    if (own.contains("absent") && own.at("absent").contains(quantity)) {
      return own.at("absent").at(quantity);
    }
    return family_.at("absent").at(quantity);
  }
  bool has_default(const std::string& quantity) const { return family_.at("absent").contains(quantity); }
  bool scaled(const std::string& kind) const { return kind_data(kind).value("scaled", true); }

  void draw_head() {
    head_dim_ = has_default("head_dim") ? static_cast<int>(absent("head_dim")) : 0;
    if (has_default("hidden_size")) {
      double hidden = absent("hidden_size");
      double heads = absent("num_attention_heads");
      if (half()) {
        heads = between(1, 12);
        hidden = heads * one_of<int>({32, 48, 64, 80, 96, 128, 256});
        config()[name("hidden_size")] = static_cast<int>(hidden);
        config()[name("num_attention_heads")] = static_cast<int>(heads);
      }
      head_dim_ = head_dim_ == 0 ? static_cast<int>(hidden / heads) : head_dim_;
    }
    if (must("head_dim") || (may("head_dim") && half())) {
      head_dim_ = one_of<int>({32, 48, 64, 96, 128, 160, 192, 256});
      config()[name("head_dim")] = head_dim_;
    }
  }

  void draw_kinds() {
    const int count = between(1, 9);
    config()[name("num_hidden_layers")] = count;
    if (!family_.contains("kinds")) {
      kinds_ = {""};
      layers_.assign(static_cast<std::size_t>(count), "");
      return;
    }
    const auto names = keys_of(family_.at("kinds"));
    nested_ = family_.value("nested", "") == "always";
    if (!nested_ && family_.contains("interval") && (half() || family_.at("kinds").contains("with_rope"))) {
      const auto& rule = family_.at("interval");
      const int interval = half() ? between(1, 5) : rule.at("default").get<int>();
      if (interval != rule.at("default") || half()) {
        config()[rule.at("key").get<std::string>()] = interval;
      }
      for (int layer = 0; layer < count; ++layer) {
        const int place = layer % interval;
        layers_.push_back(place == (rule.at("at") == "last" ? interval - 1 : 0) ? rule.at("kind")
                                                                                : rule.at("others"));
      }
    } else {
      for (int layer = 0; layer < count; ++layer) {
        layers_.push_back(one_of(names));
      }
      config()["layer_types"] = layers_;
      nested_ = nested_ || half();
    }
    kinds_ = layers_;
    std::ranges::sort(kinds_);
    kinds_.erase(std::unique(kinds_.begin(), kinds_.end()), kinds_.end());
  }

  void draw_flags() {
    layout_ = family_.at("layout");
    if (family_.contains("flags") && half()) {
      const auto flag = one_of(family_.at("flags").get<std::vector<OrderedJson>>());
      config()[flag.at("key").get<std::string>()] = flag.at("value");
      layout_ = flag.value("layout", layout_);
    }
  }

  void draw_positions() {
    context_ = absent("max_position_embeddings");
    scaling_ = family_.at("scalings").empty() || half()
                   ? ""
                   : one_of(family_.at("scalings").get<std::vector<std::string>>());
    if (!scaling_.empty() || half()) {
      original_ = one_of<int>({1024, 2048, 4096, 8192, 10000});
      factor_ = scaling_.empty() ? 1 : one_of<int>({2, 4, 8, 40});
      context_ = original_ * factor_;
      config()[name("max_position_embeddings")] = static_cast<int>(context_);
    }
    modern_ = nested_ || (half() && !family_.contains("kinds") && !family_.contains("fixed"));
  }

  /// The base: left out, in the object that newer files have, or at the top under its kind's name.
  double draw_base(const std::string& kind, OrderedJson& object) {
    const auto spelling = nested_ ? kind_data(kind).value("entry", kind) : name("rope_theta", kind);
    const auto drawn = bases_.find(spelling);
    if (drawn != bases_.end()) {
      if (nested_) {
        object["rope_theta"] = drawn->second;
      }
      return drawn->second;
    }
    const bool can_be_left_out = family_.at("absent").contains("rope_theta") && !nested_;
    if (family_.contains("fixed") || (can_be_left_out && half())) {
      return bases_[spelling] = absent("rope_theta", kind);
    }
    const double base = one_of<double>({10000, 500000, 1e6, number(2000, 9e6)});
    (modern_ ? object : config())[modern_ ? "rope_theta" : spelling] = base;
    return bases_[spelling] = base;
  }

  int draw_rotating(OrderedJson& object) {
    if (may("rotary_dim") || has_default("rotary_dim")) {
      if (half() || absent("rotary_dim") > head_dim_) {
        config()["rotary_dim"] = rotary_dim_ == 0 ? rotary_dim_ = 2 * between(2, head_dim_ / 2) : rotary_dim_;
      }
      return rotary_dim_ == 0 ? static_cast<int>(absent("rotary_dim")) : rotary_dim_;
    }
    if (family_.contains("share_of_head_only")) {
      config()["head_dim"] = 512;
      if (half()) {
        config().erase(name("head_dim"));
      }
      object["partial_rotary_factor"] = head_dim_ / 512.0;
      return head_dim_;
    }
    double share = has_default("partial_rotary_factor") ? absent("partial_rotary_factor") : 1;
    const bool can_be_left_out = static_cast<int>(head_dim_ * share) % 2 == 0;
    if (!std::exchange(share_is_drawn_, true) &&
        (!can_be_left_out || (may("partial_rotary_factor") && half()))) {
      do {
        share_ = one_of<double>({0.25, 0.5, 0.75, 1, 0.334, 0.6});
      } while (static_cast<int>(head_dim_ * share_) % 2 != 0 || head_dim_ * share_ < 4);
    }
    if (share_ != 0) {
      share = share_;
      (modern_ ? object : config())[modern_ ? "partial_rotary_factor" : name("partial_rotary_factor")] =
          share;
    }
    return static_cast<int>(head_dim_ * share);
  }

  /// The members of a scaling of the type, drawn once for all kinds.
  void draw_scaling(int pairs) {
    if (scaling_.empty() || !parameters_.is_null()) {
      return;
    }
    const auto type = scaling_.starts_with("yarn")       ? "yarn"
                      : scaling_.starts_with("longrope") ? "longrope"
                      : scaling_ == "alpha"              ? "dynamic"
                                                         : scaling_;
    parameters_[modern_ || half() ? "rope_type" : "type"] = type;
    if (type == "longrope") {
      std::vector<double> factors(static_cast<std::size_t>(pairs));
      for (const auto* key : {"short_factor", "long_factor"}) {
        std::ranges::generate(factors, [&] { return number(1, 60); });
        parameters_[key] = factors;
      }
      if (half()) {
        parameters_["factor"] = number(1, 60);
      }
    } else if (scaling_ == "alpha") {
      parameters_["factor"] = 1.0;
      parameters_["alpha"] = number(1, 100000);
    } else {
      parameters_["factor"] = factor_;
    }
    if (scaling_ == "longrope_top") {
      config()["original_max_position_embeddings"] = original_;
    } else if (type != "linear" && type != "dynamic") {
      parameters_["original_max_position_embeddings"] = original_;
    }
    if (type == "llama3") {
      parameters_["low_freq_factor"] = number(0.5, 2);
      parameters_["high_freq_factor"] = number(3, 16);
    }
    if (type == "yarn") {
      draw_yarn();
    }
  }

  void draw_yarn() {
    if (scaling_ == "yarn_unscaled") {
      parameters_["attention_factor"] = 1.0;
    } else if (const int choice = between(0, 3); choice == 1) {
      parameters_["attention_factor"] = number(0.5, 2);
    } else if (choice > 1) {
      parameters_["mscale"] = number(0.5, 1);
      if (choice == 2) {
        parameters_["mscale_all_dim"] = number(0.5, 1);
      }
    }
    if (half()) {
      parameters_["beta_fast"] = between(16, 64);
      parameters_["beta_slow"] = between(1, 4);
    }
    if (half()) {
      parameters_["truncate"] = half();
    }
  }

  void draw_sections(std::size_t pairs, OrderedJson& object, Turns& turns) {
    if (!family_.contains("sections")) {
      return;
    }
    const auto rest = static_cast<int>(pairs) / 4;
    turns.sections = {static_cast<int>(pairs) - 2 * rest, rest, rest};
    object["mrope_section"] = turns.sections;
    object["rope_type"] = "default";
  }

  void draw_rotation(const std::string& kind) {
    Turns turns;
    turns.kind = kind;
    turns.encoding = kind_data(kind).value("encoding", "rope");
    turns.layout = layout_;
    turns.head_dim = head_dim_;
    OrderedJson object = OrderedJson::object();
    const double base = draw_base(kind, object);
    const int rotating = draw_rotating(object);
    turns.frequencies = default_frequencies(base, rotating);
    draw_scaling(rotating / 2);
    draw_sections(turns.frequencies.size(), object, turns);
    const bool is_scaled = scaled(kind) && !parameters_.is_null();
    if (is_scaled) {
      apply(base, rotating, turns);
      object.update(parameters_);
    }
    store(kind, std::move(object), is_scaled);
    turns_.push_back({kind, std::move(turns)});
  }

  void apply(double base, int rotating, Turns& turns) {
    const auto type = parameters_.value("rope_type", parameters_.value("type", ""));
    if (type == "linear") {
      std::ranges::for_each(turns.frequencies, [&](double& w) { w /= factor_; });
    } else if (parameters_.contains("alpha")) {
      const double stretch = std::pow(parameters_.at("alpha").get<double>(), rotating / (rotating - 2.0));
      turns.frequencies = default_frequencies(base * stretch, rotating);
    } else if (type == "yarn") {
      apply_yarn(parameters_, base, rotating, turns);
    } else if (type == "llama3") {
      apply_llama3(parameters_, turns);
    } else if (type == "longrope") {
      apply_longrope(parameters_, original_, context_, turns);
    }  // dynamic changes nothing within the context
  }

  /// Puts what was drawn where older or newer versions of transformers save it.
  void store(const std::string& kind, OrderedJson object, bool is_scaled) {
    const std::string whole = modern_ || half() ? "rope_parameters" : "rope_scaling";
    if (nested_) {
      const auto entry = kind_data(kind).value("entry", kind);
      if (!object.contains("rope_type")) {
        object["rope_type"] = "default";
      }
      config()["rope_parameters"][entry] = object;
    } else if (!object.empty() && !config().contains("rope_scaling") &&
               !config().contains("rope_parameters")) {
      config()[whole] = object;
    }
    if (is_scaled && kind_data(kind).value("encoding", "rope") == "rope") {
      drawn_.scaling = nested_ ? "rope_parameters." + kind_data(kind).value("entry", kind)
                       : config().contains("rope_scaling") ? "rope_scaling"
                                                           : "rope_parameters";
    }
  }

  OrderedJson family_;
  std::mt19937_64 engine_;
  Drawn drawn_;
  std::map<std::string, double> bases_;  ///< by the key that they stand under
  int head_dim_ = 0;
  int rotary_dim_ = 0;
  double share_ = 0;
  bool share_is_drawn_ = false;
  double context_ = 0;
  int original_ = 0;
  int factor_ = 1;
  bool modern_ = false;
  bool nested_ = false;
  std::string layout_;
  std::string scaling_;
  OrderedJson parameters_;
  std::vector<std::string> kinds_;
  std::vector<std::string> layers_;
  ByKind turns_;
};

}  // namespace vernier
