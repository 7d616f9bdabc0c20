// Configurations drawn of families whose code is published, against formulas that are held here apart: what
// their classes do stands in published_families.json.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reference/numbers/real.hpp"
#include "reference/schemes/encoding_of.hpp"
#include "reference/schemes/rope.hpp"
#include "reference/schemes/scheme_registry.hpp"
#include "reference/test/drawn_families.hpp"
#include "reference/test/refusal.hpp"

namespace vernier {
namespace {

using ::testing::HasSubstr;

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
    const std::vector<std::pair<std::string, OrderedJson>> strange{{"rope_layer_share", {0.5, 1}},
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
      drawn.config[path]["rope_type"] = "wavelet";
      EXPECT_THAT(refusal_of([&] { understood(drawn.config); }),
                  HasSubstr(drawn.scaling + ".rope_type: found the string \"wavelet\""));
    }
  }
}

/// A class that nobody knows, whose scaling is that of transformers' modeling_rope_utils.py: the frequencies
/// that it holds in float32 differ by at most one unit in the last place.
TEST(AsWritten, HasTheFrequenciesOfTransformers) {
  const auto& family = published("as_written");
  for (int draw = 0; draw < 400 && !HasFailure(); ++draw) {
    auto drawn = FamilyDraw("nova", family, seed_of("nova", draw)).drawn();
    if (!drawn.config.contains("rope_scaling") && !drawn.config.contains("rope_parameters")) {
      drawn.config["rope_parameters"] = {{"rope_type", "default"}};
    }
    SCOPED_TRACE(drawn.config.dump(2));
    const auto config = understood(drawn.config);
    EXPECT_EQ(config.as_written, "as written: the code of model_type \"nova\" is not known to Vernier");
    EXPECT_THAT(config.assumed, ::testing::Contains(HasSubstr("layout: half")));
    const auto& expected = drawn.layers.front();
    const auto* spec = spec_of_layer(config, 0);
    ASSERT_NE(spec, nullptr);
    expect_turns(*spec, expected);
    const auto encoding = parse_spec(ObjectReader(*spec, "spec", ""));
    const auto frequencies = dynamic_cast<const RopeEncoding&>(*encoding).parameters().frequencies();
    for (std::size_t pair = 0; pair < expected.frequencies.size(); ++pair) {
      const auto w = static_cast<float>(expected.frequencies[pair]);
      const auto found = static_cast<float>(frequencies.approximate(static_cast<int>(pair)));
      EXPECT_TRUE(std::nextafter(w, 0.0F) <= found && found <= std::nextafter(w, 1e9F)) << "pair " << pair;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Configs, PublishedFamily, ::testing::ValuesIn(keys_of(published_families())),
                         [](const auto& instance) { return instance.param; });

}  // namespace
}  // namespace vernier
