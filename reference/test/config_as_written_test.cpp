// Configurations of classes that Vernier does not know, and every shape that the parameters of a rotation
// have.

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reference/configs/family.hpp"
#include "reference/test/published_families.hpp"
#include "reference/test/refusal.hpp"

namespace vernier {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StrEq;

/// A model of 4 heads of 16 dimensions. \param keys what else stands in its configuration
OrderedJson model(const std::string& model_type, const OrderedJson& keys) {
  OrderedJson config{{"model_type", model_type},
                     {"hidden_size", 64},
                     {"num_attention_heads", 4},
                     {"num_hidden_layers", 4},
                     {"max_position_embeddings", 128}};
  config.update(keys);
  return config;
}

OrderedJson member(const UnderstoodConfig& config, const std::string& layer, const std::string& key) {
  return OrderedJson::parse(json_text(spec_of(config, layer, "config.json"))).value(key, OrderedJson());
}

/// A member of the spec of each of the four layers.
std::vector<OrderedJson> of_layers(const OrderedJson& keys, const std::string& key) {
  const auto config = understood(model("nova", keys));
  std::vector<OrderedJson> values;
  for (const auto* layer : {"0", "1", "2", "3"}) {
    values.push_back(member(config, layer, key));
  }
  return values;
}

TEST(AsWrittenShapes, BasesStandWhereverConfigurationsPutThem) {
  const auto base = [](const OrderedJson& keys) { return of_layers(keys, "rope_theta").front(); };
  EXPECT_EQ(base({{"rope_parameters", {{"rope_type", "default"}, {"rope_theta", 5e5}}}}), 5e5);
  EXPECT_EQ(base({{"rope_parameters", {{"rope_theta", 5e5}}}, {"rope_theta", nullptr}}), 5e5);
  EXPECT_EQ(base({{"rope_parameters", {{"rope_type", "linear"}, {"factor", 4}}}, {"rope_theta", 1e6}}), 1e6);
  EXPECT_EQ(base({{"rope_scaling", {{"type", "linear"}, {"factor", 4}}}, {"rope_theta", 1e6}}), 1e6);
  EXPECT_EQ(base({{"rotary_dim", 8}}), 10000);
  EXPECT_EQ(of_layers({{"rotary_dim", 8}}, "rotary_dim").front(), 8);
  const auto config = understood(model("nova", {{"rotary_dim", 8}}));
  EXPECT_THAT(config.assumed,
              AllOf(Contains(HasSubstr("rope_theta absent: 10000")), Contains(HasSubstr("layout: half")),
                    Contains(HasSubstr("head_dim absent: 16"))));
}

TEST(AsWrittenShapes, ListsSayEachLayer) {
  EXPECT_EQ(of_layers({{"layer_rope_theta", {1e4, 5e5, 0, 1e4}}, {"rope_parameters", {{"rope_theta", 1e4}}}},
                      "scheme"),
            (std::vector<OrderedJson>{"rope", "rope", "none", "rope"}));
  const OrderedJson lists{
      {"rope_theta", {1e4, 5e5, 1e4, 5e5, 1e4}},
      {"partial_rotary_factors", {0.5, 1, 0.5, 1}},
      {"layer_types", {"full_attention", "full_attention", "full_attention", "full_attention"}}};
  EXPECT_EQ(of_layers(lists, "rope_theta"), (std::vector<OrderedJson>{1e4, 5e5, 1e4, 5e5}));
  EXPECT_EQ(of_layers(lists, "partial_rotary_factor"), (std::vector<OrderedJson>{0.5, 1, 0.5, 1}));
  EXPECT_THAT(refusal_of([&] { spec_of(understood(model("nova", lists)), "full_attention", "config.json"); }),
              StrEq("--layer: found the string \"full_attention\", expected a number from 0 to 3"));
  EXPECT_THAT(
      refusal_of([] {
        understood(model("nova", {{"rope_theta", {1e4, 5e5}}}));
      }),
      HasSubstr("config.json: rope_theta: found 2 elements, expected one for each layer, also for layer 2"));
}

TEST(AsWrittenShapes, EntriesSayEachKindOfLayer) {
  const OrderedJson by_kind{{"layer_types", {"full_attention", "odd", "full_attention", "odd"}},
                            {"rope_parameters",
                             {{"full_attention", {{"rope_theta", 1e6}}},
                              {"odd", {{"rope_theta", 1e4}, {"partial_rotary_factor", 0.5}}}}}};
  EXPECT_EQ(of_layers(by_kind, "rope_theta"), (std::vector<OrderedJson>{1e6, 1e4, 1e6, 1e4}));
  const auto branches = understood(model("nova", {{"rope_parameters",
                                                   {{"main", {{"rope_theta", 1e4}}},
                                                    {"compress",
                                                     {{"rope_type", "yarn"},
                                                      {"factor", 16},
                                                      {"original_max_position_embeddings", 64},
                                                      {"rope_theta", 160000}}}}}}));
  EXPECT_EQ(member(branches, "main", "rope_theta"), 1e4);
  EXPECT_EQ(member(branches, "compress", "rope_scaling").at("factor"), 16);
  EXPECT_THAT(branches.assumed, Contains("layer_types absent: which layers are of which kind is not known"));
  const auto without =
      understood(model("nova", {{"layer_types", {"odd", "full_attention", "odd", "mamba"}},
                                {"rope_parameters", {{"full_attention", {{"rope_theta", 1e6}}}}}}));
  ASSERT_EQ(without.unencoded.size(), 2U);
  EXPECT_EQ(without.unencoded.front().why, "the parameters of the rotation have no entry for it");
}

TEST(AsWrittenShapes, ScalingsMayMeetSections) {
  const OrderedJson scaling{{"rope_theta", 1e6},
                            {"rope_type", "yarn"},
                            {"factor", 4},
                            {"original_max_position_embeddings", 32},
                            {"mrope_section", {2, 3, 3}}};
  for (const auto* type : {"nova", "qwen2_5_vl_text"}) {
    const auto config = understood({{"text_config", model(type, {{"rope_parameters", scaling}})}});
    EXPECT_EQ(member(config, "", "rope_scaling").at("mrope_section"), OrderedJson({2, 3, 3})) << type;
    EXPECT_EQ(member(config, "", "rope_scaling").at("factor"), 4) << type;
  }
}

/// vLLM, rotary_embedding/deepseek_scaling_rope.py: m(mscale) / m(mscale_all_dim), 1 and 0 where absent.
TEST(AsWrittenShapes, DeepseekYarnHasItsOwnAmplitude) {
  const auto scaling = [](const OrderedJson& keys) {
    OrderedJson object{
        {"rope_type", "deepseek_yarn"}, {"factor", 40}, {"original_max_position_embeddings", 32}};
    object.update(keys);
    return of_layers({{"rope_scaling", object}}, "rope_scaling").front();
  };
  EXPECT_FALSE(scaling(OrderedJson::object()).contains("attention_factor"));
  EXPECT_EQ(scaling({{"mscale_all_dim", 0.707}}).at("mscale"), 1);
  EXPECT_NEAR(scaling({{"mscale", 0.707}}).at("attention_factor"), 1 + 0.0707 * std::log(40.0), 1e-14);
}

TEST(AsWritten, NamesWhoseCodeIsNotKnown) {
  const auto sentence = [](const OrderedJson& config) { return understood(config).as_written; };
  const OrderedJson rotation{{"rope_theta", 5e5}};
  EXPECT_EQ(sentence(model("nova", rotation)),
            "as written: the code of model_type \"nova\" is not known to Vernier");
  EXPECT_THAT(sentence(model("llama", rotation)), IsEmpty());
  auto nameless = model("", rotation);
  nameless.erase("model_type");
  EXPECT_EQ(sentence(nameless), "as written: the code of a model without model_type is not known to Vernier");
  EXPECT_EQ(sentence(model("llama", {{"rope_theta", 5e5}, {"layer_types", {"odd", "odd", "odd", "odd"}}})),
            "as written: the code of layers of the kind \"odd\" is not known to Vernier");
  EXPECT_EQ(sentence({{"model_type", "draft"}, {"target_config", model("llama", rotation)}}),
            "as written: the code of model_type \"draft\", around target_config, is not known to Vernier");
  EXPECT_THAT(refusal_of([&] {
                understood({{"a", model("nova", rotation)}, {"b", model("nova", rotation)}});
              }),
              HasSubstr("found keys of a rotation in a and b"));
}

/// The path of a member without a name is that of the object around it, which holds the member.
TEST(AsWritten, SearchesNoMemberWithoutAName) {
  const OrderedJson member{{"type", "linear"}, {"", {{"rope_theta", 1e4}}}};
  for (const auto& config : {model("nova", {{"", member}}), model("nova", {{"inner", {{"", member}}}})}) {
    EXPECT_THAT(refusal_of([&] { understood(config); }), HasSubstr("there is none"));
  }
}

TEST(AsWritten, RefusesWhatARotationByTheFileWouldMisread) {
  const std::vector<std::pair<OrderedJson, std::string>> bad{
      {OrderedJson::object(),
       "there is none, but there is max_position_embeddings 128 (a learned table of that many rows?)"},
      {{{"rope_theta", 1e4}, {"alibi", true}}, "with alibi true beside keys of a rotation"},
      {{{"rope_theta", 100}, {"patch_size", 14}}, "whose patches turn along two axes"},
      {{{"rope_scaling", {{"rope_type", "wavelet"}}}},
       "rope_scaling.rope_type: found the string \"wavelet\""}};
  for (const auto& [keys, sentence] : bad) {
    EXPECT_THAT(refusal_of([&] { understood(model("nova", keys)); }), HasSubstr(sentence));
  }
  EXPECT_THAT(understood(model("nova", {{"rope_theta", 1e4}, {"rope_frequency_base", 3}})).ignored,
              Contains("rope_frequency_base: 3"));
}

/// Types that were refused when all that was known of them was that they are in use.
TEST(AsWritten, EveryTypeInUseHasASpec) {
  const std::vector<std::string> types{"afmoe",
                                       "apertus",
                                       "axk1",
                                       "axk2",
                                       "bitnet",
                                       "blt",
                                       "cwm",
                                       "cohere2_moe",
                                       "cosmos3_edge_text",
                                       "cosmos3_omni",
                                       "diffllama",
                                       "diffusion_gemma_text",
                                       "doge",
                                       "dots1",
                                       "ernie4_5_moe",
                                       "ernie4_5_vl_moe_text",
                                       "eurobert",
                                       "exaone4_5",
                                       "exaone_moe",
                                       "falcon_h1",
                                       "flex_olmo",
                                       "gemma4_unified_text",
                                       "glm4_moe_lite",
                                       "glm46v",
                                       "glm_image_text",
                                       "glm_ocr_text",
                                       "glmga",
                                       "granite_swa",
                                       "granitemoe_swa",
                                       "helium",
                                       "hrm_text",
                                       "hunyuan_vl_text",
                                       "hy_v3",
                                       "hyperclovax",
                                       "inkling_text",
                                       "jais2",
                                       "jetmoe",
                                       "jina_embeddings_v3",
                                       "lfm2_moe",
                                       "longcat_flash",
                                       "mellum",
                                       "minimax_m3_vl_text",
                                       "mistral4",
                                       "modernbert-decoder",
                                       "moonshine",
                                       "moonshine_streaming",
                                       "moshi",
                                       "muse_glimmer_text",
                                       "musicflamingo",
                                       "nanochat",
                                       "nomic_bert",
                                       "olmo_hybrid",
                                       "olmoe",
                                       "openai_privacy_filter",
                                       "paddleocr_vl_text",
                                       "qwen3_omni_moe_text",
                                       "qwen3_omni_moe_talker_text",
                                       "recurrent_gemma",
                                       "seed_oss",
                                       "solar_open",
                                       "t5gemma_module",
                                       "t5gemma2_text",
                                       "timesfm2_5",
                                       "vaultgemma",
                                       "video_llama_3",
                                       "zamba2",
                                       "pe_audio_encoder",
                                       "csm",
                                       "dia_decoder",
                                       "higgs_audio_v2",
                                       "kyutai_speech_to_text",
                                       "mimi",
                                       "emu3_text_model",
                                       "evolla",
                                       "esmc",
                                       "roformer",
                                       "bamba",
                                       "qwen2_5_omni_dit"};
  const OrderedJson flat{{"rope_parameters", {{"rope_type", "default"}, {"rope_theta", 5e5}}}};
  const OrderedJson by_kind{
      {"rope_parameters",
       {{"full_attention", {{"rope_theta", 5e5}}}, {"sliding_attention", {{"rope_theta", 1e4}}}}}};
  for (const auto& type : types) {
    const auto* family = family_of(type);
    const bool has_entries = family != nullptr && family->kinds.contains("sliding_attention");
    auto keys = has_entries ? by_kind : flat;
    // The sections of GLM's classes are those of heads of 64 dimensions.
    keys["hidden_size"] = type == "moonshine" ? 160 : type.starts_with("glm") ? 256 : 512;
    const auto config = understood(model(type, keys));
    EXPECT_EQ(config.as_written.empty(), family != nullptr) << type;
    EXPECT_FALSE(config.groups.empty()) << type;
    EXPECT_TRUE(family != nullptr || !config.assumed.empty()) << type;
  }
}

}  // namespace
}  // namespace vernier
