// Configurations as transformers 5.18.0 saves them, in small: what its classes make of them.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reference/test/parsed.hpp"
#include "reference/test/published_families.hpp"

namespace vernier {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// The spec of a layer, or of all layers. \param config what a configuration has beside 4 heads in 64
/// dimensions
OrderedJson read(const OrderedJson& config, const std::string& layer = "") {
  OrderedJson whole{{"hidden_size", 64}, {"num_attention_heads", 4}, {"num_hidden_layers", 2}};
  whole.update(config);
  return parsed(json_text(spec_of(understood(whole), layer, "config.json")))->spec();
}

OrderedJson spec(std::string_view keys) {
  return parsed(keys)->spec();
}

/// A vision part, as all classes with rope_type "axial" save it.
OrderedJson axial(const std::string& model_type, const OrderedJson& keys = OrderedJson::object()) {
  OrderedJson config{{"model_type", model_type},
                     {"patch_size", 14},
                     {"rope_parameters", {{"rope_theta", 500.0}, {"rope_type", "axial"}}}};
  config.update(keys);
  return read(config);
}

/// modeling_qwen2_vl.py, modeling_kimi_k25.py, modeling_minimax_m3_vl.py, modeling_sam3.py,
/// recomposition_frequencies: one ladder for each axis, whose columns each class arranges in its own way.
TEST(Transformers5, ArrangesTheAxesOfPatchesByTheCodeOfTheClass) {
  const auto halves = spec(R"({"scheme": "axial_rope", "head_dim": 16, "rope_theta": 500, "layout": "half",
                               "axes": [{"dims": 8}, {"dims": 8}]})");
  for (const auto* known : {"glm4v_vision", "paddleocr_vl_vision", "exaone4_5_vision", "glm4v_moe_vision"}) {
    EXPECT_EQ(axial(known), halves) << known;
  }
  EXPECT_EQ(axial("muse_glimmer_vision", {{"pos_emb_height", 32}}), halves);
  EXPECT_EQ(axial("qwen2_vl_vision", {{"embed_dim", 64}, {"hidden_size", 3584}}), halves);
  EXPECT_EQ(axial("step3p5_vision", {{"width", 64}, {"heads", 4}, {"hidden_size", nullptr}}), halves);
  EXPECT_EQ(axial("kimi_k25_vision", {{"pos_emb_time", 4}}),
            spec(R"({"scheme": "axial_rope", "head_dim": 16, "rope_theta": 500, "layout": "half",
                     "arrangement": "alternating", "axes": [{"dims": 8}, {"dims": 8}]})"));
  EXPECT_EQ(axial("minimax_m3_vl_vision"),
            spec(R"({"scheme": "axial_rope", "head_dim": 16, "rope_theta": 500, "layout": "half",
                     "axes": [{"dims": 4}, {"dims": 4}, {"dims": 4}]})"));
  const auto neighbours = spec(R"({"scheme": "axial_rope", "head_dim": 16, "rope_theta": 500,
                                   "layout": "interleaved", "axes": [{"dims": 8}, {"dims": 8}]})");
  EXPECT_EQ(axial("sam3_vit_model"), neighbours);
  EXPECT_EQ(axial("sam2_video", {{"memory_attention_hidden_size", 64},
                                 {"memory_attention_num_attention_heads", 2},
                                 {"memory_attention_downsample_rate", 2},
                                 {"memory_attention_rope_dropout", 0.1}}),
            neighbours);
  EXPECT_EQ(axial("gemma4_vision", {{"head_dim", 16}, {"position_embedding_size", 99}})["layout"],
            "half_per_axis");
  EXPECT_EQ(axial("pixtral", {{"image_size", 140}})["reading"], "pixtral");
}

/// A class that nobody has read says "axial" too, and that it was read as written is told.
TEST(Transformers5, ReadsAxialPartsOfUnknownClassesAsMostClassesDo) {
  EXPECT_EQ(axial("nova_vision"), axial("glm4v_vision"));
  const auto config = understood({{"model_type", "nova_vision"},
                                  {"head_dim", 16},
                                  {"patch_size", 14},
                                  {"rope_parameters", {{"rope_theta", 500.0}, {"rope_type", "axial"}}}});
  EXPECT_THAT(config.as_written, HasSubstr("nova_vision"));
  EXPECT_THAT(config.assumed, Contains(HasSubstr("rope_type axial")));
}

/// modeling_dinov3_vit.py, modeling_sapiens2.py: images may be higher than wide, and coordinates are changed
/// in training alone. modeling_efficientloftr.py: vectors of the whole hidden size turn.
TEST(Transformers5, ReadsCentresAndPlacesOfPatches) {
  EXPECT_EQ(read({{"model_type", "sapiens2"},
                  {"rope_theta", 100.0},
                  {"image_size", {64, 32}},
                  {"patch_size", 16},
                  {"pos_embed_rescale", 2.0}}),
            spec(R"({"scheme": "axial_rope", "head_dim": 16, "rope_theta": 100, "layout": "half",
                     "frequency_scale": "2pi", "grid": [2],
                     "axes": [{"dims": 8, "position_scale": "1/2", "position_offset": "-3/4"},
                              {"dims": 8, "position_scale": "1", "position_offset": "-1/2"}]})"));
  EXPECT_EQ(read({{"model_type", "efficientloftr"},
                  {"partial_rotary_factor", 2.0},
                  {"rope_parameters", {{"rope_theta", 10000.0}, {"partial_rotary_factor", 2.0}}}}),
            spec(R"({"scheme": "axial_rope", "head_dim": 64, "layout": "interleaved", "position_offset": 1,
                     "arrangement": "alternating", "axes": [{"dims": 32}, {"dims": 32}]})"));
}

/// configuration_utils.py, per_layer_config: what single layers have in place of what stands at the top.
TEST(Transformers5, ReadsWhatALayerHasToItself) {
  OrderedJson config{{"model_type", "gemma4_text"},
                     {"num_hidden_layers", 2},
                     {"head_dim", 32},
                     {"layer_types", {"sliding_attention", "full_attention"}},
                     {"rope_parameters",
                      {{"sliding_attention", {{"rope_type", "default"}, {"rope_theta", 10000.0}}},
                       {"full_attention", {{"rope_type", "proportional"}, {"rope_theta", 1e6}}}}},
                     {"per_layer_config", {{"01", {{"head_dim", 64}, {"sliding_window", nullptr}}}}}};
  EXPECT_EQ(read(config, "sliding_attention")["head_dim"], 32);
  EXPECT_EQ(read(config, "full_attention")["head_dim"], 64);
  EXPECT_THAT(understood(config).ignored, IsEmpty());
  config["model_type"] = "nova";
  EXPECT_EQ(read(config, "1")["head_dim"], 64);
}

/// Classes that pair neighbours by tables that look like those of halves.
TEST(Transformers5, PairsByTheCodeThatTurns) {
  const auto layout = [&](const std::string& model_type, const std::string& width) {
    return read({{"model_type", model_type},
                 {width, 16},
                 {"rope_parameters", {{"rope_theta", 10000.0}, {"rope_type", "default"}}},
                 {"layer_types", {"sliding_attention", "sliding_attention"}}})["layout"];
  };
  EXPECT_EQ(layout("axk2", "qk_rope_head_dim"), "interleaved");
  EXPECT_EQ(layout("deepseek_v3", "qk_rope_head_dim"), "interleaved");
  EXPECT_EQ(layout("openai_privacy_filter", "head_dim"), "interleaved");
  EXPECT_EQ(layout("cohere2_moe", "head_dim"), "interleaved");
}

/// modeling_qwen2_vl.py, modeling_glm4v.py, modeling_neomme.py: sections that the class has where the file
/// has none.
TEST(Transformers5, KnowsTheSectionsOfClasses) {
  const auto scaling = [](const OrderedJson& config, const std::string& layer = "") {
    return read(config, layer)["rope_scaling"];
  };
  const OrderedJson rope{{"rope_theta", 10000.0}, {"rope_type", "default"}};
  EXPECT_EQ(
      scaling(
          {{"model_type", "qwen2_vl_text"}, {"head_dim", 128}, {"rope_parameters", rope}})["mrope_section"],
      OrderedJson({16, 24, 24}));
  EXPECT_EQ(
      scaling({{"model_type", "glm4v_text"}, {"head_dim", 64}, {"rope_parameters", rope}})["mrope_section"],
      OrderedJson({8, 12, 12}));
  const OrderedJson neomme{
      {"model_type", "neomme"},
      {"head_dim", 64},
      {"patch_size", 32},
      {"layer_types", {"sliding_attention", "full_attention"}},
      {"rope_parameters",
       {{"sliding_attention",
         {{"rope_type", "default"}, {"rope_theta", 10000.0}, {"partial_rotary_factor", 1.0}}},
        {"full_attention",
         {{"rope_type", "default"}, {"rope_theta", 1e6}, {"partial_rotary_factor", 0.25}}}}}};
  EXPECT_EQ(scaling(neomme, "0")["mrope_section"], OrderedJson({16, 16, 0}));
  EXPECT_EQ(scaling(neomme, "1")["mrope_section"], OrderedJson({4, 4, 0}));
}

/// modeling_mistral4.py: qk_rope_head_dim is what partial_rotary_factor leaves of head_dim, and no share of
/// it. Keys of the parameters that no code reads, and the rotation of sound in the model around, change
/// nothing.
TEST(Transformers5, LeavesAsideWhatTheTextModelDoesNotRead) {
  const auto mistral = read(
      {{"model_type", "mistral4"},
       {"qk_rope_head_dim", 64},
       {"head_dim", 128},
       {"rope_parameters", {{"rope_type", "default"}, {"rope_theta", 1e4}, {"partial_rotary_factor", 0.5}}}});
  EXPECT_EQ(mistral["head_dim"], 64);
  EXPECT_EQ(mistral["partial_rotary_factor"], 1);
  EXPECT_EQ(read({{"model_type", "ministral3"},
                  {"rope_parameters",
                   {{"rope_type", "default"}, {"rope_theta", 10000.0}, {"max_position_embeddings", 99}}}}),
            spec(R"({"scheme": "rope", "head_dim": 16, "layout": "half"})"));
  EXPECT_EQ(read({{"model_type", "roformer"}, {"rotary_value", false}})["layout"], "interleaved");
  EXPECT_EQ(read({{"model_type", "wav2vec2-conformer"},
                  {"position_embeddings_type", "rotary"},
                  {"num_conv_pos_embeddings", 128}}),
            spec(R"({"scheme": "rope", "head_dim": 16, "rope_theta": 10000, "layout": "half"})"));
  EXPECT_EQ(read({{"model_type", "musicgen_decoder"}}),
            spec(R"({"scheme": "sinusoidal", "d_model": 64, "layout": "halves", "frequency": "tensor2tensor",
                     "order": "cos_sin"})"));
  const auto music =
      understood({{"model_type", "musicflamingo"},
                  {"rope_parameters",
                   {{"rope_type", "default"}, {"rope_theta", 1200.0}, {"partial_rotary_factor", 0.2}}},
                  {"text_config", {{"model_type", "qwen2"}, {"rope_parameters", {{"rope_theta", 1e6}}}}}});
  EXPECT_EQ(json_text(*value_at(music.groups.front().spec, "rope_theta")), "1000000.0");
  EXPECT_THAT(music.ignored, Contains(HasSubstr("rotary time embedding of sound")));
}

}  // namespace
}  // namespace vernier
