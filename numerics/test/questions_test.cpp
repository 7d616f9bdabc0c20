// What is asked, and rows cut out of it.

#include "numerics/asking/questions.hpp"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "numerics/processes/rows.hpp"
#include "numerics/searches/near_midpoints.hpp"
#include "reference/support/input_error.hpp"
#include "reference/test/parsed.hpp"

namespace vernier {
namespace {

using ::testing::Contains;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::Ge;
using ::testing::HasSubstr;
using ::testing::Le;
using ::testing::SizeIs;

std::vector<std::int64_t> positions_of(const Request& request) {
  std::vector<std::int64_t> result;
  for (std::size_t i = 0; i < request.positions.elements(); ++i) {
    result.push_back(*request.positions.integer(i));
  }
  return result;
}

constexpr std::string_view asked_rope =
    R"({"scheme": "rope", "head_dim": 8, "max_position_embeddings": 9000})";

TEST(SampledRows, AreAllWhereTheyAreFew) {
  EXPECT_THAT(sampled_rows({0, 1, 3}, {.most = 6144}, 1), ElementsAre(0, 1, 2));
  EXPECT_THAT(sampled_rows({5, 1, 1}, {.most = 16}, 1), ElementsAre(0));
}

TEST(SampledRows, LeaveNoWideGapsAndCannotBeLearned) {
  const PositionRange range{0, 1, 131072};
  for (const std::int64_t run : {1, 16}) {
    const auto rows = sampled_rows(range, {.most = 8192, .run = run}, 7);
    EXPECT_TRUE(std::ranges::is_sorted(rows));
    EXPECT_EQ(std::ranges::adjacent_find(rows), rows.end());
    EXPECT_THAT(rows, Each(Ge(0)));
    EXPECT_THAT(rows, Each(Le(131071)));
    EXPECT_LE(rows.size(), 8192U);
    EXPECT_GT(rows.size(), 6144U);
    EXPECT_THAT(rows, ::testing::IsSupersetOf({0, 100, 2047, 65535, 65536, 65537, 131070, 131071}));
    // Two strata at most, less what is asked in each.
    const auto strata = static_cast<std::uint64_t>((8192 - 2048 - 1024 - 60) / run);
    EXPECT_LE(coverage_of(rows, 131072).largest_gap, 2 * (131072 / strata));
    EXPECT_EQ(sampled_rows(range, {.most = 8192, .run = run}, 7), rows);
    const auto others = sampled_rows(range, {.most = 8192, .run = run}, 8);
    std::vector<std::int64_t> both;
    std::ranges::set_intersection(rows, others, std::back_inserter(both));
    EXPECT_LT(both.size(), rows.size() / 2) << "beyond the start, hardly one is the same";
  }
}

TEST(SampledRows, AreAtMostAsManyAsMayBeAsked) {
  for (const std::size_t most : {16U, 17U, 64U, 1000U}) {
    EXPECT_LE(sampled_rows({-5, 3, 1 << 20}, {.most = most}, 1).size(), most);
  }
}

TEST(SampledRows, MeetHardPositionsOfTheRange) {
  const std::vector<std::int64_t> hard{70003, 90001, 7, -4, 300000, 80003};
  EXPECT_THAT(sampled_rows({1, 2, 100000}, {.most = 300}, 3, hard),
              ::testing::IsSupersetOf({(70003 - 1) / 2, (90001 - 1) / 2, (7 - 1) / 2, (80003 - 1) / 2}));
  for (const std::size_t most : {16U, 17U, 64U, 1000U}) {
    EXPECT_LE(sampled_rows({-5, 3, 1 << 20}, {.most = most}, 1, hard).size(), most);
  }
}

/// 355 radians are 226 quarter turns but for 3e-5, 51819 are nearer still.
TEST(Questions, ASampleMeetsPhasesThatAreHardToReduce) {
  const auto encoding = parsed(R"({"scheme": "rope", "head_dim": 2, "max_position_embeddings": 60000})");
  for (const auto& question : questions_of(*encoding, {.quick = true})) {
    EXPECT_THAT(positions_of(question.ways.front()), ::testing::IsSupersetOf({355, 51819}));
  }
}

TEST(Questions, ASampleMeetsElementsThatAreHardToRound) {
  const auto encoding = parsed(R"({"scheme": "rope", "head_dim": 2, "max_position_embeddings": 60000})");
  for (const auto type : {ElementType::bfloat16, ElementType::float64}) {
    const auto hard = near_midpoints(tables_of_sines(*encoding).front(), {1, 1, 59999}, *traits(type).format);
    ASSERT_THAT(hard, SizeIs(2));
    for (const auto& question : questions_of(*encoding, {.type = type, .quick = true})) {
      EXPECT_THAT(positions_of(question.ways.front()),
                  ::testing::IsSupersetOf({hard[0].position, hard[1].position}));
    }
  }
}

/// The least position of a range may be its last, and those of both signs are hard.
TEST(Questions, ASampleMeetsThemWhereverTheRangeGoes) {
  const auto encoding = parsed(R"({"scheme": "rope", "head_dim": 2})");
  const auto asked = [&](const PositionRange& range) {
    return positions_of(questions_of(*encoding, {.positions = range, .quick = true}).front().ways.front());
  };
  EXPECT_THAT(asked({60000, -1, 60001}), ::testing::IsSupersetOf({355, 51819, 52174}));
  EXPECT_THAT(asked({-60000, 1, 60001}), ::testing::IsSupersetOf({-355, -51819, -52174}));
}

TEST(SampledRows, LieInThreeRunsForWhomEachRunIsCostly) {
  const auto rows = sampled_rows({0, 1, 100000}, {.most = 300, .in_few_runs = true}, 3);
  EXPECT_LE(rows.size(), 300U);
  std::size_t runs = 1;
  for (std::size_t i = 1; i < rows.size(); ++i) {
    runs += rows[i] == rows[i - 1] + 1 ? 0 : 1;
  }
  EXPECT_LE(runs, 3U);
  EXPECT_EQ(rows.front(), 0);
  EXPECT_EQ(rows.back(), 99999);
}

TEST(SampledRows, OfARangeAreCountedWithTheirGaps) {
  const std::vector<std::int64_t> rows{2, 3, 7};
  const auto coverage = coverage_of(rows, 12);
  EXPECT_EQ(coverage.asked, 3U);
  EXPECT_EQ(coverage.of, 12U);
  EXPECT_EQ(coverage.largest_gap, 4U) << "8 to 11";
}

TEST(Questions, OfRopeAreTablesInTwoWidthsAndRotatedVectors) {
  const auto questions = questions_of(*parsed(asked_rope), {.type = ElementType::bfloat16});
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
  EXPECT_EQ(rotation.input->shape(), (Shape{rows_of(rotation), 8}));
  EXPECT_EQ(rotation.input->type(), ElementType::bfloat16);
  EXPECT_EQ(rows, 9000U) << "every position";
  EXPECT_EQ(questions[0].coverage().largest_gap, 0U);
  EXPECT_LE(rows_of(rotation), 8192U);
  EXPECT_EQ(positions_of(rotation).back(), 8999);
}

TEST(Questions, OfGradientsAreAskedOfWhoeverOffersThem) {
  for (const auto& options :
       {QuestionOptions{.gradients = true}, QuestionOptions{.roles = {"input_gradient"}}}) {
    const auto questions = questions_of(*parsed(asked_rope), options);
    const auto& request = questions.back().ways[0];
    EXPECT_EQ(request.wanted[0].role, "input_gradient");
    ASSERT_TRUE(request.input);
    EXPECT_EQ(request.input->shape(), request.wanted[0].shape);
  }
}

TEST(Questions, AreAboutASampleWhereAQuickLookIsWanted) {
  const auto questions = questions_of(*parsed(asked_rope), {.quick = true});
  EXPECT_LE(rows_of(questions[0].ways[0]), 6144U);
  EXPECT_EQ(questions[0].coverage().of, 9000U);
}

TEST(Questions, AboutLessAreThereForWhomTheWholeIsTooMuch) {
  const auto encoding = parsed(asked_rope);
  const auto questions = questions_of(*encoding, {});
  ASSERT_EQ(questions[0].smaller.size(), 2U);
  const auto few = questions[0].smaller[0]();
  EXPECT_LE(rows_of(few.ways[0]), 6144U);
  EXPECT_EQ(few.ways.size(), questions[0].ways.size());
  EXPECT_EQ(positions_of(few.ways[0]).back(), 8999);
}

TEST(Questions, OfTablesBeyondAGibibyteAreAboutBlocks) {
  const auto encoding = parsed(R"({"scheme": "rope", "head_dim": 256, "max_position_embeddings": 10485760})");
  const auto question = questions_of(*encoding, {.roles = {"cos", "sin"}}).front();
  EXPECT_LE(rows_of(question.ways[0]) * 256 * 4, std::size_t{1} << 28);
  EXPECT_LT(question.coverage().largest_gap, 2000U);
  EXPECT_EQ(question.coverage().of, 10485760U);
}

TEST(Questions, OfEncodingsThatDependOnTheLengthStopAtIt) {
  const auto encoding = parsed(
      R"({"scheme": "rope", "head_dim": 8, "max_position_embeddings": 64, "sequence_length": 200,
          "rope_scaling": {"rope_type": "dynamic", "factor": 2}})");
  EXPECT_EQ(positions_of(questions_of(*encoding, {}).front().ways[0]).back(), 199);
  EXPECT_THROW(questions_of(*encoding, {.positions = PositionRange{0, 1, 201}}), InputError);
}

TEST(Questions, ByHandAreAllAboutTheSamePositions) {
  const auto questions = questions_of(*parsed(asked_rope), {.by_hand = true});
  EXPECT_EQ(positions_of(questions[0].ways[0]), positions_of(questions[1].ways[0]));
  const auto wide = parsed(R"({"scheme": "rope", "head_dim": 4096})");
  const auto request = questions_of(*wide, {.roles = {"cos"}, .by_hand = true}).front().ways.front();
  EXPECT_LE(rows_of(request) * 4096 * 4, std::size_t{1} << 28) << "what a file may hold";
}

TEST(Questions, RotateVectorsOfEveryKind) {
  const auto questions = questions_of(*parsed(asked_rope), {.type = ElementType::float32});
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
    return questions_of(*parsed(spec), {}).front().ways.front();
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
      questions_of(*parsed(R"({"scheme": "alibi", "num_heads": 4, "bias": "key_position"})"), {});
  ASSERT_EQ(alibi.size(), 2U);
  EXPECT_EQ(alibi[0].ways[0].wanted[0].shape, (Shape{4}));
  EXPECT_EQ(alibi[1].ways[0].wanted[0].shape, (Shape{4, rows_of(alibi[1].ways[0])}));
}

TEST(Questions, GiveTokensOfSeveralPositionsDifferentOnes) {
  const auto encoding = parsed(
      R"({"scheme": "rope", "head_dim": 8, "rope_scaling": {"rope_type": "default", "mrope_section": [1, 1, 2]}})");
  const auto request = questions_of(*encoding, {}).front().ways.front();
  ASSERT_EQ(request.positions.shape().size(), 2U);
  EXPECT_EQ(request.positions.shape()[0], 3U);
  EXPECT_EQ(position_text_of_row(request, 7), "7, 7, 7");
  const auto last = position_text_of_row(request, rows_of(request) - 1);
  EXPECT_NE(last.substr(0, last.find(',')), last.substr(last.rfind(' ') + 1));
}

TEST(Questions, OfWideEncodingsAreAboutFewRows) {
  const auto request =
      questions_of(*parsed(R"({"scheme": "sinusoidal", "d_model": 65536})"), {}).front().ways.front();
  EXPECT_LE(request.wanted[0].shape[0] * 65536 * 4, std::size_t{1} << 28);
  EXPECT_LT(request.wanted[0].shape[0], 131072U);
}

TEST(Questions, AreAboutTheRolesAndPositionsGiven) {
  const auto encoding = parsed(asked_rope);
  const auto questions = questions_of(*encoding, {.positions = PositionRange{-3, 1, 5}, .roles = {"sin"}});
  ASSERT_EQ(questions.size(), 1U);
  EXPECT_THAT(positions_of(questions[0].ways[0]), ElementsAre(-3, -2, -1, 0, 1));
  EXPECT_EQ(questions[0].ways[0].wanted.size(), 1U);
  EXPECT_EQ(refusal_of([&] { questions_of(*encoding, {.roles = {"bias"}}); }),
            "--roles: found \"bias\", expected cos, sin, rotated or input_gradient");
  const auto many = questions_of(*encoding, {.positions = PositionRange{0, 1, std::int64_t{1} << 30}});
  EXPECT_LT(rows_of(many[0].ways[0]), std::size_t{1} << 24);
  EXPECT_THROW(questions_of(*parsed(R"({"scheme": "learned", "values": [[1], [2]]})"),
                            {.positions = PositionRange{0, 1, 3}}),
               InputError);
}

TEST(Questions, CanBeMergedIntoOne) {
  const auto questions = questions_of(*parsed(asked_rope), {.by_hand = true});
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
  const auto questions = questions_of(*parsed(asked_rope), {});
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
