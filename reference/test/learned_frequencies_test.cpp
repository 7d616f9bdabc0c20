// Fourier features and mixed rotations by given frequencies: values worked out by hand, and what is refused.

#include <cmath>
#include <string>

#include <gmock/gmock.h>

#include "reference/test/parsed.hpp"

namespace vernier {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StrEq;

std::string features(const std::string& keys) {
  return R"({"scheme": "fourier_features", )" + keys + "}";
}

std::string mixed(const std::string& keys) {
  return R"({"scheme": "axial_rope", "arrangement": "mixed", )" + keys + "}";
}

double entry(const Encoding& encoding, std::int64_t position, std::size_t column, Format format) {
  return *correctly_rounded(format,
                            encoding.all<TurnedTable>(&TurnedTable::axes).front().entry(position, column));
}

/// Of the grid's token 6, (1, 2): an eighth of a turn times 1 (2) + 2 (-1/2) is an eighth, and times 1 (1) +
/// 2 (1/2) a quarter.
TEST(FourierFeatures, AreSinesOfSumsThenCosines) {
  const auto encoding =
      parsed(features(R"("frequencies": [[2, 1], [-0.5, 0.5]], "frequency_scale": "pi/4", "grid": [4])"));
  EXPECT_EQ(entry(*encoding, 6, 0, Format::binary64), 0x1.6a09e667f3bcdp-1);
  EXPECT_EQ(entry(*encoding, 6, 1, Format::binary64), 1);
  EXPECT_EQ(entry(*encoding, 6, 2, Format::binary64), 0x1.6a09e667f3bcdp-1);
  EXPECT_EQ(entry(*encoding, 6, 3, Format::binary64), 0) << "a sum is a quarter of a turn, its terms are not";
}

TEST(FourierFeatures, LieInNeighbouringColumnsWhereTheSpecSaysSo) {
  const auto encoding = parsed(features(
      R"("frequencies": [[2, 1], [-0.5, 0.5]], "frequency_scale": "pi/4", "grid": [4], "layout": "interleaved",
         "order": "cos_sin")"));
  EXPECT_EQ(entry(*encoding, 6, 2, Format::binary64), 0);
  EXPECT_EQ(entry(*encoding, 6, 3, Format::binary64), 1);
}

/// 0.1 in float32 is more than 0.1 by 1.5e-9, which 1e6 makes 1.5e-3.
TEST(FourierFeatures, HaveTheNumbersOfTheFormatThatTheyAreIn) {
  const auto exact = parsed(features(R"("frequencies": [[0.1]])"));
  const auto single = parsed(features(R"("frequencies": [[0.1]], "frequencies_dtype": "float32")"));
  EXPECT_NEAR(entry(*single, 1000000, 0, Format::binary64), std::sin(1e6 * static_cast<double>(0.1F)), 1e-9);
  EXPECT_NEAR(entry(*exact, 1000000, 0, Format::binary64), std::sin(1e5), 1e-9);
  EXPECT_EQ(single->spec().at("frequencies").at(0).at(0), static_cast<double>(0.1F));
}

void expect_refused(const std::string& spec, const std::string& sentence) {
  EXPECT_THAT(refusal_of_spec(spec), StrEq("case.json: spec" + sentence)) << spec;
}

TEST(FourierFeatures, AreRefusedWhereFrequenciesAreNoMatrix) {
  const std::string rows = "expected 1 to 8 rows of numbers, one an axis, all of one length from 1 to 32768";
  const std::string number =
      "expected 0 or a number from 1e-12 to 1e12 in magnitude, or one written as text (\"0.1\", \"-1/3\")";
  expect_refused(features(R"("layout": "halves")"), ".frequencies: missing, " + rows);
  expect_refused(features(R"("frequencies": [])"), ".frequencies: found an array, " + rows);
  expect_refused(features(R"("frequencies": [1, 2])"),
                 ".frequencies[0]: found 1, expected a row of numbers, one a pair");
  expect_refused(features(R"("frequencies": [[]])"),
                 ".frequencies[0]: found an array, expected a row of numbers, one a pair");
  expect_refused(features(R"("frequencies": [[1, 2], [3]])"),
                 ": frequencies[1]: found one number, expected 2 numbers, as of the first axis and head");
  expect_refused(features(R"("frequencies": [["nan"]])"),
                 ".frequencies[0][0]: found the string \"nan\", " + number);
  expect_refused(features(R"("frequencies": [[1e13]])"), ".frequencies[0][0]: found 1e13, " + number);
  expect_refused(features(R"("frequencies": [[[1]]])"), ".frequencies[0][0]: found an array, " + number);
  expect_refused(features(R"("frequencies": [[1e6]], "frequencies_dtype": "float16")"),
                 ".frequencies_dtype: found the string \"float16\", expected a format that holds 1000000");
}

/// 1 + 2^-24, halfway between two numbers of float32, and 10^-1900 more: no precision tells them apart. 1e12
/// is nearest to a number of bfloat16 beyond it.
TEST(FourierFeatures, AreRefusedWhereAFormatHasNoNumberForThem) {
  const std::string zeros(1900, '0');
  const std::string beside = "\"16777217" + zeros.substr(1) + "1/16777216" + zeros + "\"";
  EXPECT_THAT(
      refusal_of_spec(features(R"("frequencies_dtype": "float32", "frequencies": [[)" + beside + "]]")),
      EndsWith("expected a format that holds 1.0000000596046448"));
  expect_refused(
      features(R"("frequencies": [[1e12]], "frequencies_dtype": "bfloat16")"),
      ".frequencies: found an array, expected numbers that are from 1e-12 to 1e12 in magnitude in bfloat16");
}

TEST(FourierFeatures, SayTheirHeadsAndAxes) {
  const auto told = [](const std::string& spec) { return parsed(spec)->summary(); };
  EXPECT_THAT(told(mixed(R"("head_dim": 4, "frequencies": [[[1, 2], [3, 4]], [[5, 6], [7, 8]]])")),
              HasSubstr("2 axes of 2 heads with 2 frequencies"));
  EXPECT_THAT(told(features(R"("frequencies": [[1, 2, 3]])")), HasSubstr("1 axis of 3 frequencies"));
  EXPECT_THAT(told(features(R"("frequencies": [[1], [2]], "axes": [{"position_scale": "1/7"}, {}])")),
              HasSubstr("; axis 0, positions times 1/7; axis 1: positions as given"));
}

TEST(FourierFeatures, AreRefusedWherePositionsDoNotFit) {
  expect_refused(features(R"("frequencies": [[1], [1]], "axes": [{}])"),
                 ".axes: found an array, expected 2 objects with the keys of real positions, one a row of "
                 "\"frequencies\"");
  expect_refused(features(R"("frequencies": [[1], [1]], "axes": [{"position_scale": "pi"}, {}])"),
                 ".axes: found an array, expected axes that all have pi in their scales or all have none, as "
                 "phases are added");
  expect_refused(features(R"("frequencies": [[1]], "grid": [4])"),
                 ".grid: found an array, expected none, as there is one axis");
  expect_refused(features(R"("frequencies": [[1], [1]], "position_unit": 2)"),
                 ".position_unit: found 2, expected a power of two up to 1 where there are axes");
  EXPECT_NO_THROW(parsed(features(R"("frequencies": [[1]], "position_unit": 2)")));
  // Which of two scales would multiply the phase?
  expect_refused(
      features(R"("frequencies": [[1], [1]], "axes": [{"frequency_scale": 2}, {}], "phases": [0.5])"),
      ".axes: found an array, expected axes that all have one frequency_scale, as it multiplies the phases "
      "too");
}

TEST(MixedRope, IsRefusedWhereHeadsDoNotFit) {
  expect_refused(mixed(R"("head_dim": 6, "frequencies": [[1, 2], [3, 4]])"),
                 ".head_dim: found 6, expected 4, two dimensions for each of the frequencies of a head");
  expect_refused(mixed(R"("head_dim": 4, "frequencies": [[1, 2]], "grid": [2])"),
                 ".grid: found an array, expected none, as there is one axis");
  expect_refused(
      mixed(R"("head_dim": 4, "frequencies": [[[1], [2]], [[3, 4]]])"),
      ": frequencies[1]: found 2 numbers, expected 2 heads of one number, as of the first axis and head");
  expect_refused(
      R"({"scheme": "axial_rope", "head_dim": 8, "arrangement": "mixed", "axes": [{"dims": 4}, {"dims": 4}]})",
      ".frequencies: missing, expected those of each axis, as the arrangement is \"mixed\"");
}

/// Two dimensions in front that nothing turns, then the axes' pairs in turn.
TEST(IdentityDimensions, HaveCosineOneAndSineZero) {
  const auto encoding = parsed(
      R"({"scheme": "axial_rope", "head_dim": 12, "identity_front": 2, "identity_back": 2, "arrangement": "alternating",
          "axes": [{"dims": 4}, {"dims": 4}], "grid": [3]})");
  for (const auto& table : encoding->all<TurnedTable>(&TurnedTable::axes)) {
    ASSERT_TRUE(columns_of(table) == 12 || columns_of(table) == 6);
    const auto last = columns_of(table) - 1;
    const double expected = table.sines.role == "cos" ? 1 : 0;
    EXPECT_EQ(*correctly_rounded(Format::binary64, table.entry(5, 0)), expected);
    EXPECT_EQ(*correctly_rounded(Format::binary64, table.entry(5, last)), expected);
    const std::size_t first = columns_of(table) == 12 ? 2 : 1;
    const double position = 1;  // token 5 of rows of 3 is (1, 2)
    EXPECT_EQ(*correctly_rounded(Format::binary32, table.entry(5, first)),
              static_cast<float>(table.sines.role == "cos" ? std::cos(position) : std::sin(position)));
  }
  EXPECT_EQ(encoding->all<HeadRotation>().front().rotated.size(), 12U);
}

/// V-JEPA 2, whose columns are tiled as halves and whose pairs are neighbours: dimension 1 turns by column 1,
/// of the second frequency of its axis, and dimension 2 by column 2, of the first.
TEST(TableLayout, IsThatOfTheColumnsThatDimensionsAreMultipliedBy) {
  const std::string keys =
      R"({"scheme": "axial_rope", "head_dim": 10, "axes": [{"dims": 4}, {"dims": 4}], "table_layout": "half_per_axis")";
  const auto encoding = parsed(keys + "}");
  const auto rotations = encoding->all<HeadRotation>();
  ASSERT_EQ(rotations.size(), 1U) << "no gradient";
  EXPECT_TRUE(rotations[0].pairs.empty());
  EXPECT_EQ(rotations[0].passed_through().size(), 2U);
  std::vector<int> pairs(8);
  for (const auto& d : rotations[0].rotated) {
    pairs[d.out] = d.pair;
    EXPECT_EQ(d.other, d.out ^ 1U);
    EXPECT_EQ(d.sign, d.out % 2 == 0 ? -1 : 1);
  }
  EXPECT_EQ(pairs, (std::vector{0, 1, 0, 1, 2, 3, 2, 3}));
  expect_refused(keys + R"(, "operation": "transpose"})",
                 ".operation: found the string \"transpose\", expected \"forward\", because table_layout "
                 "makes no rotation");
}

TEST(IdentityDimensions, AreRefusedWhereTheyAreNoPairsOrDoNotFit) {
  const auto listed = [](const std::string& keys) {
    return R"({"scheme": "axial_rope", "head_dim": 8, "axes": [{"dims": 4}, {"dims": 4}], )" + keys + "}";
  };
  expect_refused(listed(R"("identity_front": 1)"),
                 ".identity_front: found 1, expected an even number, as dimensions rotate in pairs");
  expect_refused(
      listed(R"("identity_back": 2)"),
      ".axes: found an array, expected axes that add up to at most the 8 dimensions of the head, not 10");
}

}  // namespace
}  // namespace vernier
