// What Vernier understands of real configurations, reduced to the keys that matter (configs/*.json: each with
// its source and what it means), and the sentences for malformed ones.

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reference/configs/family.hpp"
#include "reference/configs/understood_config.hpp"
#include "reference/json/json_tree.hpp"
#include "reference/schemes/scheme_registry.hpp"
#include "reference/support/input_error.hpp"
#include "reference/support/text_file.hpp"
#include "reference/test/refusal.hpp"

namespace vernier {
namespace {

using ::testing::HasSubstr;
using ::testing::StrEq;

/// A configuration of a file of the folder, and what it is to be understood as.
struct RealConfig {
  std::string name;
  JsonValue value;
};

std::vector<RealConfig> real_configs() {
  std::vector<RealConfig> all;
  for (const auto& entry : std::filesystem::directory_iterator(VERNIER_REAL_CONFIGS)) {
    const auto document = parse_python_json(read_text(entry.path()), entry.path().filename().string());
    for (const auto& [name, value] : std::get<JsonValue::Object>(document.value())) {
      all.push_back({name, value});
    }
  }
  std::ranges::sort(all, {}, &RealConfig::name);
  return all;
}

JsonValue sentences_value(const std::vector<std::string>& sentences) {
  JsonValue::Array array;
  for (const auto& sentence : sentences) {
    array.emplace_back(sentence);
  }
  return JsonValue(std::move(array));
}

JsonValue layers_value(const std::vector<int>& layers) {
  JsonValue::Array array;
  for (const int layer : layers) {
    array.push_back(integer_value(layer));
  }
  return JsonValue(std::move(array));
}

/// Everything that was understood, as the data files write it: empty parts left out.
JsonValue as_data(const UnderstoodConfig& config) {
  JsonValue::Array groups;
  for (const auto& group : config.groups) {
    groups.emplace_back(JsonValue::Object{
        {"kind", JsonValue(group.kind)}, {"layers", layers_value(group.layers)}, {"spec", group.spec}});
  }
  for (const auto& one : config.unencoded) {
    groups.emplace_back(JsonValue::Object{
        {"kind", JsonValue(one.kind)}, {"layers", layers_value(one.layers)}, {"why", JsonValue(one.why)}});
  }
  JsonValue::Object result{{"groups", JsonValue(std::move(groups))}};
  for (const auto& [key, sentences] :
       {std::pair{"assumed", &config.assumed}, {"remarks", &config.remarks}, {"ignored", &config.ignored}}) {
    if (!sentences->empty()) {
      result.emplace_back(key, sentences_value(*sentences));
    }
  }
  return JsonValue(std::move(result));
}

class RealConfigTest : public ::testing::TestWithParam<RealConfig> {};

// The whole account: specs by layer, defaults, remarks, ignored keys. Numbers are compared as text, since a
// spec keeps the digits of its file.
TEST_P(RealConfigTest, IsUnderstood) {
  const auto* config = value_at(GetParam().value, "config");
  const auto* expected = value_at(GetParam().value, "understood");
  ASSERT_NE(config, nullptr);
  ASSERT_NE(expected, nullptr);
  ASSERT_NE(value_at(GetParam().value, "source"), nullptr);
  EXPECT_THAT(json_text(as_data(understand_config(*config, GetParam().name))), StrEq(json_text(*expected)));
}

INSTANTIATE_TEST_SUITE_P(Configs, RealConfigTest, ::testing::ValuesIn(real_configs()),
                         [](const auto& instance) {
                           std::string name = instance.param.name;
                           std::ranges::replace_if(
                               name, [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
                           return name;
                         });

/// A Llama of 8 heads of 64 dimensions, with more keys.
std::string llama(const std::string& keys) {
  return R"({"model_type": "llama", "hidden_size": 512, "num_attention_heads": 8, "num_hidden_layers": 4, )"
         R"("max_position_embeddings": 4096, )" +
         keys + "}";
}

struct BadConfig {
  std::string text;
  std::string sentence;
};

// Each modelled on a failure that was reported somewhere: keys that moved between versions of transformers,
// lists for another head size, hand-edited types, files cut short.
TEST(Config, RefusesMalformedAndContradictoryOnesInOneSentence) {
  const std::vector<BadConfig> bad{
      {R"({"_class_name": "SD3Transformer2DModel", "sample_size": 128})",
       "config.json: found _class_name \"SD3Transformer2DModel\", whose table of sines over patches is "
       "stored "
       "with the weights, which take its place; expected a model whose configuration defines its encoding"},
      {R"({"_class_name": "FluxTransformer2DModel", "axes_dims_rope": 128})",
       "config.json: axes_dims_rope: found 128, expected an array with the width of each axis"},
      {R"({"_class_name": "FluxTransformer2DModel", "axes_dims_rope": [16, "56"]})",
       "config.json: axes_dims_rope[1]: found the string \"56\", expected an integer from 2 to 65536"},
      {R"({"_class_name": "FluxTransformer2DModel", "axes_dims_rope": [64, 56, 56]})",
       "config.json: understood as a spec: axes: found an array, expected axes that add up to at most the "
       "128 "
       "dimensions of the head, not 176"},
      {R"({"_class_name": "CosmosTransformer3DModel", "rope_scale": [1, 2]})",
       "config.json: rope_scale: found an array, expected an array of 3 numbers, one an axis"},
      {"[]", "config.json: found an array, expected the object of a configuration"},
      {R"({"model_type": "llama", "hidden_size": )",
       "config.json, line 1, column 39: not JSON: found the end, expected a value"},
      {R"({"model_type": "llama", "model_type": "qwen2"})",
       "config.json: the key \"model_type\" stands twice in one object"},
      {R"({"model_type": 3})", "config.json: model_type: found 3, expected a string"},
      {R"({"hidden_size": 4096, "num_attention_heads": 32})",
       "config.json: model_type: missing, whose code Vernier does not know, expected a model with a key of a "
       "rotation, such as rope_theta, rope_parameters, rope_scaling or rotary_dim: there is none"},
      {R"({"model_type": "lamma"})",
       "config.json: model_type: found \"lamma\", whose code Vernier does not know, expected a model with a "
       "key of a rotation, such as rope_theta, rope_parameters, rope_scaling or rotary_dim: there is none"},
      {R"({"model_type": "my_vlm", "text_config": {"hidden_size": 512}})",
       "config.json: text_config.model_type: missing, whose code Vernier does not know, expected a model "
       "with "
       "a key of a rotation, such as rope_theta, rope_parameters, rope_scaling or rotary_dim: there is none"},
      {R"({"model_type": "qwen2_vl", "text_config": 5})",
       "config.json: text_config: found 5, expected an object"},
      {R"({"model_type": "bert", "max_position_embeddings": 512})",
       "config.json: found model_type \"bert\", whose position table is trained: it is in the weights, not "
       "in config.json; expected a model whose configuration defines its encoding"},
      {llama(R"("head_dim": "64")"),
       "config.json: head_dim: found the string \"64\", expected an integer from 1 to 65536"},
      {R"({"model_type": "llama", "hidden_size": 4100, "num_attention_heads": 32})",
       "config.json: hidden_size: found 4100, expected a multiple of the 32 attention heads, as head_dim is "
       "absent"},
      {R"({"model_type": "llama", "hidden_size": 4096, "num_attention_heads": 0})",
       "config.json: num_attention_heads: found 0, expected an integer from 1 to 1048576"},
      {llama(R"("head_dim": 65)"),
       "config.json: understood as a spec: head_dim: found 65, expected an even number, as dimensions "
       "rotate in pairs"},
      {llama(R"("rope_theta": "1e6")"),
       "config.json: rope_theta: found the string \"1e6\", expected a number"},
      {llama(R"("rope_theta": NaN)"), "config.json: rope_theta: found the string \"NaN\", expected a number"},
      {llama(R"("rope_theta": 0)"), "config.json: rope_theta: found 0, expected a base greater than 1"},
      {llama(R"("rope_scaling": "linear")"),
       "config.json: rope_scaling: found the string \"linear\", expected an object or null"},
      {llama(R"("rope_scaling": {"factor": 8.0})"),
       "config.json: rope_scaling.rope_type: missing, expected the type of scaling, as a factor is given"},
      {llama(R"("rope_scaling": {"rope_type": "linear"})"),
       "config.json: rope_scaling.factor: missing, expected a value, as rope_type \"linear\" needs it"},
      {llama(R"("rope_scaling": {"rope_type": "linear", "type": "dynamic", "factor": 2})"),
       "config.json: rope_scaling.type: found the string \"dynamic\", expected the same type as rope_type, "
       "the "
       "string \"linear\""},
      {llama(R"("rope_scaling": {"rope_type": "ntk-aware", "factor": 2})"),
       "config.json: rope_scaling.rope_type: found the string \"ntk-aware\", expected one of deepseek_yarn, "
       "default, dynamic, "
       "dynamic_qwen, linear, llama3, longrope, mrope, ntk, proportional, su, yarn"},
      {llama(
           R"("rope_scaling": {"type": "linear", "factor": 2}, "rope_parameters": {"rope_type": "default"})"),
       "config.json: rope_parameters: found an object, expected no more than one of rope_scaling and "
       "rope_parameters, or the same in both"},
      {llama(R"("rope_scaling": {"rope_type": "llama3", "factor": 8, "low_freq_factor": 1})"),
       "config.json: rope_scaling.high_freq_factor: missing, expected a value, as rope_type \"llama3\" needs "
       "it"},
      {llama(R"("rope_scaling": {"type": "longrope", "short_factor": [1, 1], "long_factor": [2, 2], )"
             R"("original_max_position_embeddings": 2048})"),
       "config.json: understood as a spec: rope_scaling.short_factor: found an array, expected an array of "
       "32 numbers above 0, one "
       "for "
       "each pair, not 2"},
      {llama(R"("rope_scaling": {"type": "mrope", "mrope_section": [16, 24, 24]})"),
       "config.json: understood as a spec: rope_scaling.mrope_section: found an array, expected three "
       "numbers of pairs that add up "
       "to 32"},
      {llama(R"("partial_rotary_factor": 1.5)"),
       "config.json: partial_rotary_factor: found 1.5, expected a number greater than 0 and at most 1"},
      {llama(R"("partial_rotary_factor": 0.5, "rotary_dim": 64)"),
       "config.json: rotary_dim: found 64, expected 32, as partial_rotary_factor 0.5 of 64 dimensions says"},
      {llama(R"("rotary_dim": 128)"),
       "config.json: rotary_dim: found 128, expected an even number of at most 64, the head_dim"},
      {llama(R"("layer_types": ["full_attention", "full_attention"])"),
       "config.json: layer_types: found 2 elements, expected one for each of the 4 layers"},
      {llama(R"("layer_types": ["full_attention", "full_attention", "full_attention", "sliding_attention"], )"
             R"("rope_parameters": {"full_attention": {"rope_theta": 10000}})"),
       "config.json: rope_parameters.sliding_attention: missing, expected an entry, as layer_types names "
       "this "
       "kind"},
      {R"({"model_type": "gemma3_text", "sliding_window_pattern": 0})",
       "config.json: sliding_window_pattern: found 0, expected an integer from 1 to 65536"},
      {R"({"model_type": "granite", "num_hidden_layers": 2, "layer_types": ["attention", 3]})",
       "config.json: layer_types[1]: found 3, expected one of the kinds of layers attention, "
       "chunked_attention, conv, full_attention, indexed_attention, linear_attention, mamba, recurrent, "
       "sliding_attention"},
      {R"({"model_type": "molmo", "hidden_size": 512, "num_attention_heads": 8})",
       "config.json: rope_theta: missing, expected the base of the frequencies, as MolmoConfig has no "
       "default "
       "that Vernier knows"},
      {R"({"model_type": "t5", "relative_attention_num_buckets": 33})",
       "config.json: understood as a spec: num_buckets: found 33, expected an even number, as each direction "
       "has half of the "
       "buckets"},
  };
  for (const auto& [text, sentence] : bad) {
    EXPECT_THAT(refusal_of([&] { understand_config(parse_python_json(text, "config.json"), "config.json"); }),
                StrEq(sentence))
        << text;
  }
}

TEST(Config, KeepsEveryDigitOfANumber) {
  const auto config = understand_config(
      parse_python_json(llama(R"("rope_theta": 999999.44203588130000000000000001)"), "config.json"),
      "config.json");
  const auto* theta = value_at(config.groups.front().spec, "rope_theta");
  ASSERT_NE(theta, nullptr);
  EXPECT_THAT(json_text(*theta), StrEq("999999.44203588130000000000000001"));
}

std::string choice(const UnderstoodConfig& config, const std::string& which) {
  try {
    return json_text(*value_at(spec_of(config, which, "config.json"), "scheme"));
  } catch (const InputError& error) {
    return error.what();
  }
}

// Four layers, the last without rotation, and then one that has no attention at all.
TEST(Config, SpecsAreChosenByLayerOrKind) {
  const auto text = R"({"model_type": "llama4_text", "num_hidden_layers": 4})";
  const auto config = understand_config(parse_python_json(text, "config.json"), "config.json");
  EXPECT_EQ(choice(config, "0"), "\"rope\"");
  EXPECT_EQ(choice(config, "3"), "\"none\"");
  EXPECT_EQ(choice(config, "without_rope"), "\"none\"");
  EXPECT_THAT(choice(config, ""), StrEq("config.json: found several encodings, expected --layer with a "
                                        "number from 0 to 3 or a kind: with_rope, without_rope"));
  EXPECT_THAT(choice(config, "4"),
              StrEq("--layer: found 4, expected a number from 0 to 3 or a kind: with_rope, without_rope"));
  EXPECT_THAT(choice(config, "rope"),
              StrEq("--layer: found the string \"rope\", expected a number from 0 to 3 "
                    "or a kind: with_rope, without_rope"));
  const auto hybrid = understand_config(
      parse_python_json(
          R"({"model_type": "lfm2", "num_hidden_layers": 2, "layer_types": ["conv", "full_attention"]})",
          "config.json"),
      "config.json");
  EXPECT_EQ(choice(hybrid, ""), "\"rope\"");
  EXPECT_EQ(choice(hybrid, "1"), "\"rope\"");
  EXPECT_THAT(choice(hybrid, "0"),
              HasSubstr("layer 0: found conv: a convolution takes no positional encoding"));
  EXPECT_THAT(choice(hybrid, "2"),
              StrEq("--layer: found 2, expected a number from 0 to 1 or a kind: full_attention"));
}

void expect_scheme(const std::string& encoding, const std::string& where) {
  const bool known =
      encoding == "refused" || std::ranges::find(schemes(), encoding, &Scheme::name) != schemes().end();
  EXPECT_TRUE(known) << where << " names the scheme " << encoding;
}

void expect_consistent(const ConfigFamily& family) {
  const auto where = family.config_class;
  if (family.rules.encoding.empty()) {
    EXPECT_NE(family_of(family.text_model_type), nullptr) << where;
  } else {
    expect_scheme(family.rules.encoding, where);
  }
  for (const auto& [kind, rules] : family.kinds) {
    if (!rules.encoding.empty()) {
      expect_scheme(rules.encoding, where + ", " + kind);
    }
  }
  for (const auto& rule : family.layers) {
    for (const auto& kind : {rule.kind, rule.others}) {
      EXPECT_TRUE(kind.empty() || family.kinds.contains(kind) || config_names().kinds.contains(kind))
          << where << " names the kind " << kind;
    }
  }
  if (!family.kinds.empty() && family.parts.empty()) {
    EXPECT_TRUE(!family.layers.empty() && !family.layers.front().keys.empty())
        << where << " has kinds of layers, and no key that says them";
  }
  for (const auto& variant : family.variants) {
    expect_consistent(variant.family);
  }
}

TEST(ConfigFamilies, NameOnlyWhatThereIs) {
  std::set<std::string> seen;
  for (const auto& family : config_families()) {
    expect_consistent(family);
    EXPECT_TRUE(!family.model_types.empty() || !family.recognised_by.empty()) << family.config_class;
    for (const auto& model_type : family.model_types) {
      EXPECT_TRUE(seen.insert(model_type).second) << model_type << " stands twice";
    }
  }
}

TEST(PythonJson, BareInfinityAndNanAreRead) {
  const auto value =
      parse_python_json(R"({"a": [0.0, Infinity, -Infinity], "b": NaN, "c": "NaN Infinity"})", "x");
  EXPECT_THAT(json_text(value), StrEq("{\n  \"a\": [0.0, \"Infinity\", \"-Infinity\"],\n  \"b\": \"NaN\",\n  "
                                      "\"c\": \"NaN Infinity\"\n}"));
  EXPECT_THROW(parse_json(R"({"a": Infinity})", "x"), InputError);
}

/// As editors count, though the words are read as if they were in quotes.
TEST(PythonJson, FaultsAreToldWhereTheyAre) {
  const auto told = [](const std::string& text) {
    return refusal_of([&] { parse_python_json(text, "config.json"); });
  };
  EXPECT_THAT(told(R"({"a": [NaN, -Infinity], "b" 1})"),
              HasSubstr("config.json, line 1, column 29: not JSON: "));
  EXPECT_THAT(told("{\"a\": NaN,\n \"b\": Infinity 1}"),
              HasSubstr("config.json, line 2, column 16: not JSON: "));
  EXPECT_THAT(told(R"({"a": NaN, "b)"), HasSubstr("line 1, column 12: not JSON: found the string \"b\""));
  EXPECT_THAT(told(R"({"a" NaN})"), HasSubstr("config.json, line 1, column 6: not JSON: "));
}

}  // namespace
}  // namespace vernier
