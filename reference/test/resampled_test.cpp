// Weights of resampled tables, worked out by hand and by what they must keep, and what is refused.

#include <algorithm>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include <fmt/core.h>
#include <gmock/gmock.h>

#include "reference/schemes/resampled/resampling.hpp"
#include "reference/support/input_error.hpp"
#include "reference/test/parsed.hpp"
#include "reference/test/seed.hpp"

namespace vernier {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StrEq;

using Mode = ResamplingRule::Mode;

std::unique_ptr<Encoding> parsed_resampled(const std::string& keys) {
  return parsed(R"({"scheme": "resampled", )" + keys + "}");
}

/// A row of weights, or of sums: exact in double precision.
std::vector<double> resampled_row(const std::string& keys, std::int64_t place) {
  const auto table = parsed_resampled(keys)->all<ExactTable>().at(0);
  std::vector<double> result;
  for (std::size_t column = 0; column < table.columns; ++column) {
    result.push_back(*correctly_rounded(Format::binary64, table.entry(place, column)));
  }
  return result;
}

TEST(Resampled, HasTheWeightsOfEachKernel) {
  const std::string doubled = R"("from": [2], "to": [4])";
  EXPECT_THAT(resampled_row(doubled, 0), ElementsAre(1, 0));
  EXPECT_THAT(resampled_row(doubled, 1), ElementsAre(0.75, 0.25));
  EXPECT_THAT(resampled_row(R"("from": [2], "to": [5], "align_corners": true)", 1), ElementsAre(0.75, 0.25));
  const std::string cubic = R"("from": [4], "to": [8], "mode": "bicubic")";
  EXPECT_THAT(resampled_row(cubic, 2), ElementsAre(0.2265625, 0.87890625, -0.10546875, 0));
  EXPECT_THAT(resampled_row(cubic + R"(, "a": 0)", 2), ElementsAre(0.15625, 0.84375, 0, 0));
  EXPECT_THAT(resampled_row(R"("from": [4], "to": [2], "antialias": true)", 0),
              ElementsAre(3.0 / 7, 3.0 / 7, 1.0 / 7, 0));
}

/// The cubic kernel at 1/4, 3/4 and 5/4, as far as these are within.
TEST(Resampled, LeavesOutWhatIsBeyondTheEnds) {
  const std::string linear = R"("from": [3], "to": [6], "border": "left_out")";
  EXPECT_THAT(resampled_row(linear, 0), ElementsAre(1, 0, 0));
  EXPECT_THAT(resampled_row(linear, 1), ElementsAre(0.75, 0.25, 0));
  const double near = 0.87890625;
  const double next = 0.26171875;
  const double far = -0.10546875;
  const std::string cubic = R"("from": [4], "to": [8], "mode": "bicubic", "border": "left_out")";
  EXPECT_THAT(resampled_row(cubic, 0), ElementsAre(near / (near + far), far / (near + far), 0, 0));
  const double sum = near + next + far;
  EXPECT_THAT(resampled_row(cubic, 2), ElementsAre(next / sum, near / sum, far / sum, 0));
  EXPECT_THROW(resampled_row(R"("from": [4], "to": [8], "antialias": true, "border": "left_out")", 0),
               InputError);
}

TEST(Resampled, RoundsItsWeightsToAFormat) {
  const std::string averaged = R"("from": [4], "to": [2], "antialias": true, "weights_dtype": )";
  EXPECT_THAT(resampled_row(averaged + R"("bfloat16")", 0), ElementsAre(0x1.b6p-2, 0x1.b6p-2, 0x1.24p-3, 0));
  EXPECT_THAT(resampled_row(averaged + R"("float16")", 0),
              ElementsAre(0x1.b6cp-2, 0x1.b6cp-2, 0x1.248p-3, 0));
}

TEST(Resampled, SharesItsWeightsBetweenTwoAxes) {
  EXPECT_THAT(resampled_row(R"("from": [2, 2], "to": [4, 4])", 6),
              ElementsAre(0.1875, 0.5625, 0.0625, 0.1875));
  EXPECT_THAT(resampled_row(R"("from": [1, 2], "to": [1, 4], "values": [[1, "1/3"], [5, 0]])", 1),
              ElementsAre(2, 0.25));
}

/// dinov2, interpolate_pos_encoding: (m + 0.1)/n in place of m/n.
TEST(Resampled, TakesAnotherScaleOfCoordinates) {
  const auto places = resampled_places({}, 4, 6, Rational(61, 40));
  const auto tap = std::ranges::find(places[1].taps, std::int64_t{1}, &ResamplingTap::place);
  EXPECT_EQ(tap->weight, Rational(3, 2) * Rational(40, 61) - Rational(1, 2));
}

TEST(Resampled, TakesTheScaleOfItsSpec) {
  EXPECT_THAT(resampled_row(R"("from": [4], "to": [6], "scale_factor": [1.525])", 1),
              ElementsAre(63.0 / 122, 59.0 / 122, 0, 0));
}

TEST(Resampled, OfOnePlaceIsTheFirstWhereCornersAreAligned) {
  EXPECT_THAT(resampled_row(R"("from": [3], "to": [1], "align_corners": true)", 0), ElementsAre(1, 0, 0));
}

/// The last new place lies a whole place beyond the end, where the cubic kernel is zero, as it is beyond.
TEST(Resampled, RefusesWeightsThatAddUpToNothing) {
  const auto encoding = parsed_resampled(
      R"("from": [2], "to": [3], "mode": "bicubic", "border": "left_out", "scale_factor": [1])");
  EXPECT_THAT(refusal_of([&] { encoding->tensors(); }),
              HasSubstr("the weights of the new place 2 to add up to 0"));
}

/// A cubic kernel with a = 0 is as wide as the linear one: its average has no weights further out.
TEST(Resampled, RefusesAKernelThatReachesNoOldPlace) {
  const auto refusal = [](const std::string& a) {
    return refusal_of_spec(R"({"scheme": "resampled", "from": [1], "to": [2], "mode": "bicubic",
        "antialias": true, "scale_factor": [0.001], "a": )" +
                           a + "}");
  };
  EXPECT_THAT(refusal("0"), HasSubstr("scale_factor: found"));
  EXPECT_THAT(refusal("0"), HasSubstr("the kernel of every new place reaches an old one"));
  EXPECT_THAT(refusal("-0.5"), testing::IsEmpty());
}

/// Weights add up to one, and a line stays a line where no end is near.
TEST(Resampled, KeepsConstantsAndLines) {
  std::mt19937_64 engine(test_seed());
  for (int draw = 0; draw < 200; ++draw) {
    ResamplingRule rule{engine() % 2 == 0 ? Mode::bilinear : Mode::bicubic};
    rule.align_corners = engine() % 3 == 0;
    rule.antialias = !rule.align_corners && engine() % 2 == 0;
    rule.a = Rational(-static_cast<int>(engine() % 9), 8);
    const auto from = static_cast<std::int64_t>(1 + engine() % 20);
    const auto to = static_cast<std::int64_t>(2 + engine() % 30);
    const auto places = resampled_places(rule, from, to, std::nullopt);
    for (std::int64_t place = 0; place < to; ++place) {
      const auto& taps = places[static_cast<std::size_t>(place)].taps;
      Rational sum = 0;
      Rational line = 0;
      for (const auto& tap : taps) {
        sum += tap.weight;
        line += tap.weight * tap.place;
      }
      EXPECT_EQ(sum, 1);
      const auto source = rule.align_corners ? Rational(place * (from - 1), to - 1)
                                             : Rational((2 * place + 1) * from, 2 * to) - Rational(1, 2);
      if (source >= 2 && source <= from - 3 && !rule.antialias && rule.a == Rational(-1, 2)) {
        EXPECT_EQ(line, source) << from << " to " << to;
      }
    }
  }
}

TEST(Resampled, IsRefusedWhereItMeansNothing) {
  const auto expect_refused = [](const std::string& keys, const std::string& sentence) {
    EXPECT_THAT(refusal_of([&] { parsed_resampled(keys); }), StrEq("case.json: spec." + sentence)) << keys;
  };
  expect_refused(R"("from": [2, 2, 2], "to": [4])",
                 "from: found an array, expected one integer or two of at least 1, rows and columns, with a "
                 "product of at most 65536");
  expect_refused(R"("from": [2, 2], "to": [4])",
                 "to: found an array, expected as many integers as from has, 2");
  expect_refused(R"("from": [2], "to": [0])", "to[0]: found 0, expected an integer from 1 to 65536");
  expect_refused(R"("from": [2], "to": [4], "align_corners": true, "antialias": true)",
                 "antialias: found true, expected false with align_corners");
  expect_refused(R"("from": [2], "to": [4], "mode": "bicubic", "a": 1)",
                 "a: found 1, expected a number from -1 to 0");
  expect_refused(
      R"("from": [2], "to": [2], "scale_factor": [1.5])",
      "scale_factor: found an array, expected sizes of from and to that differ, as libraries copy equal "
      "ones");
  expect_refused(
      R"("from": [2], "to": [4], "values": [[1]])",
      "values: found an array, expected 2 rows of numbers, all of one length, one for each place of "
      "from");
  expect_refused(
      R"("from": [2], "to": [4], "values": [[1, 2], [3]])",
      "values: found an array, expected 2 rows of numbers, all of one length, one for each place of "
      "from");
}

}  // namespace
}  // namespace vernier
