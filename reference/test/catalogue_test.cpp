// The model catalogue: that it is whole, and that what people know of well-known models stands in it.

#include "reference/configs/catalogue/catalogue.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reference/configs/understood_config.hpp"
#include "reference/schemes/encoding_of.hpp"
#include "reference/schemes/rope.hpp"
#include "reference/schemes/scheme_registry.hpp"

namespace vernier {
namespace {

using ::testing::ContainsRegex;
using ::testing::IsEmpty;
using ::testing::Not;

TEST(Catalogue, IsSortedByUniqueIds) {
  const auto models = catalogue();
  const auto unordered =
      std::ranges::adjacent_find(models, [](const auto& a, const auto& b) { return a.id >= b.id; });
  EXPECT_EQ(unordered, models.end()) << unordered->id;
  for (const auto& model : models) {
    EXPECT_TRUE(std::ranges::all_of(model.id, [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '.';
    })) << model.id;
    EXPECT_EQ(model_named(model.id), &model);
  }
  EXPECT_EQ(model_named("llama"), nullptr);
  EXPECT_EQ(model_named(""), nullptr);
}

/// Every spec is one that Vernier reads, and what is known of layers is a spec or a reason why there is none.
TEST(Catalogue, EverySpecIsRead) {
  for (const auto& model : catalogue()) {
    EXPECT_TRUE(!model.layer_specs.empty() || !model.unspecified.empty()) << model.id;
    for (const auto& layer_spec : model.layer_specs) {
      EXPECT_NO_THROW(model.encoding(layer_spec)) << model.id << ", " << layer_spec.layers;
      EXPECT_EQ(std::ranges::count(model.layer_specs, layer_spec.layers, &LayerSpec::layers), 1)
          << model.id << ", " << layer_spec.layers;
      EXPECT_TRUE(layer_spec.layers != "all" || model.layer_specs.size() == 1) << model.id;
    }
  }
}

/// A verified model names the file that was read, in the state in which it was read.
TEST(Catalogue, EveryModelTellsItsSource) {
  for (const auto& model : catalogue()) {
    EXPECT_THAT(model.name, Not(IsEmpty())) << model.id;
    EXPECT_THAT(model.source, Not(IsEmpty())) << model.id;
    if (model.verified) {
      EXPECT_THAT(model.source, ContainsRegex("^[^/: ]+/[^/: ]+:[^ ]+@[0-9a-f]{10}$")) << model.id;
    }
  }
}

TEST(Catalogue, HoldsAHundredModelsWithRope) {
  const auto has_rope = [](const CatalogueModel& model) {
    return std::ranges::any_of(model.layer_specs, [&](const LayerSpec& layer_spec) {
      return model.encoding(layer_spec)->scheme() == "rope";
    });
  };
  EXPECT_GE(std::ranges::count_if(catalogue(), has_rope), 200);
  EXPECT_GE(std::ranges::count_if(catalogue(),
                                  [&](const auto& model) { return model.verified && has_rope(model); }),
            100);
}

TEST(Catalogue, HoldsSixtyModelsOfSeveralAxes) {
  EXPECT_GE(std::ranges::count_if(catalogue(),
                                  [](const CatalogueModel& model) {
                                    return !model.layer_specs.empty() &&
                                           model.encoding(model.layer_specs.front())->scheme() ==
                                               "axial_rope";
                                  }),
            60);
}

/// What has no context has a grid: so many positions along each of its axes, and who says so.
TEST(Catalogue, ModelsOfSeveralAxesStateTheirGrids) {
  for (const auto& model : catalogue()) {
    if (model.layer_specs.empty() || model.encoding(model.layer_specs.front())->scheme() != "axial_rope") {
      EXPECT_FALSE(model.grid) << model.id;
      continue;
    }
    ASSERT_TRUE(model.grid) << model.id;
    const auto several = model.encoding(model.layer_specs.front())->all<TurnedTable>(&TurnedTable::axes);
    ASSERT_FALSE(several.empty()) << model.id;
    EXPECT_EQ(model.grid->lengths.size(), several.front().axes->positions.count) << model.id;
    EXPECT_THAT(model.grid->source, Not(IsEmpty())) << model.id;
  }
}

/// The classes' own constants, as configs/ has them, say of a model what the catalogue says.
TEST(Catalogue, AgreesWithTheClassesOfDiffusers) {
  constexpr std::array<std::pair<const char*, const char*>, 14> classes{
      {{"flux.1-dev", "FluxTransformer2DModel"},
       {"flux.2-dev", "Flux2Transformer2DModel"},
       {"qwen-image", "QwenImageTransformer2DModel"},
       {"fibo", "BriaFiboTransformer2DModel"},
       {"hunyuanvideo", "HunyuanVideoTransformer3DModel"},
       {"hunyuanimage-2.1", "HunyuanImageTransformer2DModel"},
       {"lumina-image-2.0", "Lumina2Transformer2DModel"},
       {"lumina-next-sft", "LuminaNextDiT2DModel"},
       {"z-image", "ZImageTransformer2DModel"},
       {"kandinsky-5.0-t2v-lite", "Kandinsky5Transformer3DModel"},
       {"wan2.1-t2v-14b", "WanTransformer3DModel"},
       {"sana-video-2b-480p", "SanaVideoTransformer3DModel"},
       {"cosmos-1.0-diffusion-7b-text2world", "CosmosTransformer3DModel"},
       {"allegro", "AllegroTransformer3DModel"}}};
  for (const auto& [id, name] : classes) {
    const auto* model = model_named(id);
    ASSERT_NE(model, nullptr) << id;
    const auto config = understand_config(
        JsonValue(JsonValue::Object{{"_class_name", JsonValue(std::string(name))}}), "config.json");
    EXPECT_EQ(model->encoding(model->layer_specs.front())->spec(),
              parse_spec(ObjectReader(config.groups.front().spec, name, ""))->spec())
        << id;
  }
}

struct KnownModel {
  const char* id;
  const char* layers;
  std::int64_t head_dim;
  std::int64_t rope_theta;
  int rotary_dim;
  std::int64_t positions;
  RopeSpec::Layout layout;
};

/// Typed by hand, from litgpt's table and the models' own code, apart from the files the catalogue was made
/// from.
TEST(Catalogue, KnowsWellKnownModels) {
  constexpr auto half = RopeSpec::Layout::half;
  constexpr auto interleaved = RopeSpec::Layout::interleaved;
  constexpr std::array known{
      KnownModel{"llama-2-7b-hf", "all", 128, 10000, 128, 4096, half},
      KnownModel{"llama-3-8b", "all", 128, 500000, 128, 8192, half},
      KnownModel{"llama-3.1-8b", "all", 128, 500000, 128, 131072, half},
      KnownModel{"llama-3.2-1b", "all", 64, 500000, 64, 131072, half},
      KnownModel{"codellama-7b-hf", "all", 128, 1000000, 128, 16384, half},
      KnownModel{"mistral-7b-v0.1", "all", 128, 10000, 128, 32768, half},
      KnownModel{"mixtral-8x22b-v0.1", "all", 128, 1000000, 128, 65536, half},
      KnownModel{"qwen2.5-0.5b", "all", 64, 1000000, 64, 32768, half},
      KnownModel{"qwen3-0.6b", "all", 128, 1000000, 128, 40960, half},
      KnownModel{"gemma-2-9b", "all", 256, 10000, 256, 8192, half},
      KnownModel{"gemma-3-1b", "full_attention", 256, 1000000, 256, 32768, half},
      KnownModel{"gemma-3-27b-it", "sliding_attention", 128, 10000, 128, 131072, half},
      KnownModel{"phi-2", "all", 80, 10000, 32, 2048, half},
      KnownModel{"phi-3-mini-128k-instruct", "all", 96, 10000, 96, 131072, half},
      KnownModel{"phi-4-mini-instruct", "all", 128, 10000, 96, 131072, half},
      KnownModel{"deepseek-v3", "all", 64, 10000, 64, 163840, interleaved},
      KnownModel{"gpt-oss-20b", "all", 64, 150000, 64, 131072, half},
      KnownModel{"gpt-j-6b", "all", 256, 10000, 64, 2048, interleaved},
      KnownModel{"gpt-neox-20b", "all", 96, 10000, 24, 2048, half},
      KnownModel{"modernbert-base", "full_attention", 64, 160000, 64, 8192, half},
      KnownModel{"modernbert-base", "sliding_attention", 64, 10000, 64, 8192, half},
  };
  for (const auto& [id, layers, head_dim, rope_theta, rotary_dim, positions, layout] : known) {
    const auto* model = model_named(id);
    ASSERT_NE(model, nullptr) << id;
    const auto layer_spec = std::ranges::find(model->layer_specs, layers, &LayerSpec::layers);
    ASSERT_NE(layer_spec, model->layer_specs.end()) << id << ", " << layers;
    const auto encoding = model->encoding(*layer_spec);
    const auto* rope = dynamic_cast<const RopeEncoding*>(encoding.get());
    ASSERT_NE(rope, nullptr) << id;
    const auto& parameters = rope->parameters();
    EXPECT_EQ(parameters.head_dim, head_dim) << id;
    EXPECT_EQ(parameters.rope_theta, rope_theta) << id;
    EXPECT_EQ(parameters.rotary_dim(), rotary_dim) << id;
    EXPECT_EQ(parameters.max_position_embeddings, positions) << id;
    EXPECT_EQ(parameters.layout, layout) << id;
  }
}

}  // namespace
}  // namespace vernier
