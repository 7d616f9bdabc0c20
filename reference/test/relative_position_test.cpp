// Schemes of clipped relative positions, and Transformer-XL's offsets.

#include <algorithm>
#include <string>
#include <vector>

#include <gmock/gmock.h>

#include "reference/test/parsed.hpp"

namespace vernier {
namespace {

using ::testing::ElementsAre;
using ::testing::StrEq;

std::vector<std::int64_t> buckets(const std::string& spec, const std::vector<std::int64_t>& relative) {
  const auto rule = parsed(spec)->all<BucketTable>().at(0).rule;
  std::vector<std::int64_t> result;
  for (const auto r : relative) {
    EXPECT_FALSE(rule(r).across.has_value()) << "an integer rule has no rounded edges";
    result.push_back(rule(r).index);
  }
  return result;
}

constexpr std::int64_t far_position = std::int64_t{1} << 31;

TEST(Shaw, ClipsAndCountsFromZero) {
  EXPECT_THAT(buckets(R"({"scheme": "shaw", "max_relative_position": 2})",
                      {-far_position, -3, -2, -1, 0, 1, 2, 3, far_position}),
              ElementsAre(0, 0, 0, 1, 2, 3, 4, 4, 4));
}

TEST(Shaw, LooksFartherToOneSide) {
  EXPECT_THAT(buckets(R"({"scheme": "shaw", "left": 3, "right": 1})",
                      {-far_position, -4, -3, -1, 0, 1, 2, far_position}),
              ElementsAre(0, 0, 0, 2, 3, 4, 4, 4));
  EXPECT_EQ(parsed(R"({"scheme": "shaw", "left": 3, "right": 1})")->spec(),
            OrderedJson({{"scheme", "shaw"}, {"left", 3}, {"right", 1}}));
  EXPECT_EQ(parsed(R"({"scheme": "shaw", "left": 3, "right": 3})")->spec(),
            OrderedJson({{"scheme", "shaw"}, {"max_relative_position", 3}}));
  EXPECT_THAT(refusal_of_spec(R"({"scheme": "shaw", "left": 3})"),
              StrEq("case.json: spec.right: missing, expected an integer from 0 to 1048576"));
  EXPECT_THAT(refusal_of_spec(R"({"scheme": "shaw", "left": 0, "right": 0})"),
              StrEq("case.json: spec.right: found 0, expected at least 1 where left is 0"));
  EXPECT_THAT(refusal_of_spec(R"({"scheme": "shaw", "max_relative_position": 2, "left": 2, "right": 2})"),
              StrEq("case.json: spec.max_relative_position: found 2, expected none beside left and right, "
                    "which say the same"));
}

/// Half open, unlike Shaw's: r = k shares its row with k - 1.
TEST(DebertaSpan, HasTwiceTheSpanOfRows) {
  EXPECT_THAT(buckets(R"({"scheme": "deberta_span", "max_relative_positions": 2})",
                      {-far_position, -3, -2, -1, 0, 1, 2, 3, far_position}),
              ElementsAre(0, 0, 0, 1, 2, 3, 3, 3, 3));
}

/// The paper's sinusoid, in halves; rows descend to the offset zero.
TEST(TransformerXl, HasSinesThenCosinesOfDescendingOffsets) {
  const auto encoding = parsed(R"({"scheme": "transformer_xl", "d_model": 6})");
  const auto sinusoid =
      parsed(R"({"scheme": "sinusoidal", "d_model": 6, "layout": "halves"})")->plain_tables().at(0);
  const auto table = encoding->plain_tables().at(0);
  EXPECT_EQ(table.frequencies, sinusoid.frequencies);
  for (std::size_t column = 0; column < 6; ++column) {
    EXPECT_EQ(table.columns[column].component, column < 3 ? Component::sine : Component::cosine);
    EXPECT_EQ(table.columns[column].pair, static_cast<int>(column % 3));
  }
  const auto positions = encoding->default_positions(4);
  EXPECT_THAT((std::vector{positions.at(0), positions.at(1), positions.at(2), positions.at(3)}),
              ElementsAre(3, 2, 1, 0));
  EXPECT_TRUE(encoding->all<ExactTable>().empty());
}

TEST(TransformerXl, HoldsFarOffsetsToItsClamp) {
  const auto clamped = parsed(R"({"scheme": "transformer_xl", "d_model": 6, "clamp_len": 5})");
  EXPECT_TRUE(clamped->plain_tables().empty());
  const auto values = clamped->all<ExactTable>().at(0);
  const auto free = parsed(R"({"scheme": "transformer_xl", "d_model": 6})")->plain_tables().at(0);
  const auto rounded = [](const Real& entry) { return correctly_rounded(Format::binary64, entry); };
  for (const std::int64_t offset : {-3, 0, 4, 5, 6, 1000}) {
    EXPECT_EQ(rounded(values.entry(offset, 1)), rounded(free.entry(std::min<std::int64_t>(offset, 5), 1)));
  }
  EXPECT_NE(rounded(values.entry(4, 1)), rounded(values.entry(5, 1)));
}

TEST(BadSpecs, OfRelativePositionsAreRefusedWithFileKeyFoundAndExpected) {
  EXPECT_THAT(refusal_of_spec(R"({"scheme": "shaw"})"),
              StrEq("case.json: spec.max_relative_position: missing, expected an integer from 1 to 1048576"));
  EXPECT_THAT(
      refusal_of_spec(R"({"scheme": "deberta_span", "max_relative_positions": 0})"),
      StrEq("case.json: spec.max_relative_positions: found 0, expected an integer from 1 to 1048576"));
  EXPECT_THAT(refusal_of_spec(R"({"scheme": "transformer_xl", "d_model": 7})"),
              StrEq("case.json: spec.d_model: found 7, expected an even number, as half of the columns are "
                    "sines and half are cosines"));
  EXPECT_THAT(refusal_of_spec(R"({"scheme": "transformer_xl", "d_model": 8, "clamp_len": 0})"),
              StrEq("case.json: spec.clamp_len: found 0, expected an integer from 1 to 2147483648"));
}

}  // namespace
}  // namespace vernier
