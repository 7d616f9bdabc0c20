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

}  // namespace
}  // namespace vernier
