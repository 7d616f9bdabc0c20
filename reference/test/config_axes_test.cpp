// Rotations and tables along several axes: drawn configurations against the formulas of published code.

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <numbers>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reference/configs/understood_config.hpp"
#include "reference/numbers/real.hpp"
#include "reference/schemes/encoding_of.hpp"
#include "reference/schemes/scheme_registry.hpp"
#include "reference/test/published_families.hpp"
#include "reference/test/refusal.hpp"

namespace vernier {
namespace {

using ::testing::HasSubstr;

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
        config_[family_.at("listed").get<std::string>()] = dims_;
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
      config_[family_.at("theta_key").get<std::string>()] = base_ = between(100, 100000);
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
    const auto tables = encoding->all<TurnedTable>(&TurnedTable::axes);
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
    ASSERT_TRUE(encoding->axes() != nullptr) << encoding->summary();
    const auto table = encoding->all<TurnedTable>(&TurnedTable::axes).front();
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
    for (const auto& table : encoding_->all<TurnedTable>(&TurnedTable::axes)) {
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

/// Encoders of images and of sound whose rule the code alone has.
TEST(AxialConfigs, OfEncodersGiveTheRuleOfTheirCode) {
  const auto spec_of = [](const std::string& config) {
    const auto spec = declared_spec(parse_json(config, "config.json"), "", "config.json").spec;
    return parse_spec(ObjectReader(spec, "config.json", ""))->spec();
  };
  const auto expected = [](const char* spec) { return parse_spec(spec, "spec")->spec(); };
  EXPECT_EQ(
      spec_of(
          R"({"model_type": "dinov3_vit", "hidden_size": 64, "num_attention_heads": 4, "image_size": 112})"),
      expected(
          R"({"scheme": "axial_rope", "head_dim": 16, "rope_theta": 100, "layout": "half", "frequency_scale":
              "2pi", "grid": [7], "axes": [{"dims": 8, "position_scale": "2/7", "position_offset": "-6/7"},
                                           {"dims": 8, "position_scale": "2/7", "position_offset": "-6/7"}]})"));
  EXPECT_EQ(spec_of(R"({"model_type": "vjepa2"})"),
            expected(R"({"scheme": "axial_rope", "head_dim": 64, "rope_theta": 10000, "layout": "interleaved",
              "table_layout": "half_per_axis", "axes": [{"dims": 20}, {"dims": 20}, {"dims": 20}]})"));
  EXPECT_EQ(
      spec_of(
          R"({"model_type": "gemma4_vision", "rope_parameters": {"rope_theta": 50, "rope_type": "default"}})"),
      expected(R"({"scheme": "axial_rope", "head_dim": 64, "rope_theta": 50, "layout": "half_per_axis",
              "axes": [{"dims": 32}, {"dims": 32}]})"));
  EXPECT_EQ(
      spec_of(R"({"model_type": "parakeet_encoder", "hidden_size": 32})"),
      expected(R"({"scheme": "sinusoidal", "d_model": 32, "layout": "interleaved", "frequency": "paper"})"));
}

}  // namespace
}  // namespace vernier
