// Position ids as the projects' code made them, token by token, and what is refused.

#include <algorithm>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include <fmt/core.h>
#include <gmock/gmock.h>

#include "reference/test/parsed.hpp"
#include "reference/test/seed.hpp"

namespace vernier {
namespace {

using ::testing::ElementsAre;
using ::testing::StrEq;

using Token = std::vector<std::int64_t>;

std::unique_ptr<Encoding> parsed_position_ids(const std::string& keys) {
  return parsed(R"({"scheme": "position_ids", )" + keys + "}");
}

std::vector<Token> ids(const std::string& keys) {
  const auto table = parsed_position_ids(keys)->all<ExactTable>().at(0);
  std::vector<Token> result;
  for (std::int64_t row = 0; row <= *table.last_position; ++row) {
    auto& token = result.emplace_back();
    for (std::size_t axis = 0; axis < table.columns; ++axis) {
      token.push_back(*as_integer(table.factor(row, axis)));
    }
  }
  return result;
}

TEST(PositionIds, OfTextAndImagesGoOnBehindTheGreatest) {
  EXPECT_THAT(ids(R"("rule": "qwen2_vl", "segments": [{"text": 2}, {"image": [1, 2, 6]}, {"text": 1}])"),
              ElementsAre(Token{0, 0, 0}, Token{1, 1, 1}, Token{2, 2, 2}, Token{2, 2, 3}, Token{2, 2, 4},
                          Token{5, 5, 5}));
}

/// transformers, get_rope_index of qwen2_5_vl before #43972 makes 0, 2, 4 of 1.5 seconds at 2 tokens a
/// second.
TEST(PositionIds, OfFramesFollowTheirTime) {
  const auto times = [](const std::string& keys) {
    std::vector<std::int64_t> result;
    for (const auto& token : ids(R"("rule": "qwen2_5_vl", "segments": [{"video": [3, 2, 2], )" + keys)) {
      result.push_back(token[0]);
    }
    return result;
  };
  const std::string seconds = R"("seconds_per_grid": 1.5}, {"text": 1}], "tokens_per_second": 2)";
  EXPECT_THAT(times(seconds), ElementsAre(0, 3, 6, 7));
  EXPECT_THAT(times(seconds + R"(, "temporal_rounding": "interval")"), ElementsAre(0, 2, 4, 5));
  EXPECT_THAT(times(seconds + R"(, "next_start": "after_grid")"), ElementsAre(0, 3, 6, 1));
  EXPECT_THAT(times(seconds + R"(, "next_start": "at_greatest")"), ElementsAre(0, 3, 6, 6));
  const std::string third = R"("seconds_per_grid": "1/3"}], "tokens_per_second": 5)";
  EXPECT_THAT(times(third), ElementsAre(0, 1, 3));
  EXPECT_THAT(times(third + R"(, "temporal_rounding": "nearest")"), ElementsAre(0, 2, 3));
}

/// transformers #45381: what qwen2_5_vl makes of an image and a video in 5.3.
TEST(PositionIds, OfFramesAtOnceAreThoseOfTransformers53) {
  EXPECT_THAT(ids(R"("rule": "qwen2_5_vl", "segments": [{"text": 1}, {"video": [2, 4, 2]}, {"text": 1}],
                     "tokens_per_second": 3, "frames": "at_once", "next_start": "after_grid")"),
              ElementsAre(Token{0, 0, 0}, Token{3, 1, 1}, Token{3, 1, 1}, Token{3, 2, 1}, Token{3, 2, 1},
                          Token{3, 3, 3}));
}

TEST(PositionIds, OfErniesVideosMergeFrames) {
  const auto merged =
      ids(R"("rule": "ernie4_5_vl", "segments": [{"video": [4, 2, 2]}, {"image": [1, 2, 2]}])");
  EXPECT_THAT(merged, ElementsAre(Token{0, 0, 0}, Token{1, 0, 0}, Token{2, 2, 2}));
}

TEST(PositionIds, OfFluxKeepTextAtZeroAndNumberTheReference) {
  EXPECT_THAT(ids(R"("rule": "flux", "segments": [{"text": 1}, {"image": [1, 1, 2]}, {"image": [1, 2, 1]}])"),
              ElementsAre(Token{0, 0, 0}, Token{0, 0, 0}, Token{0, 0, 1}, Token{1, 0, 0}, Token{1, 1, 0}));
  EXPECT_THAT(
      ids(R"("rule": "flux2", "segments": [{"text": 2}, {"image": [1, 1, 2]}, {"image": [1, 2, 1]}])"),
      ElementsAre(Token{0, 0, 0, 0}, Token{0, 0, 0, 1}, Token{0, 0, 0, 0}, Token{0, 0, 1, 0},
                  Token{10, 0, 0, 0}, Token{10, 1, 0, 0}));
}

TEST(PositionIds, OfQwenImageCountFromTheMiddle) {
  const std::string image = R"("rule": "qwen_image", "segments": [{"image": [1, 1, 3]}, {"text": 2}])";
  EXPECT_THAT(ids(image), ElementsAre(Token{0, -1, -2}, Token{0, -1, -1}, Token{0, -1, 0}, Token{1, 1, 1},
                                      Token{2, 2, 2}));
  EXPECT_THAT(ids(image + R"(, "centre": "rounded_down")").at(0), ElementsAre(0, 0, -1));
  EXPECT_THAT(ids(image + R"(, "centre": "none")").at(3), ElementsAre(3, 3, 3));
}

TEST(PositionIds, OfZImageFillUpBothPartsTo32) {
  const auto all = ids(R"("rule": "z_image", "segments": [{"text": 5}, {"image": [1, 2, 2]}])");
  ASSERT_EQ(all.size(), 64U);
  EXPECT_THAT(all[31], ElementsAre(32, 0, 0));
  EXPECT_THAT(all[35], ElementsAre(33, 1, 1));
  EXPECT_THAT(all[36], ElementsAre(0, 0, 0));
  EXPECT_EQ(ids(R"("rule": "z_image", "segments": [{"text": 32}, {"image": [1, 1, 31]}])").size(), 64U);
  const auto full = ids(R"("rule": "z_image", "segments": [{"text": 1}, {"image": [1, 4, 8]}])");
  ASSERT_EQ(full.size(), 64U);
  EXPECT_THAT(full[63], ElementsAre(33, 3, 7));
  EXPECT_THAT(ids(R"("rule": "lumina2", "segments": [{"text": 1}, {"image": [1, 1, 2]}])"),
              ElementsAre(Token{0, 0, 0}, Token{1, 0, 0}, Token{1, 0, 1}));
}

/// The positions again, token by token in lists, as the loops of transformers 4 append them.
TEST(PositionIds, EqualThoseOfListsForDrawnSequences) {
  std::mt19937_64 engine(test_seed());
  const auto below = [&](std::int64_t count) {
    return static_cast<std::int64_t>(engine() % static_cast<std::uint64_t>(count));
  };
  for (int draw = 0; draw < 60; ++draw) {
    std::vector<Token> expected;
    std::string segments;
    const auto merge = 1 + below(3);
    for (auto left = 1 + below(5); left > 0; --left) {
      std::int64_t start = 0;
      for (const auto& token : expected) {
        start = std::max(start, 1 + std::ranges::max(token));
      }
      segments += segments.empty() ? "" : ", ";
      if (const auto text = below(2) * (1 + below(6)); text > 0) {
        segments += fmt::format(R"({{"text": {}}})", text);
        for (std::int64_t i = 0; i < text; ++i) {
          expected.push_back({start + i, start + i, start + i});
        }
        continue;
      }
      const auto frames = 1 + below(6);
      const auto rows = 1 + below(4);
      const auto columns = 1 + below(4);
      segments += fmt::format(R"({{"video": [{}, {}, {}]}})", frames, rows * merge, columns * merge);
      for (std::int64_t t = 0; t < frames; ++t) {
        for (std::int64_t h = 0; h < rows; ++h) {
          for (std::int64_t w = 0; w < columns; ++w) {
            expected.push_back({start + t, start + h, start + w});
          }
        }
      }
    }
    const auto spec =
        fmt::format(R"("rule": "qwen2_vl", "spatial_merge_size": {}, "segments": [{}])", merge, segments);
    EXPECT_EQ(ids(spec), expected) << spec;
  }
}

TEST(PositionIds, AreRefusedWhereTheyMeanNothing) {
  const auto expect_refused = [](const std::string& keys, const std::string& sentence) {
    EXPECT_THAT(refusal_of([&] { parsed_position_ids(keys); }), StrEq("case.json: " + sentence)) << keys;
  };
  expect_refused(
      R"("rule": "qwen", "segments": [])",
      "spec.rule: found the string \"qwen\", expected one of qwen2_vl, qwen2_5_vl, qwen2_5_omni, "
      "qwen3_omni, qwen3_vl, glm4v, ernie4_5_vl, flux, flux_stitched, flux_diagonal, flux2, qwen_image, "
      "lumina2, z_image, grid, text, packed, draft_tree");
  expect_refused(R"("rule": "qwen2_vl", "segments": [{"text": 1}, {"image": [1, 4, 5]}])",
                 "spec: segments[1].image: found 5 columns, expected a multiple of spatial_merge_size, 2");
  expect_refused(R"("rule": "ernie4_5_vl", "segments": [{"video": [3, 4, 4]}])",
                 "spec: segments[0].video: found 3 frames, expected a multiple of temporal_merge_size, 2");
  expect_refused(R"("rule": "qwen2_vl", "segments": [{"text": 1}], "frames": "at_once")",
                 "spec.frames: found the string \"at_once\", expected \"in_turn\", unless next_start is "
                 "\"after_grid\"");
  expect_refused(R"("rule": "grid", "segments": [{"image": [1, 0, 5]}])",
                 "spec.segments[0].image[1]: found 0, expected an integer from 1 to 65536");
  expect_refused(
      R"("rule": "grid", "segments": [{"image": [4, 5]}])",
      "spec.segments[0].image: found an array, expected three integers from 1 to 65536: frames, rows "
      "and columns of patches");
  expect_refused(R"("rule": "grid", "segments": [{"sound": 4}])",
                 "spec.segments[0]: found none of \"text\", \"image\", \"video\", expected one of them");
  expect_refused(
      R"("rule": "qwen3_vl", "segments": [{"video": [2, 4, 4]}])",
      "spec.segments: found an array, expected text, images and videos of one frame each, as the text "
      "of their times stands between frames for the rule qwen3_vl");
  expect_refused(
      R"("rule": "grid", "segments": [{"video": [1000, 1000, 1000]}])",
      "spec.segments: found an array, expected an array of segments, as {\"text\": 5} or {\"image\": "
      "[1, 4, 6]}, of at most 1048576 tokens together");
  expect_refused(
      R"("rule": "qwen2_5_vl", "tokens_per_second": 9999, "segments": [{"video": [60000, 2, 2], "seconds_per_grid": 9999}])",
      "spec.segments: found an array, expected positions of at most 2147483648, not 5998700079999");
}

}  // namespace
}  // namespace vernier
