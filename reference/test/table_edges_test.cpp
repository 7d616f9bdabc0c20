// Ends of what tables take: rows of zeros among several axes, places that no double holds, slopes that a
// format holds exactly, and roles that no vector has.

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include <gmock/gmock.h>

#include "reference/tables/bias_table.hpp"
#include "reference/tables/exact_table.hpp"
#include "reference/tables/head_rotation.hpp"
#include "reference/tables/mixed_axes.hpp"
#include "reference/tables/trig_table.hpp"
#include "reference/test/exact.hpp"
#include "reference/test/refusal.hpp"

namespace vernier {
namespace {

using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(PositionAxes, TellRowsOfZerosFromTokens) {
  PositionAxes axes{2, [](std::int64_t position) {
                      return position == 0 ? std::nullopt
                                           : std::optional(std::vector<std::int64_t>{position, 2 * position});
                    }};
  const std::array<std::int64_t, 2> tokens{1, 2};
  EXPECT_THAT(axes.of_positions(tokens), ElementsAre(ElementsAre(1, 2), ElementsAre(2, 4)));
  EXPECT_THAT(axes.zero_rows(axes.of_positions(tokens)), IsEmpty());
  axes.given_for_zeros = -1;
  const std::array<std::int64_t, 3> with_zeros{1, 0, 2};
  auto given = axes.of_positions(with_zeros);
  EXPECT_THAT(given, ElementsAre(ElementsAre(1, -1, 2), ElementsAre(2, -1, 4)));
  given[0][2] = -1;
  EXPECT_THAT(axes.zero_rows(given), ElementsAre(false, true, false)) << "a row is zeros along all axes";
}

/// A place takes 2^21 of the half steps: products beyond 64 bits, places beyond 2^53 and positions beyond
/// 2^31.
TEST(PositionMap, RefusesWhatItsNumbersDoNotHold) {
  const PositionMap map(1, Constant{power_of_two(20), 0}, Constant{Rational(1, 2), 0});
  EXPECT_EQ(map.place(3), 3 * (std::int64_t{1} << 21) + 1);
  EXPECT_EQ(map.place(-3), -3 * (std::int64_t{1} << 21) + 1);
  for (const std::int64_t sign : {1, -1}) {
    for (const int bits : {33, 43, 62}) {
      const auto given = sign * (std::int64_t{1} << bits);
      EXPECT_THAT(refusal_of([&] { map.place(given); }), HasSubstr("expected at most 2^53 steps")) << given;
    }
    EXPECT_THAT(refusal_of([&] { map.place(sign * 4096); }), HasSubstr("up to 2^31 in magnitude"));
  }
  EXPECT_EQ(map.places({5, 1, 0}).count, 0);
  // 2^63 - 2^21 is a product of 64 bits, and one more of the offset is none.
  const PositionMap shifted(1, Constant{power_of_two(20), 0}, Constant{power_of_two(30) + Rational(1, 2), 0});
  EXPECT_THAT(refusal_of([&] { shifted.place((std::int64_t{1} << 42) - 1); }),
              HasSubstr("expected at most 2^53 steps"));
}

TEST(PositionMap, OfIntegersLeavesThemAsTheyAre) {
  const auto places = PositionMap().places({-7, 3, 40});
  EXPECT_EQ(places.first, -7);
  EXPECT_EQ(places.step, 3);
  EXPECT_EQ(places.count, 40);
}

TEST(PositionMap, WritesPositionsInAsManyDigitsAsTheyNeed) {
  const auto text = [](int bits) {
    const PositionMap map(power_of_two(-bits), Constant{1, 0}, Constant{0, 0});
    return map.text(map.place((std::int64_t{1} << bits) + 1));
  };
  EXPECT_EQ(text(3), "1.125");
  EXPECT_EQ(text(30), "1.0000000009313226");
}

/// The ways in which a slope is computed, each step rounded to a format: none is off by more than it says.
TEST(Slope, CostsNoMoreThanItSays) {
  for (const auto format : {Format::binary32, Format::binary16, Format::bfloat16}) {
    const auto r = [format](double value) { return round_to(format, value); };
    const double u = traits(format).unit_roundoff();
    double greatest = 0;
    for (const auto& step :
         {Rational(1, 2), Rational(2, 3), Rational(3, 4), Rational(10001, 10000), Rational(2)}) {
      for (std::int64_t power = 1; step * power <= 12; ++power) {  // no format overflows
        const Slope slope{step, power};
        const double truth = tight_enclosure([&] { return slope.enclosure(); }).approximately();
        const double bound = slope.growth(u);
        const double rounded_step = r(approximately(step));
        const auto k = static_cast<double>(power);
        const double base = r(std::exp2(-rounded_step));
        for (const double computed :
             {r(std::pow(base, k)), r(base * r(std::pow(base, k - 1))), r(std::exp2(-r(rounded_step * k))),
              r(1 / r(std::exp2(r(rounded_step * k))))}) {
          const double error = std::fabs(computed - truth) / truth;
          EXPECT_LE(error, bound + 0x1p-48) << step << ", " << power;
          greatest = std::max(greatest, bound == 0 ? 0 : error / bound);
        }
      }
    }
    EXPECT_GT(greatest, 0.2);
  }
}

/// A step and its multiple that the format holds move no exponent.
TEST(Slope, OfAStepThatTheFormatHoldsCostsLess) {
  const double u = traits(Format::bfloat16).unit_roundoff();
  EXPECT_LT((Slope{Rational(3, 4), 4}.growth(u)), (Slope{Rational(301, 400), 4}.growth(u)));
  EXPECT_EQ((Slope{2, 5}.growth(u)), 0);
}

/// Of 8 bits: 1 + 2^-7, but not three times that, nor 1 + 2^-8.
TEST(Slope, CostsMoreWhereTheFormatHoldsNotEveryMultiple) {
  const double u = traits(Format::bfloat16).unit_roundoff();
  const auto growth = [u](const Rational& step, std::int64_t power) { return Slope{step, power}.growth(u); };
  const Rational held = 1 + power_of_two(-7);
  const double of_exponent = u * 3 * std::numbers::ln2;  // half of what both roundings cost
  EXPECT_GT(growth(held, 3), growth(1 + power_of_two(-6), 3) + of_exponent);
  EXPECT_GT(growth(1 + power_of_two(-8), 2), growth(held, 2) + of_exponent / 2);
}

TEST(ExactTable, NamesTheOneEndThatItHas) {
  const ExactTable table{.role = "encoding", .columns = 1, .last_position = 3};
  EXPECT_THAT(refusal_of([&] { table.require(4); }), EndsWith("the encoding is defined: up to 3"));
  EXPECT_EQ(refusal_of([&] { table.require(-4); }), "");
}

/// sin(2 p + 5 q) and its cosine, three times.
TEST(MixedAxes, AreTheirSumWhoseOtherTermsAreZero) {
  const JoinedFrequencies frequencies{{ListedFrequencies{{2}}, ListedFrequencies{{5}}}};
  const TurnedTable mixed({"encoding", frequencies, 3, {{0, Component::sine}, {0, Component::cosine}}, {}},
                          {{all_axes, all_axes}, {2, {}, {PositionMap(), PositionMap(1, {7, 0}, {0, 0})}}});
  EXPECT_TRUE(mixes_axes(mixed));
  EXPECT_EQ(mixed.of_axis(1).positions, mixed.map(1));
  EXPECT_FALSE(mixed.turns_by_one_position());
  for (const std::size_t column : {0U, 1U}) {
    const auto rounded = [](const Real& number) { return correctly_rounded(Format::binary64, number); };
    const auto at = [&](std::int64_t p, std::int64_t q) { return mixed.entry(std::array{p, q}, column); };
    EXPECT_EQ(rounded(mixed.of_axis(0).entry(4, column)), rounded(at(4, 0)));
    const auto second = mixed.of_axis(1).entry(4, column);
    EXPECT_EQ(rounded([&] { return Interval(3 * second()); }), rounded(at(0, 4)))
        << "of the first axis alone";
  }
}

TEST(MixedAxes, OfARotationAreThoseOfAllItsPairs) {
  HeadRotation rotation;
  EXPECT_FALSE(mixes_axes(rotation));
  rotation.axes = {0, 1};
  EXPECT_FALSE(mixes_axes(rotation));
  rotation.axes = {all_axes, all_axes};
  EXPECT_TRUE(mixes_axes(rotation));
}

/// A token at p along both axes turns as sines of p do, unless places along an axis come from elsewhere.
TEST(TurnedTable, OfTwoAxesIsThatOfOneOnlyWithoutMaps) {
  TurnedTable table(
      {"encoding", ListedFrequencies{{2, 3}}, 1, {{0, Component::sine}, {1, Component::sine}}, {}},
      {{0, 1}, {2, [](std::int64_t p) {
                  return std::optional(std::vector{p, p});
                }}});
  EXPECT_FALSE(table.is_plain());
  EXPECT_TRUE(table.turns_by_one_position());
  EXPECT_EQ(table.of_axis(1).positions, PositionMap());
  table.axes->positions.maps = {PositionMap(), PositionMap(1, {7, 0}, {0, 0})};
  EXPECT_FALSE(table.turns_by_one_position());
  EXPECT_EQ(table.of_axis(1).positions, table.axes->positions.maps[1]);
  EXPECT_EQ(table.of_axis(1).frequencies, table.sines.frequencies);
}

TEST(VectorRole, HasOneOfFourNames) {
  for (const auto& role : vector_roles()) {
    EXPECT_EQ(vector_role_named(role.role), &role);
  }
  EXPECT_EQ(vector_role_named("rotated_q"), nullptr);
}

TEST(RationalAngles, OfDivisorsBeyondSixtyFourBitsAreNone) {
  EXPECT_EQ(RationalAngles(Constant{1 / power_of_two(70), 1}).twelfths(1), std::nullopt);
  EXPECT_EQ(RationalAngles(Constant{Rational(1, 6), 1}).twelfths(1), 1);
}

}  // namespace
}  // namespace vernier
