// Absolute encodings that are no plain tables of sines: their values, where they are defined, and what they
// refuse.

#include "reference/tables/exact_table.hpp"

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include <gmock/gmock.h>

#include "reference/schemes/sinusoidal.hpp"
#include "reference/test/exact.hpp"
#include "reference/test/parsed.hpp"

namespace vernier {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::StrEq;

ExactTable first_table(const std::string& text) {
  return parsed(text)->all<ExactTable>().at(0);
}

std::vector<Rational> row(const ExactTable& values, std::int64_t position) {
  std::vector<Rational> result;
  for (std::size_t column = 0; column < values.columns; ++column) {
    result.push_back(values.factor(position, column));
  }
  return result;
}

TEST(IntegerIndex, IsThePositionFromZeroOrOne) {
  EXPECT_THAT(row(first_table(R"({"scheme": "integer_index"})"), 7), ElementsAre(7));
  EXPECT_THAT(row(first_table(R"({"scheme": "integer_index", "first_index": 1})"), 0), ElementsAre(1));
}

std::vector<Rational> shares(const std::string& reading, int length) {
  const auto values = first_table(R"({"scheme": "normalised", "length": )" + std::to_string(length) +
                                  R"(, "reading": ")" + reading + "\"}");
  std::vector<Rational> result;
  for (int position = 0; position < length; ++position) {
    result.push_back(values.factor(position, 0));
  }
  return result;
}

/// Of four tokens the third has 2/3, not 0.69.
TEST(Normalised, HasThreeReadings) {
  const Rational third(1, 3);
  const Rational two_thirds(2, 3);
  EXPECT_THAT(shares("zero_to_one", 3), ElementsAre(0, Rational(1, 2), 1));
  EXPECT_THAT(shares("zero_to_one", 4), ElementsAre(0, third, two_thirds, 1));
  EXPECT_THAT(shares("zero_to_below_one", 3), ElementsAre(0, third, two_thirds));
  EXPECT_THAT(shares("above_zero_to_one", 3), ElementsAre(third, two_thirds, 1));
  EXPECT_THAT(shares("zero_to_below_one", 1), ElementsAre(0));
}

/// The eight rows 000 to 111 of three bits.
TEST(Binary, HasTheDigitsOfThePosition) {
  const auto first = first_table(R"({"scheme": "binary", "bits": 3})");
  const auto last = first_table(R"({"scheme": "binary", "bits": 3, "bit_order": "least_significant_first"})");
  for (int t = 0; t < 8; ++t) {
    EXPECT_THAT(row(first, t), ElementsAre(t / 4, t / 2 % 2, t % 2)) << t;
    EXPECT_THAT(row(last, t), ElementsAre(t % 2, t / 2 % 2, t / 4)) << t;
  }
}

TEST(Binary, OfMoreBitsThanPositionsHaveStartsWithZeros) {
  const auto digits = row(first_table(R"({"scheme": "binary", "bits": 256})"), largest_position);
  EXPECT_EQ(digits[256 - 32], 1);
  EXPECT_EQ(std::ranges::count(digits, Rational(0)), 255);
}

TEST(Learned, IsWhatTheSpecSaysExactly) {
  const auto values = first_table(R"({"scheme": "learned", "values": [[0.1, "1/3"], [-2e-3, "0.25"]]})");
  EXPECT_THAT(row(values, 0), ElementsAre(Rational(1, 10), Rational(1, 3)));
  EXPECT_THAT(row(values, 1), ElementsAre(Rational(-1, 500), Rational(1, 4)));
}

TEST(OneHot, HasAOneInTheColumnOfThePosition) {
  const auto values = first_table(R"({"scheme": "one_hot", "num_positions": 3})");
  EXPECT_THAT(row(values, 0), ElementsAre(1, 0, 0));
  EXPECT_THAT(row(values, 2), ElementsAre(0, 0, 1));
}

TEST(NoEncoding, IsZeroEverywhere) {
  const auto values = first_table(R"({"scheme": "none", "d_model": 4})");
  EXPECT_THAT(row(values, -5), Each(0));
  EXPECT_THAT(row(values, largest_position), Each(0));
}

/// The entry encloses p/C times the sinusoid's, computed here from the paper's table at another precision.
TEST(ScaledSinusoid, IsTheSinusoidTimesPositionOverDivisor) {
  const auto values = first_table(R"({"scheme": "scaled_sinusoid", "d_model": 8, "divisor": 2.5})");
  const auto sinusoid = SinusoidalSpec{.d_model = 8}.table();
  for (const std::int64_t position : {-3, 0, 1, 5000}) {
    for (std::size_t column = 0; column < 8; ++column) {
      const auto entry = [&] {
        const WorkingPrecision coarse(128);
        return values.entry(position, column)();
      }();
      const WorkingPrecision fine(256);
      const Interval expected(enclose(Rational(position * 2, 5)) * sinusoid.entry(position, column)());
      EXPECT_TRUE(lies_within(expected, entry)) << position << ' ' << column;
      // The phase, below 2^13, is off by a few times 2^-128 of itself, and the sine by no more.
      EXPECT_LE(radius(entry), 0.4 * static_cast<double>(std::abs(position)) * 0x1p-110);
    }
  }
}

/// mpmath at 50 digits: (5000/10000) sin(5000), (5000/10000) cos(5000/100).
TEST(ScaledSinusoid, HasItsGoldenValues) {
  const auto values = first_table(R"({"scheme": "scaled_sinusoid", "d_model": 4, "divisor": 10000})");
  EXPECT_EQ(correctly_rounded(Format::binary64, values.entry(5000, 0)), -0.4939832193833884);
  EXPECT_EQ(correctly_rounded(Format::binary64, values.entry(5000, 3)), 0.48248301424605666);
}

TEST(ExactTable, RefusesPositionsWithoutARow) {
  const auto refused = [](const std::string& spec, std::int64_t position) {
    const auto values = first_table(spec);
    return refusal_of([&] { values.entry(position, 0); });
  };
  EXPECT_THAT(refused(R"({"scheme": "normalised", "length": 4})", 4),
              StrEq("found the position 4, expected one at which the encoding is defined: from 0 up to 3"));
  EXPECT_THAT(refused(R"({"scheme": "binary", "bits": 3})", -1),
              StrEq("found the position -1, expected one at which the encoding is defined: from 0 up to 7"));
  EXPECT_THAT(refused(R"({"scheme": "binary", "bits": 3})", 8),
              StrEq("found the position 8, expected one at which the encoding is defined: from 0 up to 7"));
  EXPECT_THAT(refused(R"({"scheme": "learned", "values": [[1], [2]]})", 2),
              StrEq("found the position 2, expected one at which the encoding is defined: from 0 up to 1"));
  EXPECT_THAT(refused(R"({"scheme": "one_hot", "num_positions": 2})", 2),
              StrEq("found the position 2, expected one at which the encoding is defined: from 0 up to 1"));
  EXPECT_THAT(refused(R"({"scheme": "integer_index"})", largest_position), StrEq(""));
}

TEST(BadSpecs, OfExactTablesAreRefusedWithFileKeyFoundAndExpected) {
  const auto expect_refused = [](const std::string& spec, const std::string& sentence) {
    EXPECT_THAT(refusal_of_spec(spec), StrEq("case.json: " + sentence)) << spec;
  };
  expect_refused(R"({"scheme": "integer_index", "first_index": 2})",
                 "spec.first_index: found 2, expected an integer from 0 to 1");
  expect_refused(R"({"scheme": "normalised"})",
                 "spec.length: missing, expected an integer from 1 to 2147483648");
  expect_refused(R"({"scheme": "normalised", "length": 1})",
                 "spec.length: found 1, expected at least 2, as t/(L - 1) is undefined for a length of 1");
  expect_refused(R"({"scheme": "normalised", "length": 3, "reading": "t/L"})",
                 "spec.reading: found the string \"t/L\", expected \"zero_to_one\", \"zero_to_below_one\" or "
                 "\"above_zero_to_one\"");
  expect_refused(R"({"scheme": "binary", "bits": 0})",
                 "spec.bits: found 0, expected an integer from 1 to 1024");
  expect_refused(R"({"scheme": "binary", "bits": 8, "bit_order": "msb"})",
                 "spec.bit_order: found the string \"msb\", expected \"most_significant_first\" or "
                 "\"least_significant_first\"");
  expect_refused(R"({"scheme": "learned", "values": 3})",
                 "spec.values: found 3, expected an array of rows of numbers, all of one length, at least "
                 "one of each");
  expect_refused(R"({"scheme": "learned", "values": [[]]})",
                 "spec.values: found an array, expected an array of rows of numbers, all of one length, at "
                 "least one of each");
  expect_refused(R"({"scheme": "learned", "values": [[1], 2]})",
                 "spec.values[1]: found 2, expected a row of numbers");
  expect_refused(R"({"scheme": "learned", "values": [[1, 2], [3]]})",
                 "spec: values[1]: found 1 numbers, expected 2, as in the first row");
  expect_refused(R"({"scheme": "learned", "values": [[1, "1/0"]]})",
                 "spec.values[0][1]: found the string \"1/0\", expected a number from -1e30 to 1e30, or one "
                 "written as text (\"0.1\", \"1/3\")");
  expect_refused(R"({"scheme": "one_hot", "num_positions": 0})",
                 "spec.num_positions: found 0, expected an integer from 1 to 1048576");
  expect_refused(R"({"scheme": "none", "d_model": 0})",
                 "spec.d_model: found 0, expected an integer from 1 to 65536");
  expect_refused(R"({"scheme": "scaled_sinusoid", "d_model": 8})",
                 "spec.divisor: missing, expected the number C that positions are divided by");
  expect_refused(R"({"scheme": "scaled_sinusoid", "d_model": 8, "divisor": -1})",
                 "spec.divisor: found -1, expected a number from 1e-30 to 1e30");
}

}  // namespace
}  // namespace vernier
