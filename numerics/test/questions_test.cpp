// What is asked, and rows cut out of it.

#include "numerics/live/questions.hpp"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "numerics/live/rows.hpp"
#include "reference/input_error.hpp"
#include "reference/scheme_registry.hpp"

namespace vernier {
namespace {

using ::testing::Contains;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::Ge;
using ::testing::HasSubstr;
using ::testing::Le;

std::unique_ptr<Encoding> encoding_of(std::string_view spec) {
  return parse_spec(ObjectReader(parse_json(spec, "spec"), "spec", ""));
}

std::vector<std::int64_t> positions_of(const Request& request) {
  std::vector<std::int64_t> result;
  for (std::size_t i = 0; i < request.positions.elements(); ++i) {
    result.push_back(*request.positions.integer(i));
  }
  return result;
}

constexpr std::string_view rope = R"({"scheme": "rope", "head_dim": 8, "max_position_embeddings": 9000})";

TEST(ProbingPositions, AreDenseAtTheStartAndReachTheEnd) {
  const auto positions = probing_positions(0, 131071, 6144, 1);
  EXPECT_TRUE(std::ranges::is_sorted(positions));
  EXPECT_EQ(std::ranges::adjacent_find(positions), positions.end());
  EXPECT_THAT(positions, Each(Ge(0)));
  EXPECT_THAT(positions, Each(Le(131071)));
  for (std::int64_t p = 0; p < 4096; ++p) {
    ASSERT_EQ(positions[static_cast<std::size_t>(p)], p);
  }
  for (const std::int64_t p : {8191, 8192, 8193, 65535, 65536, 65537, 131071}) {
    EXPECT_THAT(positions, Contains(p));
  }
  EXPECT_GT(std::ranges::count_if(positions, [](auto p) { return p > 65537 && p < 131000; }), 50);
  EXPECT_LE(positions.size(), 6144U);
  EXPECT_EQ(probing_positions(0, 131071, 6144, 1), positions);
  EXPECT_NE(probing_positions(0, 131071, 6144, 2), positions);
}

TEST(ProbingPositions, FitSmallRanges) {
  EXPECT_THAT(probing_positions(0, 2, 6144, 1), ElementsAre(0, 1, 2));
  EXPECT_THAT(probing_positions(5, 5, 16, 1), ElementsAre(5));
  EXPECT_LE(probing_positions(0, 131071, 16, 1).size(), 16U);
}

TEST(Questions, OfRopeAreTablesInTwoWidthsAndRotatedVectors) {
  const auto questions = questions_of(*encoding_of(rope), {.type = ElementType::bfloat16});
  ASSERT_EQ(questions.size(), 2U);
  ASSERT_EQ(questions[0].ways.size(), 2U);
  const auto& tables = questions[0].ways[0];
  const auto rows = rows_of(tables);
  EXPECT_EQ(positions_of(tables).back(), 8999);
  ASSERT_EQ(tables.wanted.size(), 2U);
  EXPECT_EQ(tables.wanted[0].role, "cos");
  EXPECT_EQ(tables.wanted[1].role, "sin");
  EXPECT_EQ(tables.wanted[1].type, ElementType::bfloat16);
  EXPECT_EQ(tables.wanted[1].shape, (Shape{rows, 4}));
  EXPECT_EQ(questions[0].ways[1].wanted[0].shape, (Shape{rows, 8}));
  EXPECT_FALSE(tables.input);
  const auto& rotation = questions[1].ways[0];
  EXPECT_EQ(rotation.wanted[0].role, "rotated");
  ASSERT_TRUE(rotation.input);
  EXPECT_EQ(rotation.input->shape(), (Shape{rows, 8}));
  EXPECT_EQ(rotation.input->type(), ElementType::bfloat16);
  EXPECT_EQ(positions_of(rotation), positions_of(tables));
}

TEST(Questions, RotateVectorsOfEveryKind) {
  const auto questions = questions_of(*encoding_of(rope), {.type = ElementType::float32});
  const auto& input = *questions[1].ways[0].input;
  std::size_t zeros = 0;
  std::size_t full = 0;
  for (std::size_t i = 0; i < input.elements(); ++i) {
    const auto value = input.number(i);
    ASSERT_LT(std::abs(value), 4);
    zeros += value == 0 ? 1 : 0;
    full += is_member(Format::binary16, value) ? 0 : 1;
  }
  EXPECT_GT(zeros, input.elements() / 32);
  EXPECT_GT(full, input.elements() / 2);
}

TEST(Questions, OfOtherSchemes) {
  const auto first = [](std::string_view spec) {
    return questions_of(*encoding_of(spec), {}).front().ways.front();
  };
  const auto sinusoidal = first(R"({"scheme": "sinusoidal", "d_model": 6, "first_position": 2})");
  EXPECT_EQ(sinusoidal.wanted[0].role, "encoding");
  EXPECT_EQ(positions_of(sinusoidal).front(), 2);
  EXPECT_EQ(positions_of(sinusoidal).back(), 131071);
  const auto buckets = first(R"({"scheme": "t5_bucket"})");
  EXPECT_EQ(buckets.wanted[0].type, ElementType::int64);
  EXPECT_EQ(positions_of(buckets).front(), -131071);
  EXPECT_THAT(positions_of(buckets), Contains(0));
  const auto learned = first(R"({"scheme": "learned", "values": [[1, 2], [3, 4], [5, 6]]})");
  EXPECT_THAT(positions_of(learned), ElementsAre(0, 1, 2));
  const auto alibi =
      questions_of(*encoding_of(R"({"scheme": "alibi", "num_heads": 4, "bias": "key_position"})"), {});
  ASSERT_EQ(alibi.size(), 2U);
  EXPECT_EQ(alibi[0].ways[0].wanted[0].shape, (Shape{4}));
  EXPECT_EQ(alibi[1].ways[0].wanted[0].shape, (Shape{4, rows_of(alibi[1].ways[0])}));
}

TEST(Questions, GiveTokensOfSeveralPositionsDifferentOnes) {
  const auto encoding = encoding_of(
      R"({"scheme": "rope", "head_dim": 8, "rope_scaling": {"rope_type": "default", "mrope_section": [1, 1, 2]}})");
  const auto request = questions_of(*encoding, {}).front().ways.front();
  ASSERT_EQ(request.positions.shape().size(), 2U);
  EXPECT_EQ(request.positions.shape()[0], 3U);
  EXPECT_EQ(position_text(request, 7), "7, 7, 7");
  const auto last = position_text(request, rows_of(request) - 1);
  EXPECT_NE(last.substr(0, last.find(',')), last.substr(last.rfind(' ') + 1));
}

TEST(Questions, OfWideEncodingsAreAboutFewRows) {
  const auto request =
      questions_of(*encoding_of(R"({"scheme": "sinusoidal", "d_model": 65536})"), {}).front().ways.front();
  EXPECT_LE(request.wanted[0].shape[0], 32U);
}

TEST(Questions, AreAboutTheRolesAndPositionsGiven) {
  const auto encoding = encoding_of(rope);
  const auto questions = questions_of(*encoding, {.positions = PositionRange{-3, 1, 5}, .roles = {"sin"}});
  ASSERT_EQ(questions.size(), 1U);
  EXPECT_THAT(positions_of(questions[0].ways[0]), ElementsAre(-3, -2, -1, 0, 1));
  EXPECT_EQ(questions[0].ways[0].wanted.size(), 1U);
  try {
    questions_of(*encoding, {.roles = {"bias"}});
    ADD_FAILURE();
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "--roles: found \"bias\", expected cos, sin or rotated");
  }
  EXPECT_THROW(questions_of(*encoding, {.positions = PositionRange{0, 1, std::int64_t{1} << 30}}),
               InputError);
  EXPECT_THROW(questions_of(*encoding_of(R"({"scheme": "learned", "values": [[1], [2]]})"),
                            {.positions = PositionRange{0, 1, 3}}),
               InputError);
}

TEST(Questions, CanBeMergedIntoOne) {
  const auto questions = questions_of(*encoding_of(rope), {});
  const auto request = merged({questions[0].ways[0], questions[1].ways[0]});
  ASSERT_EQ(request.wanted.size(), 3U);
  EXPECT_EQ(request.wanted[2].role, "rotated");
  EXPECT_TRUE(request.input);
}

TEST(Rows, AreCutOutOfWhateverDimensionTheyGoAlong) {
  const std::vector<std::int64_t> values{0, 1, 2, 10, 11, 12};
  const auto tensor = integer_tensor({2, 3}, values);
  const std::vector<std::size_t> places{2, 0, 2};
  const auto along_last = with_places(tensor, 1, places);
  EXPECT_EQ(along_last.shape(), (Shape{2, 3}));
  EXPECT_EQ(along_last.integer(0), 2);
  EXPECT_EQ(along_last.integer(1), 0);
  EXPECT_EQ(along_last.integer(3), 12);
  const std::vector<std::size_t> second{1};
  const auto along_first = with_places(tensor, 0, second);
  EXPECT_EQ(along_first.shape(), (Shape{1, 3}));
  EXPECT_EQ(along_first.integer(2), 12);
}

TEST(Rows, AreCutOutOfRequests) {
  const auto questions = questions_of(*encoding_of(rope), {});
  const std::vector<std::size_t> rows{9, 3};
  const auto part = with_rows(questions[1].ways[0], rows);
  EXPECT_THAT(positions_of(part), ElementsAre(9, 3));
  EXPECT_EQ(part.wanted[0].shape, (Shape{2, 8}));
  EXPECT_EQ(part.input->number(0), questions[1].ways[0].input->number(9 * 8));
  const auto elsewhere = at_positions(questions[0].ways[0], std::vector<std::int64_t>{-1});
  EXPECT_EQ(elsewhere.wanted[1].shape, (Shape{1, 4}));
}

}  // namespace
}  // namespace vernier
