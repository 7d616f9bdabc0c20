// Configurations drawn of families whose code is published, against formulas that are held here apart: not a
// line of Vernier's own data on families is used, and what their classes do stands in
// published_families.json. Then keys that nobody understands, which must be refused by name.

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <numbers>
#include <numeric>
#include <random>
#include <regex>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reference/configs/json_tree.hpp"
#include "reference/configs/understood_config.hpp"
#include "reference/keys/encoding_of.hpp"
#include "reference/real.hpp"
#include "reference/scheme_registry.hpp"
#include "reference/schemes/rope.hpp"
#include "reference/test/refusal.hpp"
#include "reference/test/seed.hpp"
#include "reference/text_file.hpp"

namespace vernier {
namespace {

using ::testing::HasSubstr;

constexpr int draws_a_family = 40;

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

const OrderedJson& published(const std::string& section) {
  static const auto data = OrderedJson::parse(read_text(VERNIER_REAL_CONFIGS "/../published_families.json"));
  return data.at(section);
}

const OrderedJson& published_families() {
  return published("families");
}

std::vector<std::string> keys_of(const OrderedJson& object) {
  std::vector<std::string> keys;
  for (const auto& entry : object.items()) {
    keys.push_back(entry.key());
  }
  return keys;
}

// The formulas of transformers' modeling_rope_utils.py, in double
// --------------------------------------------------------------------------------------------------

std::vector<double> default_frequencies(double base, int rotating) {
  std::vector<double> result;
  for (int i = 0; i < rotating; i += 2) {
    result.push_back(std::pow(base, -static_cast<double>(i) / rotating));
  }
  return result;
}

/// _compute_yarn_parameters.
void apply_yarn(const OrderedJson& scaling, double base, int rotating, Turns& turns) {
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
void apply_llama3(const OrderedJson& scaling, Turns& turns) {
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
void apply_longrope(const OrderedJson& scaling, double original, double context, Turns& turns) {
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
        config()[rule.at("key")] = interval;
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
      config()[flag.at("key")] = flag.at("value");
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

// Comparing
// --------------------------------------------------------------------------------------------------

UnderstoodConfig understood(const OrderedJson& config) {
  return understand_config(parse_python_json(config.dump(), "config.json"), "config.json");
}

/// The spec of a layer, or null where it is said to have none.
const JsonValue* spec_of_layer(const UnderstoodConfig& config, std::size_t layer) {
  const auto has = [layer](const auto& one) {
    return one.layers.empty() || std::ranges::find(one.layers, static_cast<int>(layer)) != one.layers.end();
  };
  const auto group = std::ranges::find_if(config.groups, has);
  return group == config.groups.end() ? nullptr : &group->spec;
}

void expect_turns(const JsonValue& spec, const Turns& expected) {
  const auto encoding = parse_spec(ObjectReader(spec, "spec", ""));
  ASSERT_EQ(encoding->scheme(), expected.encoding);
  if (expected.encoding == "none") {
    return;
  }
  const auto& rope = dynamic_cast<const RopeEncoding&>(*encoding).parameters();
  EXPECT_EQ(rope.layout == RopeSpec::Layout::half ? "half" : "interleaved", expected.layout);
  EXPECT_EQ(rope.head_dim, expected.head_dim);
  ASSERT_EQ(static_cast<std::size_t>(rope.pairs()), expected.frequencies.size());
  const auto frequencies = rope.frequencies();
  for (int pair = 0; pair < rope.pairs(); ++pair) {
    const double w = expected.frequencies[static_cast<std::size_t>(pair)];
    ASSERT_NEAR(frequencies.approximate(pair), w, 1e-11 * w) << "pair " << pair;
  }
  EXPECT_NEAR(approximately(rope.amplitude()), expected.amplitude, 1e-12);
  const auto* sections = value_at(spec, "rope_scaling.mrope_section");
  EXPECT_EQ(sections == nullptr ? OrderedJson() : OrderedJson::parse(json_text(*sections)),
            expected.sections);
}

void expect_understood(const Drawn& drawn) {
  const auto config = understood(drawn.config);
  for (std::size_t layer = 0; layer < drawn.layers.size(); ++layer) {
    const auto& expected = drawn.layers[layer];
    const auto* spec = spec_of_layer(config, layer);
    ASSERT_EQ(spec == nullptr, expected.encoding == "refused") << "layer " << layer;
    if (spec != nullptr) {
      expect_turns(*spec, expected);
    }
  }
}

std::uint64_t seed_of(const std::string& family, int draw) {
  return std::accumulate(
      family.begin(), family.end(), test_seed() + 1000 * static_cast<std::uint64_t>(draw),
      [](std::uint64_t sum, char letter) { return 131 * sum + static_cast<unsigned char>(letter); });
}

Drawn draw_of(const std::string& family, int draw) {
  return FamilyDraw(family, published_families().at(family), seed_of(family, draw)).drawn();
}

bool has_spec(const Drawn& drawn) {
  return std::ranges::any_of(drawn.layers, [](const Turns& one) { return one.encoding != "refused"; });
}

class PublishedFamily : public ::testing::TestWithParam<std::string> {};

TEST_P(PublishedFamily, IsUnderstoodAsItsCodeReadsIt) {
  for (int draw = 0; draw < draws_a_family && !HasFailure(); ++draw) {
    const auto drawn = draw_of(GetParam(), draw);
    SCOPED_TRACE(drawn.config.dump(2));
    if (has_spec(drawn)) {
      EXPECT_NO_THROW(expect_understood(drawn));
    }
  }
}

bool rotates(const Drawn& drawn) {
  return std::ranges::any_of(drawn.layers, [](const Turns& one) { return one.encoding == "rope"; });
}

/// Keys that no code of these families reads, though what they say would change the rotation.
TEST_P(PublishedFamily, RefusesByNameWhatItDoesNotUnderstand) {
  for (int draw = 0; draw < draws_a_family && !HasFailure(); ++draw) {
    auto drawn = draw_of(GetParam(), draw);
    if (!rotates(drawn)) {
      continue;
    }
    const std::vector<std::pair<std::string, OrderedJson>> strange{{"layer_rope_theta", {10000, 0}},
                                                                   {"rope_frequency_base", 3},
                                                                   {"rotary_embedding_share", 0.5},
                                                                   {"use_xpos", true}};
    const auto& [key, value] = strange[static_cast<std::size_t>(draw) % strange.size()];
    drawn.config[key] = value;
    SCOPED_TRACE(drawn.config.dump(2));
    EXPECT_THAT(refusal_of([&] { understood(drawn.config); }), HasSubstr("config.json: " + key + ": found "));
    drawn.config.erase(key);
    if (!drawn.scaling.empty()) {
      const auto path =
          OrderedJson::json_pointer("/" + std::regex_replace(drawn.scaling, std::regex("\\."), "/"));
      drawn.config[path]["attention_growth"] = 2;
      EXPECT_THAT(refusal_of([&] { understood(drawn.config); }),
                  HasSubstr("config.json: " + drawn.scaling + ".attention_growth: found 2"));
      drawn.config[path].erase("attention_growth");
      drawn.config[path].erase("type");
      drawn.config[path]["rope_type"] = "deepseek_yarn";
      EXPECT_THAT(refusal_of([&] { understood(drawn.config); }),
                  HasSubstr(drawn.scaling + ".rope_type: found the string \"deepseek_yarn\""));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Configs, PublishedFamily, ::testing::ValuesIn(keys_of(published_families())),
                         [](const auto& instance) { return instance.param; });

/// Each of a key that some project has, with a value at which that project does something else.
TEST(Config, RefusesAnotherEncodingByName) {
  const std::vector<std::pair<std::string, std::string>> bad{
      {R"("position_embedding_type": "alibi")", "position_embedding_type: found the string \"alibi\""},
      {R"("alibi": true)", "alibi: found true"},
      {R"("rope_condense_ratio": 4)", "rope_condense_ratio: found 4"},
      {R"("rope_scaling": {"rope_type": "linear", "factor": 2, "by_layer": [1, 2]})",
       "rope_scaling.by_layer: found an array"},
      {R"("rope_parameters": {"rope_theta": 500000, "rope_types": ["yarn"]})",
       "rope_parameters.rope_types: found an array"},
      {R"("yarn": {"factor": 16, "beta": 32})", "yarn: found an object"},
      {R"("per_layer_config": {"3": {"head_dim": 512}})", "per_layer_config: found an object"},
      {R"("compression_ratio": 2)", "compression_ratio: found 2"},
      {R"("rotary": {"base": 10000, "type": "dynamic"})", "rotary: found an object"},
      {R"("position_encoding_2d": true)", "position_encoding_2d: found true"},
      {R"("rope_scaling": {"rope_type": "deepseek_yarn", "factor": 40})",
       "rope_scaling.rope_type: found the string \"deepseek_yarn\""}};
  for (const auto& [key, found] : bad) {
    const auto config = R"({"model_type": "llama", )" + key + "}";
    EXPECT_THAT(refusal_of([&] { understood(OrderedJson::parse(config)); }),
                HasSubstr("config.json: " + found));
  }
  for (const std::string neutral :
       {R"("position_embedding_type": "rope")", R"("alibi": false)", R"("use_mrope": false)",
        R"("rotary_scaling_factor": 1.0)", R"("rope_traditional": false)"}) {
    EXPECT_NO_THROW(understood(OrderedJson::parse(R"({"model_type": "llama", )" + neutral + "}"))) << neutral;
  }
}

/// Vision parts have the model_type of the language model beside them, and turn patches along two axes;
/// language models that tell time from place need to know which pairs turn by which.
TEST(Config, RefusesAPartThatIsNoLanguageModel) {
  for (const std::string type : {"qwen2_5_vl", "qwen2_vl", "qwen3_vl", "qwen3_5", "glm4v"}) {
    const OrderedJson vision{
        {"model_type", type}, {"depth", 24}, {"hidden_size", 1280}, {"num_heads", 16}, {"patch_size", 14}};
    EXPECT_THAT(refusal_of([&] { understood(vision); }), HasSubstr("config.json: patch_size: found 14"))
        << type;
  }
  EXPECT_THAT(refusal_of([] {
                understood({{"model_type", "qwen2_vl"}});
              }),
              HasSubstr("without the mrope_section that its class needs"));
  EXPECT_THAT(refusal_of([] {
                understood({{"model_type", "mpt"}, {"attn_config", {{"alibi", false}, {"rope", true}}}});
              }),
              HasSubstr("with a rotation by the rules of attn_config"));
}

/// transformers, gemma4/configuration_gemma4.py: head_dim of sliding layers, global_head_dim of full ones.
TEST(Config, Gemma4HasTwoWidthsOfHeads) {
  OrderedJson config{
      {"model_type", "gemma4_text"},
      {"num_hidden_layers", 2},
      {"layer_types", {"sliding_attention", "full_attention"}},
      {"rope_parameters",
       {{"sliding_attention", {{"rope_type", "default"}, {"rope_theta", 10000}}},
        {"full_attention",
         {{"rope_type", "proportional"}, {"rope_theta", 1000000}, {"partial_rotary_factor", 0.25}}}}}};
  const auto width = [&](const std::string& layer) {
    return json_text(*value_at(spec_of(understood(config), layer, "config.json"), "head_dim"));
  };
  EXPECT_EQ(width("0"), "256");
  EXPECT_EQ(width("1"), "512");
  config.update({{"head_dim", 64}, {"global_head_dim", 128}});
  EXPECT_EQ(width("0"), "64");
  EXPECT_EQ(width("1"), "128");
}

/// transformers, lfm2/configuration_lfm2.py: theta before rope_theta, and full_attn_idxs where there are no
/// layer_types.
TEST(Config, Lfm2HasKeysOfItsFirstFiles) {
  const auto config = understood({{"model_type", "lfm2"},
                                  {"num_hidden_layers", 3},
                                  {"theta", 50000},
                                  {"rope_theta", 60000},
                                  {"full_attn_idxs", {1}}});
  ASSERT_EQ(config.groups.size(), 1U);
  EXPECT_EQ(config.groups.front().layers, std::vector<int>{1});
  EXPECT_EQ(json_text(*value_at(config.groups.front().spec, "rope_theta")), "50000");
}

/// transformers, granitemoehybrid/configuration_granitemoehybrid.py: layers_block_type is layer_types.
TEST(Config, GraniteHybridHasLayersWithoutAttention) {
  const auto config = understood({{"model_type", "granitemoehybrid"},
                                  {"position_embedding_type", "rope"},
                                  {"num_hidden_layers", 3},
                                  {"layers_block_type", {"mamba", "attention", "mamba"}}});
  ASSERT_EQ(config.groups.size(), 1U);
  EXPECT_EQ(config.groups.front().layers, std::vector<int>{1});
}

/// No order of names says which of two bases a class reads.
TEST(Config, RefusesTwoBasesOfAFamilyThatNamesNone) {
  OrderedJson config{{"model_type", "llama"},   {"hidden_size", 64},      {"num_attention_heads", 4},
                     {"rope_theta", 10000},     {"num_hidden_layers", 2}, {"max_position_embeddings", 128},
                     {"rotary_emb_base", 10000}};
  understood(config);
  config["rotary_emb_base"] = 5000;
  EXPECT_THAT(refusal_of([&] { understood(config); }),
              HasSubstr("config.json: rotary_emb_base: found 5000, expected that of rope_theta, 10000"));
}

TEST(Config, RefusesTwoLengthsThatAModelWasTrainedWith) {
  OrderedJson config{
      {"model_type", "llama"},
      {"hidden_size", 64},
      {"num_attention_heads", 4},
      {"rope_theta", 10000},
      {"num_hidden_layers", 2},
      {"max_position_embeddings", 128},
      {"original_max_position_embeddings", 64},
      {"rope_scaling", {{"rope_type", "yarn"}, {"factor", 2}, {"original_max_position_embeddings", 64}}}};
  understood(config);
  config["original_max_position_embeddings"] = 32;
  EXPECT_THAT(refusal_of([&] { understood(config); }),
              HasSubstr("original_max_position_embeddings: found 32, expected that of rope_scaling."));
}

TEST(Config, SaysWhyAKeyIsLeftAside) {
  const auto smollm =
      understood({{"model_type", "smollm3"}, {"num_hidden_layers", 1}, {"layer_types", {"full_attention"}}});
  EXPECT_THAT(smollm.ignored, ::testing::Contains(HasSubstr("no_rope_layers says where the rotation is")));
  EXPECT_THAT(refusal_of([] {
                understood({{"model_type", "modernbert"}, {"rope_parameters", {{"rope_theta", 5000}}}});
              }),
              HasSubstr("config.json: rope_parameters.rope_theta: found 5000, expected no key"));
}

/// The model around a language model may repeat what that says, and may not say something else.
TEST(Config, RefusesAScalingThatStandsBesideTheLanguageModel) {
  const auto nested = [](const std::string& outer) {
    return R"({"model_type": "mistral3", )" + outer +
           R"(, "text_config": {"model_type": "mistral", "rope_theta": 1000000.0}})";
  };
  EXPECT_NO_THROW(understood(OrderedJson::parse(nested(R"("rope_theta": 1000000)"))));
  EXPECT_THAT(refusal_of([&] { understood(OrderedJson::parse(nested(R"("rope_theta": 10000)"))); }),
              HasSubstr("config.json: rope_theta: found 10000, expected no key"));
  EXPECT_THAT(
      refusal_of([&] {
        understood(OrderedJson::parse(nested(R"("rope_scaling": {"rope_type": "linear", "factor": 4})")));
      }),
      HasSubstr("config.json: rope_scaling.rope_type: found the string \"linear\", expected no key"));
}

/// Families whose layers differ have no encoding that could be told where nothing says of which kind a layer
/// is, and a head whose width stands under a name of its own is not the hidden size over the heads.
TEST(Config, RefusesWhatOnlyAnotherFamilysDefaultWouldFillIn) {
  EXPECT_THAT(refusal_of([] {
                understood({{"model_type", "gemma4_text"}, {"head_dim", 256}, {"rope_theta", 10000}});
              }),
              HasSubstr("config.json: layer_types: missing, expected the kinds of the layers"));
  EXPECT_THAT(refusal_of([] {
                understood({{"model_type", "minicpm3"}, {"hidden_size", 2560}, {"num_attention_heads", 40}});
              }),
              HasSubstr("config.json: qk_rope_head_dim: missing, expected the width of a head"));
}

// Rotations along several axes
// --------------------------------------------------------------------------------------------------

/// Draws a configuration of a transformer of diffusers, and says by which axis and how fast its columns turn.
class AxialDraw {
 public:
  AxialDraw(const std::string& name, const OrderedJson& family, std::uint64_t seed)
      : family_(family), engine_(seed), layout_(family.at("layout")) {
    config_["_class_name"] = name;
    config_.update(family.value("always", OrderedJson::object()));
    draw_head();
    draw_axes();
    draw_base();
  }

  const OrderedJson& config() const { return config_; }
  const std::vector<int>& dims() const { return dims_; }
  int columns() const { return std::accumulate(dims_.begin(), dims_.end(), 0); }

  /// The axis of a column of cosines, and the frequency of its pair.
  std::pair<std::size_t, double> turn(int column) const {
    int pair = layout_ == "half" ? column % (columns() / 2) : column / 2;
    for (std::size_t axis = 0, behind = 0; axis < dims_.size(); ++axis) {
      const int width = dims_[axis];
      const int first = static_cast<int>(behind);
      if (layout_ == "half_per_axis" ? column < first + width : pair < (first + width) / 2) {
        const int own = layout_ == "half_per_axis" ? (column - first) % (width / 2) : pair - first / 2;
        const double base = base_ * std::pow(scales_[axis], width / (width - 2.0));
        return {axis, std::pow(base, -2.0 * own / width)};
      }
      behind += static_cast<std::size_t>(width);
    }
    ADD_FAILURE() << "column " << column;
    return {};
  }

 private:
  int between(int least, int greatest) { return std::uniform_int_distribution(least, greatest)(engine_); }

  void draw_head() {
    if (family_.contains("width")) {
      const bool is_left_out = between(0, 1) == 1 && family_.at("listed") != "axes_dims";
      const int heads = is_left_out ? family_.at("heads").get<int>() : between(1, 8);
      head_ = is_left_out ? family_.at("width").get<int>() / heads : 16 * between(4, 12);
      if (!is_left_out) {
        const bool is_z = family_.at("listed") == "axes_dims";
        config_[is_z ? "dim" : "hidden_size"] = heads * head_;
        config_[is_z ? "n_heads" : "num_attention_heads"] = heads;
      }
      return;
    }
    head_ = family_.at("head");
    if (between(0, 1) == 1) {
      config_["attention_head_dim"] = head_ = 16 * between(3, 12);
    }
  }

  void draw_axes() {
    const auto rule = family_.value("thirds", "");
    if (rule == "rest_first") {
      dims_ = {head_ - 4 * (head_ / 6), 2 * (head_ / 6), 2 * (head_ / 6)};
    } else if (rule == "equal") {
      config_["attention_head_dim"] = head_ = 6 * (head_ / 6);
      dims_ = {head_ / 3, head_ / 3, head_ / 3};
    } else if (rule == "quarter_first") {
      dims_ = {head_ / 4, head_ / 8 * 3, head_ / 8 * 3};
    } else if (rule == "halves") {
      config_["attention_head_dim"] = head_ = 8 * (head_ / 8);
      dims_ = {head_ / 2, head_ / 2};
    } else {
      dims_ = family_.at("absent").get<std::vector<int>>();
      if (head_ < std::accumulate(dims_.begin(), dims_.end(), 0) || between(0, 1) == 1) {
        const int few = head_ / static_cast<int>(dims_.size()) / 2 * 2;
        std::ranges::generate(dims_, [&] { return 2 * between(2, few / 2); });
        config_[family_.at("listed")] = dims_;
      }
    }
    scales_.assign(dims_.size(), 1);
    if (family_.contains("scales")) {
      scales_ = family_.at("scales").get<std::vector<double>>();
      if (between(0, 1) == 1) {
        std::ranges::generate(scales_, [&] { return between(1, 40) / 8.0 + 1; });
        config_["rope_scale"] = scales_;
      }
    }
  }

  void draw_base() {
    base_ = family_.at("theta");
    if (family_.contains("theta_key") && between(0, 1) == 1) {
      config_[family_.at("theta_key")] = base_ = between(100, 100000);
    }
  }

  const OrderedJson& family_;
  std::mt19937_64 engine_;
  std::string layout_;
  OrderedJson config_;
  int head_ = 0;
  std::vector<int> dims_;
  std::vector<double> scales_;
  double base_ = 0;
};

class PublishedTransformer : public ::testing::TestWithParam<std::string> {};

TEST_P(PublishedTransformer, TurnsEachColumnAsItsCodeDoes) {
  for (int draw = 0; draw < draws_a_family / 4 && !HasFailure(); ++draw) {
    const AxialDraw drawn(GetParam(), published("axial").at(GetParam()), seed_of(GetParam(), draw));
    SCOPED_TRACE(drawn.config().dump());
    const auto encoding = parse_spec(ObjectReader(understood(drawn.config()).groups.at(0).spec, "spec", ""));
    const auto tables = encoding->tables_of_axes();
    const auto wide = std::ranges::find_if(tables, [&](const TurnedTable& table) {
      return table.sines.role == "cos" &&
             table.sines.columns.size() == static_cast<std::size_t>(drawn.columns());
    });
    ASSERT_NE(wide, tables.end()) << encoding->summary();
    const std::vector<std::int64_t> token{3, 5, 7, 11};
    for (int column = 0; column < drawn.columns(); ++column) {
      const auto [axis, w] = drawn.turn(column);
      const auto entry =
          wide->entry(std::span(token).first(drawn.dims().size()), static_cast<std::size_t>(column));
      EXPECT_NEAR(*correctly_rounded(Format::binary64, entry), std::cos(static_cast<double>(token[axis]) * w),
                  1e-12)
          << column;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Configs, PublishedTransformer, ::testing::ValuesIn(keys_of(published("axial"))),
                         [](const auto& instance) { return instance.param; });

// Tables of several axes
// --------------------------------------------------------------------------------------------------

/// transformers, pixtral/modeling_pixtral.py PixtralRotaryEmbedding: rows by freqs[::2], columns by
/// freqs[1::2], both of the whole head; position_ids_in_meshgrid counts row * max_width + column.
TEST(PixtralVision, TurnsByRowAndColumn) {
  std::mt19937_64 engine(test_seed());
  const auto between = [&](int least, int greatest) {
    return std::uniform_int_distribution(least, greatest)(engine);
  };
  for (int draw = 0; draw < 20 && !HasFailure(); ++draw) {
    const int heads = between(1, 16);
    const int head_dim = 4 * between(2, 32);
    const int patch = between(8, 16);
    const int width = between(4, 64);
    const double base = draw % 3 == 0 ? 10000 : between(100, 1000000);
    OrderedJson config{{"model_type", "pixtral"},
                       {"hidden_size", heads * head_dim},
                       {"num_attention_heads", heads},
                       {"patch_size", patch},
                       {"image_size", patch * width + between(0, patch - 1)}};
    if (draw % 3 == 1) {
      config["rope_theta"] = base;
    } else if (draw % 3 == 2) {
      config["rope_parameters"] = {{"rope_theta", base}, {"rope_type", "default"}};
    }
    SCOPED_TRACE(config.dump());
    const auto result = understood(config);
    ASSERT_EQ(result.groups.size(), 1U);
    const auto encoding = parse_spec(ObjectReader(result.groups.front().spec, "spec", ""));
    ASSERT_TRUE(encoding->has_tables_of_axes()) << encoding->summary();
    const auto table = encoding->tables_of_axes().front();
    ASSERT_EQ(table.sines.role, "cos");
    const int row = between(0, width - 1);
    const int column = between(0, width - 1);
    for (int pair = 0; pair < head_dim / 2; ++pair) {
      const bool by_row = pair < head_dim / 4;
      const int number = by_row ? 2 * pair : 2 * (pair - head_dim / 4) + 1;
      const double expected = std::cos((by_row ? row : column) * std::pow(base, -2.0 * number / head_dim));
      EXPECT_NEAR(*correctly_rounded(Format::binary64, table.entry(std::int64_t{row} * width + column,
                                                                   static_cast<std::size_t>(pair))),
                  expected, 1e-9);
    }
  }
}

/// Some entries of the first table of a configuration's encoding, by row and column, against a formula.
class Entries {
 public:
  Entries(const OrderedJson& config, const std::string& role)
      : encoding_(parse_spec(ObjectReader(understood(config).groups.at(0).spec, "spec", ""))), role_(role) {}

  double at(std::int64_t position, std::size_t column, std::size_t columns) const {
    for (const auto& table : encoding_->tables_of_axes()) {
      if (table.sines.role == role_ && table.sines.columns.size() == columns) {
        return *correctly_rounded(Format::binary64, table.entry(position, column));
      }
    }
    ADD_FAILURE() << "no table of " << columns << " columns: " << encoding_->summary();
    return 0;
  }

 private:
  std::unique_ptr<Encoding> encoding_;
  std::string role_;
};

/// diffusers, embeddings.py, get_1d_sincos_pos_embed_from_grid: column c of `width` at place x.
double sinusoid(double x, std::size_t c, std::size_t width) {
  const auto half = width / 2;
  const double phase = x * std::pow(10000, -static_cast<double>(c % half) / static_cast<double>(half));
  return c < half ? std::sin(phase) : std::cos(phase);
}

/// diffusers, embeddings.py, get_2d_sincos_pos_embed: half of the columns for the image's column, then its
/// row. PatchEmbed of DiT, PixArt and Sana; CogView3PlusPatchEmbed.
TEST(PatchTables, AddSinesOfColumnAndRow) {
  struct Case {
    OrderedJson config;
    std::size_t width;  ///< of the model
    int side;           ///< of the grid
    double scale;       ///< what places are divided by
  };
  const std::vector<Case> cases{
      {{{"_class_name", "DiTTransformer2DModel"}}, 16 * 72, 16, 1},
      {{{"_class_name", "DiTTransformer2DModel"},
        {"sample_size", 64},
        {"patch_size", 4},
        {"num_attention_heads", 6},
        {"attention_head_dim", 64}},
       384,
       16,
       1},
      {{{"_class_name", "PixArtTransformer2DModel"}}, 16 * 72, 64, 2},
      {{{"_class_name", "PixArtTransformer2DModel"}, {"sample_size", 32}}, 16 * 72, 16, 1},
      {{{"_class_name", "PixArtTransformer2DModel"}, {"sample_size", 64}, {"interpolation_scale", 3}},
       16 * 72,
       32,
       3},
      {{{"_class_name", "SanaTransformer2DModel"}, {"interpolation_scale", 2}}, 70 * 32, 32, 2},
      {{{"_class_name", "CogView3PlusTransformer2DModel"}}, 64 * 40, 128, 1},
  };
  for (const auto& one : cases) {
    SCOPED_TRACE(one.config.dump());
    const Entries entries(one.config, "encoding");
    const int row = 7;
    const int column = 11;
    for (std::size_t c = 0; c < one.width; c += 29) {
      const bool by_column = c < one.width / 2;
      EXPECT_NEAR(entries.at(row * one.side + column, c, one.width),
                  sinusoid((by_column ? column : row) / one.scale, c % (one.width / 2), one.width / 2), 1e-12)
          << c;
    }
  }
  const auto bare = understood({{"_class_name", "SanaTransformer2DModel"}});
  EXPECT_EQ(json_text(bare.groups.at(0).spec), "{\n  \"scheme\": \"none\",\n  \"d_model\": 2240\n}");
}

/// diffusers, embeddings.py, get_3d_sincos_pos_embed as CogVideoXPatchEmbed calls it.
TEST(PatchTables, AddSinesOfFrameColumnAndRow) {
  for (const double scale : {1.875, 1.0}) {
    OrderedJson config{{"_class_name", "CogVideoXTransformer3DModel"},
                       {"use_rotary_positional_embeddings", false}};
    int high = 30;
    int wide = 45;
    if (scale == 1) {
      config.update({{"spatial_interpolation_scale", 1},
                     {"temporal_interpolation_scale", 2},
                     {"sample_height", 20},
                     {"sample_width", 34}});
      high = 10;
      wide = 17;
    }
    const double time_scale = scale == 1 ? 2 : 1;
    const Entries entries(config, "encoding");
    constexpr std::size_t width = 1920;
    const int frame = 3;
    const int row = 5;
    const int column = 9;
    const auto position = (frame * high + row) * wide + column;
    for (std::size_t c = 0; c < width; c += 37) {
      const auto spatial = c - width / 4;
      const double expected = c < width / 4 ? sinusoid(frame / time_scale, c, width / 4)
                              : spatial < 3 * width / 8
                                  ? sinusoid(column / scale, spatial, 3 * width / 8)
                                  : sinusoid(row / scale, spatial - 3 * width / 8, 3 * width / 8);
      EXPECT_NEAR(entries.at(position, c, width), expected, 1e-12) << c;
    }
  }
}

/// diffusers, transformer_ltx.py LTXVideoRotaryPosEmbed: frequencies of all axes in turn, ones in front.
TEST(LtxVideo, TurnsByCoordinatesOfThreeAxes) {
  for (const int heads : {32, 5}) {
    const std::size_t width = static_cast<std::size_t>(heads) * 64;
    const Entries entries({{"_class_name", "LTXVideoTransformer3DModel"}, {"num_attention_heads", heads}},
                          "cos");
    const std::size_t count = width / 6;
    for (std::size_t c = 0; c < width; ++c) {
      const auto pair = c < width % 6 ? 0 : (c - width % 6) / 2;
      const double w = std::numbers::pi / 2 *
                       std::pow(10000, static_cast<double>(pair / 3) / static_cast<double>(count - 1));
      EXPECT_NEAR(entries.at(3, c, width), c < width % 6 ? 1 : std::cos(w * (2 * 3 - 1)), 1e-9) << c;
    }
  }
}

/// diffusers, transformer_ernie_image.py ErnieImageEmbedND3: angles [0, 0, 1, 1, ...]; the processor pairs
/// dimensions by halves.
TEST(ErnieImage, RepeatsEachAngleForNeighbours) {
  const OrderedJson config{{"_class_name", "ErnieImageTransformer2DModel"}};
  const Entries entries(config, "cos");
  for (std::size_t c = 0; c < 128; ++c) {
    const auto pair = c / 2;
    const auto axis = pair < 16 ? std::pair{pair, 32} : std::pair{(pair - 16) % 24, 48};
    const double w = std::pow(256, -2.0 * static_cast<double>(axis.first) / axis.second);
    EXPECT_NEAR(entries.at(5, c, 128), std::cos(5 * w), 1e-12) << c;
  }
  EXPECT_EQ(json_text(*value_at(understood(config).groups.at(0).spec, "layout")), "\"half\"");
}

/// No sentence says any more that there is no scheme for what there is one for, and what a spec leaves out
/// of a model is said.
TEST(Diffusers, SayWhatASpecLeavesOut) {
  const auto refusal = [](const std::string& name) {
    return refusal_of([&] { understood({{"_class_name", name}}); });
  };
  EXPECT_THAT(refusal("SD3Transformer2DModel"), HasSubstr("stored with the weights"));
  EXPECT_THAT(refusal("LTX2VideoTransformer3DModel"), HasSubstr("which Vernier does not read"));
  EXPECT_THAT(refusal("LatteTransformer3DModel"), HasSubstr("another to frames"));
  for (const auto* name : {"HeliosTransformer3DModel", "HunyuanVideoFramepackTransformer3DModel"}) {
    EXPECT_THAT(understood({{"_class_name", name}}).remarks,
                ::testing::Contains(HasSubstr("earlier frames have means")));
  }
  EXPECT_THAT(refusal_of([] {
                understood({{"_class_name", "CogVideoXTransformer3DModel"},
                            {"use_learned_positional_embeddings", true}});
              }),
              HasSubstr("use_learned_positional_embeddings: found true"));
}

}  // namespace
}  // namespace vernier
