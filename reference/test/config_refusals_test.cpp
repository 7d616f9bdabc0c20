// Configurations that another reading would misread: what is not understood is refused by name, and what
// looks alike is told apart.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reference/test/published_families.hpp"
#include "reference/test/refusal.hpp"

namespace vernier {
namespace {

using ::testing::HasSubstr;

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
      {R"("rope_scaling": {"rope_type": "wavelet", "factor": 40})",
       "rope_scaling.rope_type: found the string \"wavelet\""}};
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

/// Vision parts have the model_type of the language model beside them, and turn patches along two axes.
TEST(Config, RefusesAPartThatIsNoLanguageModel) {
  for (const std::string type : {"qwen2_5_vl", "qwen2_vl", "qwen3_vl", "qwen3_5", "glm4v"}) {
    const OrderedJson vision{
        {"model_type", type}, {"depth", 24}, {"hidden_size", 1280}, {"num_heads", 16}, {"patch_size", 14}};
    EXPECT_THAT(refusal_of([&] { understood(vision); }), HasSubstr("config.json: patch_size: found 14"))
        << type;
  }
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

}  // namespace
}  // namespace vernier
