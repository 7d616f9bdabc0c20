// Positions that are no integers: constants as specs have them, places, and what both make of tables.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reference/ladder/certified_table.hpp"
#include "reference/support/input_error.hpp"
#include "reference/tables/position_map.hpp"
#include "reference/test/parsed.hpp"

namespace vernier {
namespace {

using testing::HasSubstr;

TEST(Constants, AreReadExactlyAndWrittenBack) {
  for (const auto* text : {"1/7", "-13/14", "2pi", "pi", "-pi", "pi/2", "-3pi/4", "0.5", "1000"}) {
    const auto value = parse_constant(text);
    ASSERT_TRUE(value) << text;
    EXPECT_EQ(to_string(*value), text);
  }
  EXPECT_EQ(parse_constant("2.5e3pi"), (Constant{2500, 1}));
  for (const auto* text : {"", "pi2", "p", "1/0", "pi/0", "1//2", "2 pi", "pipi", "1/2pi", "inf", "--1"}) {
    EXPECT_FALSE(parse_constant(text)) << text;
  }
}

TEST(PositionMap, PutsScaledAndShiftedPositionsOnALatticeOfIntegers) {
  const PositionMap normalised(1, {Rational(2, 14), 0}, {Rational(-13, 14), 0});
  EXPECT_EQ(normalised.quantum(), (Constant{Rational(1, 14), 0}));
  EXPECT_EQ(normalised.place(0), -13);
  EXPECT_EQ(normalised.place(13), 13);
  EXPECT_EQ(normalised.text(13), "13");
  const PositionMap stored(Rational(1, 4), {1000, 0}, {0, 0});
  EXPECT_EQ(stored.place(3), 3);
  EXPECT_EQ(stored.text(3), "0.75");
  EXPECT_TRUE(PositionMap().is_plain());
}

TEST(PositionMap, RefusesALatticeThatDoublesDoNotHold) {
  EXPECT_THROW(PositionMap(Rational(1, std::int64_t{1} << 60), {1, 0}, {Rational(1, 3), 0}), InputError);
  EXPECT_THROW(PositionMap(1, {1000, 0}, {0, 0}).place(largest_position), InputError);
}

/// The phase is a quarter of a turn a position, and nothing is left to round.
TEST(RealPositions, QuarterTurnsAreExact) {
  const auto encoding = parsed(
      R"({"scheme": "rope", "head_dim": 4, "rope_theta": 100, "position_scale": "1/4", "frequency_scale": "2pi"})");
  auto table = encoding->plain_tables().front();
  const std::array cosines{1.0, 0.0, -1.0, 0.0, 1.0};
  CertifiedTable certified(table);
  std::vector<Enclosure> row(2);
  for (std::size_t p = 0; p < cosines.size(); ++p) {
    EXPECT_EQ(correctly_rounded(Format::binary64, table.entry(static_cast<std::int64_t>(p), 0)), cosines[p]);
    certified.row(static_cast<std::int64_t>(p), row);
    EXPECT_EQ(row[0].middle.high, cosines[p]);
    EXPECT_EQ(row[0].radius, 0);
  }
  // A twelfth of a turn: its sine is a half.
  const auto twelfths =
      parsed(R"({"scheme": "rope", "head_dim": 4, "position_scale": "1/12", "frequency_scale": "2pi"})");
  const auto sines = twelfths->plain_tables().back();
  EXPECT_EQ(sines.role, "sin");
  EXPECT_EQ(correctly_rounded(Format::binary64, sines.entry(1, 0)), 0.5);
  EXPECT_EQ(correctly_rounded(Format::binary64, sines.entry(7, 0)), -0.5);
}

TEST(RealPositions, BadOnesAreOneSentence) {
  const std::string start = R"({"scheme":"sinusoidal","d_model":256,)";
  EXPECT_THAT(refusal_of_spec(start + R"("downscale_freq_shift":128})"),
              HasSubstr("downscale_freq_shift 128 with 128 pairs divides by zero"));
  EXPECT_THAT(refusal_of_spec(start + R"("downscale_freq_shift":129})"), HasSubstr("a number less than 128"));
  EXPECT_THAT(refusal_of_spec(start + R"("downscale_freq_shift":1,"frequency":"tensor2tensor"})"),
              HasSubstr("downscale_freq_shift"));
  EXPECT_THAT(refusal_of_spec(start + R"("position_scale":0})"),
              HasSubstr("position_scale: found 0, expected"));
  EXPECT_THAT(refusal_of_spec(start + R"("position_scale":"-1"})"), HasSubstr("position_scale"));
  EXPECT_THAT(refusal_of_spec(start + R"("position_scale":"1/0"})"), HasSubstr("position_scale"));
  EXPECT_THAT(refusal_of_spec(start + R"("frequency_scale":"two"})"), HasSubstr("frequency_scale"));
  EXPECT_THAT(refusal_of_spec(start + R"("position_unit":"1/3"})"), HasSubstr("a power of two"));
  EXPECT_THAT(refusal_of_spec(start + R"("position_scale":"2pi","position_offset":1})"),
              HasSubstr("a multiple of pi, as position_scale is one"));
  EXPECT_THAT(refusal_of_spec(start + R"("position_offset":"pi"})"), HasSubstr("without pi"));
  EXPECT_THAT(refusal_of_spec(start + R"("position_scale":1e12,"position_offset":"1/999999999989"})"),
              HasSubstr("expected at most 2^53 steps"));
}

/// diffusers' get_timestep_embedding with downscale_freq_shift 1, scale 1000 and a zero column at the end.
TEST(RealPositions, TheTimestepEmbeddingOfDiffusersIsWhatTheFormulaSays) {
  const auto encoding = parsed(
      R"({"scheme":"sinusoidal","d_model":7,"layout":"halves","order":"cos_sin","downscale_freq_shift":1,"position_scale":1000})");
  const auto table = encoding->plain_tables().front();
  ASSERT_EQ(table.columns.size(), 7U);
  EXPECT_EQ(table.columns.back().component, Component::zero);
  EXPECT_EQ(table.columns.front().component, Component::cosine);
  EXPECT_EQ(table.frequencies.pairs(), 3);
  EXPECT_NEAR(table.frequencies.approximate(1), 1000 / 100.0, 1e-12);
  EXPECT_NEAR(table.frequencies.approximate(2), 1000 / 10000.0, 1e-14);
}

}  // namespace
}  // namespace vernier
