// Rotary encodings of more than one position, M-RoPE and axial RoPE, and xPos: what each axis turns by,
// against decimals computed with mpmath at 50 digits. PositionOracle has the pairs of every reading.

#include <array>
#include <cmath>
#include <string>
#include <vector>

#include <gmock/gmock.h>

#include "reference/numbers/powers.hpp"
#include "reference/schemes/encoding_of.hpp"
#include "reference/schemes/rope.hpp"
#include "reference/schemes/xpos.hpp"
#include "reference/support/input_error.hpp"
#include "reference/test/exact.hpp"
#include "reference/test/parsed.hpp"

namespace vernier {
namespace {

using ::testing::ElementsAre;
using ::testing::StrEq;

/// A row of the first table of a role.
std::vector<std::string> row(const Encoding& encoding, std::string_view role, std::int64_t position,
                             int places) {
  std::vector<std::string> result;
  const auto add = [&](const auto& table) {
    for (std::size_t column = 0; column < columns_of(table); ++column) {
      result.push_back(decimal(table.entry(position, column), places));
    }
  };
  for (const auto& tensor : encoding.tensors()) {
    if (role_of(tensor) != role || !result.empty()) {
      continue;
    }
    if (const auto* table = std::get_if<TurnedTable>(&tensor); table != nullptr && !table->is_plain()) {
      add(*table);
    }
  }
  return result;
}

// M-RoPE
// ------------------------------------------------------------------------------------------------------

RopeSpec qwen_vl(const std::string& order) {
  const auto encoding = parsed(R"({"scheme": "rope", "head_dim": 128, "rope_scaling": {"rope_type": "default",
                                  "mrope_section": )" +
                               order + "}}");
  return dynamic_cast<const RopeEncoding&>(*encoding).parameters();
}

TEST(MRope, OfTextHasAFourthPositionOfZeroInLlamaCpp) {
  EXPECT_THAT(qwen_vl("[24, 20, 20]").mrope->of_text(7), ElementsAre(7, 7, 7));
  EXPECT_THAT(qwen_vl(R"([24, 20, 20], "mrope_reading": "ggml")").mrope->of_text(7), ElementsAre(7, 7, 7, 0));
}

// Axial RoPE
// --------------------------------------------------------------------------------------------------

std::string axial(const std::string& keys) {
  return R"({"scheme": "axial_rope", "head_dim": 8, "grid_width": 4, )" + keys + "}";
}

/// Position 11 is row 2, column 3. Pixtral: 2 w_0, 2 w_2, 3 w_1, 3 w_3 of w_k = 10000^(-2k/8); Llama 4, which
/// counts from 1, has the column first: 4 v_0, 4 v_1, 3 v_0, 3 v_1 of v_k = 10000^(-2k/4); ggml: 2 v_0, 2
/// v_1, 3 v_0, 3 v_1.
TEST(AxialRope, HasTheValuesOfEachReading) {
  const auto pixtral = parsed(axial(R"("reading": "pixtral")"));
  EXPECT_THAT(row(*pixtral, "cos", 11, 15), ElementsAre("-0.416146836547142", "0.999800006666578",
                                                        "0.955336489125606", "0.999995500003375"));
  EXPECT_THAT(row(*pixtral, "sin", 11, 15), ElementsAre("0.909297426825682", "0.019998666693333",
                                                        "0.295520206661340", "0.002999995500002"));
  const auto llama = parsed(axial(R"("reading": "llama4_vision")"));
  EXPECT_THAT(row(*llama, "cos", 11, 15), ElementsAre("-0.653643620863612", "0.999200106660978",
                                                      "-0.989992496600445", "0.999550033748988"));
  const auto ggml = parsed(axial(R"("reading": "ggml_vision")"));
  EXPECT_THAT(row(*ggml, "sin", 11, 15), ElementsAre("0.909297426825682", "0.019998666693333",
                                                     "0.141120008059867", "0.029995500202496"));
}

TEST(AxialRope, RefusesPositionsBeforeTheFirstPatch) {
  const auto encoding = parsed(axial(R"("reading": "pixtral")"));
  const auto table = encoding->all<TurnedTable>(&TurnedTable::axes).at(0);
  EXPECT_THROW(table.entry(-1, 0), InputError);
}

std::string listed_of_8(const std::string& keys) {
  return R"({"scheme": "axial_rope", "head_dim": 8, )" + keys + "}";
}

/// The wide table's entries of a token, two decimals each.
std::vector<std::string> wide_row(const std::string& spec, const std::vector<std::int64_t>& token) {
  const auto table = parsed(spec)->all<TurnedTable>(&TurnedTable::axes).at(1);
  std::vector<std::string> result;
  for (std::size_t column = 0; column < columns_of(table); ++column) {
    result.push_back(decimal(table.entry(token, column), 2));
  }
  return result;
}

/// cos 2 = -0.42, cos 0.02 = 1.00, cos 3 = -0.99, cos 0.5 = 0.88 (w_1 of base 100 and width 4 is 1/10).
TEST(AxialRope, TurnsEachAxisListedByItsOwnFrequencies) {
  const std::string two = R"("axes": [{"dims": 4}, {"dims": 4, "rope_theta": 100}])";
  EXPECT_THAT(wide_row(listed_of_8(two), {2, 5}),
              ElementsAre("-0.42", "-0.42", "1.00", "1.00", "0.28", "0.28", "0.88", "0.88"));
  EXPECT_THAT(wide_row(listed_of_8(two + R"(, "layout": "half")"), {2, 5}),
              ElementsAre("-0.42", "1.00", "0.28", "0.88", "-0.42", "1.00", "0.28", "0.88"));
  EXPECT_THAT(wide_row(listed_of_8(two + R"(, "layout": "half_per_axis")"), {2, 5}),
              ElementsAre("-0.42", "1.00", "-0.42", "1.00", "0.28", "0.88", "0.28", "0.88"));
  EXPECT_THAT(wide_row(listed_of_8(two + R"(, "arrangement": "alternating")"), {2, 5}),
              ElementsAre("-0.42", "-0.42", "0.28", "0.28", "1.00", "1.00", "0.88", "0.88"));
}

/// cos 2.5 = -0.80 and cos 0.025 = 1.00; 2 * 5 + 3 = 13, cos 13 = 0.91 and cos 0.13 = 0.99; cos 10 = -0.84.
TEST(AxialRope, ScalesAndShiftsPositionsOfEachAxis) {
  const auto row_of = [](const std::string& keys) { return row(*parsed(listed_of_8(keys)), "cos", 5, 2); };
  const std::string one = R"({"dims": 4, "position_scale": 0.5})";
  EXPECT_THAT(row_of(R"("axes": [)" + one + R"(, {"dims": 4, "position_scale": 2, "position_offset": 3}])"),
              ElementsAre("-0.80", "1.00", "0.91", "0.99"));
  // What the spec says is of those that do not say it.
  EXPECT_THAT(
      row_of(R"("position_scale": 2, "position_offset": 3, "axes": [{"dims": 4, "position_offset": 0}, )" +
             std::string(R"({"dims": 4}])")),
      ElementsAre("-0.84", "1.00", "0.91", "0.99"));
}

TEST(AxialRope, TellsPositionsOnceThatAllAxesHave) {
  const auto told = [](const std::string& axes) {
    return parsed(listed_of_8(R"("position_scale": 2, "axes": [)" + axes + "]"))->summary();
  };
  EXPECT_THAT(told(R"({"dims": 4}, {"dims": 4})"), testing::HasSubstr("4 of base 10000, 4 of base 10000 in"));
  EXPECT_THAT(told(R"({"dims": 4}, {"dims": 4, "position_scale": 3})"),
              testing::Not(testing::HasSubstr("4 of base 10000, 4")));
}

/// 2 pi (2 / 5) 25 / 10 is a turn, whose sine no interval decides: 100^(-2/4) is 1/10.
TEST(AxialRope, KnowsWhereItsPhasesAreMultiplesOfPi) {
  EXPECT_THAT(
      row(*parsed(R"({"scheme": "axial_rope", "head_dim": 16, "rope_theta": 100, "frequency_scale": "2pi",
                             "position_scale": "2/5", "axes": [{"dims": 8}, {"dims": 8}]})"),
          "sin", 25, 2),
      ElementsAre("0.00", "0.85", "0.00", "0.91", "0.00", "0.85", "0.00", "0.91"));
}

TEST(AxialRope, LeavesWhatTheAxesDoNotTakeAsItIs) {
  const auto rotation =
      parsed(listed_of_8(R"("axes": [{"dims": 4}, {"dims": 2}], "layout": "half_per_axis")"))
          ->all<HeadRotation>();
  ASSERT_EQ(rotation.size(), 2U);  // and its gradient
  EXPECT_THAT(rotation[0].passed_through(), ElementsAre(6U, 7U));
  EXPECT_THAT(rotation[0].pairs, ElementsAre(std::pair(0U, 2U), std::pair(1U, 3U), std::pair(4U, 5U)));
  EXPECT_THAT(rotation[0].axes, ElementsAre(0, 0, 1));
}

/// Position 23 of a grid of 2 x 3 is 3, 1, 2; without a grid it is 23 on every axis.
TEST(AxialRope, CountsTokensAlongItsGrid) {
  const std::string three = R"("axes": [{"dims": 2}, {"dims": 4}, {"dims": 2}])";
  const auto along = [&](const std::string& keys) {
    return parsed(listed_of_8(three + keys))
        ->all<TurnedTable>(&TurnedTable::axes)
        .at(0)
        .axes->positions.of_position(23)
        .value();
  };
  EXPECT_THAT(along(R"(, "grid": [2, 3])"), ElementsAre(3, 1, 2));
  EXPECT_THAT(along(""), ElementsAre(23, 23, 23));
  EXPECT_THROW(parsed(listed_of_8(three + R"(, "grid": [2, 3])"))
                   ->all<TurnedTable>(&TurnedTable::axes)
                   .at(0)
                   .entry(-1, 0),
               InputError);
}

/// Cosmos stretches the base of each axis by s^(d/(d - 2)) of its own width.
TEST(AxialRope, ScalesEachAxisByItsOwnRule) {
  const std::string scaled =
      R"("axes": [{"dims": 4, "rope_scaling": {"rope_type": "ntk", "alpha": 9}}, {"dims": 4}])";
  const std::string stretched = R"("axes": [{"dims": 4, "rope_theta": 810000}, {"dims": 4}])";
  EXPECT_EQ(wide_row(listed_of_8(scaled), {2000, 5}), wide_row(listed_of_8(stretched), {2000, 5}));
}

// xPos
// --------------------------------------------------------------------------------------------------------

std::string xpos(const std::string& keys) {
  return R"({"scheme": "xpos", "head_dim": 8, )" + keys + "}";
}

TEST(Xpos, HasItsCentreWhereTheConventionSays) {
  const auto centre = [](const std::string& name, int length) {
    const auto encoding =
        parsed(xpos(R"("centre": ")" + name + R"(", "sequence_length": )" + std::to_string(length)));
    return dynamic_cast<const XposEncoding&>(*encoding).parameters().centre_position();
  };
  EXPECT_EQ(centre("torchscale", 7), 4);
  EXPECT_EQ(centre("flash_attn", 7), 3);
  EXPECT_EQ(centre("x_transformers", 7), 3);
  for (const auto& convention : xpos_centres()) {
    EXPECT_EQ(centre(std::string(convention.name), 8), 4) << convention.name;
    EXPECT_EQ(centre(std::string(convention.name), 1), convention.rounds_up ? 1 : 0) << convention.name;
  }
}

/// (7/8)^3 = 343/512 is halfway between two numbers of bfloat16, (9/16)^(7/2) = (3/4)^7 = 2187/16384 between
/// two of binary16, and 2^-1075 between zero and the least of binary64: ties go to the even one.
TEST(Xpos, DecidesScalesThatAreHalfwayBetweenNumbersOfAFormat) {
  const auto scale = [](int head_dim, std::int64_t position, int pair) {
    const auto encoding =
        parsed(R"({"scheme": "xpos", "sequence_length": 2, "head_dim": )" + std::to_string(head_dim) + "}");
    return dynamic_cast<const XposEncoding&>(*encoding).parameters().scale(XposSpec::Operand::query, position,
                                                                           pair);
  };
  EXPECT_EQ(correctly_rounded(Format::bfloat16, scale(80, 1 + 3 * 512, 33)), 344.0 / 512);
  EXPECT_EQ(correctly_rounded(Format::binary16, scale(160, 1 + 7 * 256, 31)), 2188.0 / 16384);
  EXPECT_EQ(correctly_rounded(Format::binary64, scale(20, 1 + 1075 * 512, 3)), 0);
  EXPECT_EQ(correctly_rounded(Format::binary64, scale(20, 1 + 1074 * 512, 3)), 0x1p-1074);
}

TEST(RationalPower, IsExactWhereTheResultIsShortAndRational) {
  const WorkingPrecision precision(256);
  const auto is = [](const Rational& base, const Rational& exponent, const Rational& expected) {
    const Interval value = rational_power(base, exponent)();
    return contains(value, expected) && radius(value) == 0;
  };
  EXPECT_TRUE(is(Rational(9, 16), Rational(1, 2), Rational(3, 4)));
  EXPECT_TRUE(is(Rational(9, 16), Rational(3, 2), Rational(27, 64)));
  EXPECT_TRUE(is(Rational(16, 9), Rational(-1, 2), Rational(3, 4)));
  EXPECT_TRUE(is(Rational(1, 2), -40, power_of_two(40)));
  EXPECT_TRUE(is(Rational(2, 7), 0, 1));
  EXPECT_TRUE(is(1, Rational(1, 3), 1));
}

/// Squares of square roots, and powers too long to be exact, against rationals of another making.
TEST(RationalPower, EnclosesTheOthersTightly) {
  const WorkingPrecision precision(256);
  const Interval root = rational_power(Rational(2, 7), Rational(1, 2))();
  EXPECT_TRUE(contains(Interval(root * root), Rational(2, 7)));
  EXPECT_GT(radius(root), 0);
  EXPECT_LT(radius(root), 0x1p-250);
  Rational power = 1;
  for (int i = 0; i < 4000; ++i) {
    power *= Rational(3, 8);
  }
  const Interval enclosed = rational_power(Rational(3, 8), 4000)();
  EXPECT_TRUE(contains(enclosed, power));
  EXPECT_LT(radius(Interval(enclosed / enclose(power))), 0x1p-230);
}

/// 2^-65 is too small a unit for 64 bits to count to 1, and 0 is whole in it too.
TEST(AxialRope, OfAGridInATinyUnitHasTheTokenZeroAlone) {
  const auto encoding = parsed(listed_of_8(
      R"("axes": [{"dims": 4}, {"dims": 4}], "grid": [4], "position_unit": "1/36893488147419103232")"));
  const auto axes = encoding->all<TurnedTable>(&TurnedTable::axes).front().axes->positions;
  EXPECT_THAT(axes.of_position(0).value(), ElementsAre(0, 0));
  EXPECT_THROW(axes.of_position(1), InputError);
  EXPECT_THROW(axes.of_position(largest_place), InputError);
}

/// The first patch stands at -1/4 along axis 1, which is the place -1 of its lattice of quarters, and the row
/// of zeros has -1 along both axes where positions are given.
TEST(SinusoidAxes, APlaceIsNoRowOfZeros) {
  const auto encoding = parsed(R"({"scheme": "sinusoidal", "base": 100, "layout": "halves", "grid": [4],
      "zero_prefix": 1, "axes": [{"dims": 4},
      {"dims": 4, "position_scale": "2/4", "position_offset": "-1/4"}]})");
  const auto table = encoding->all<TurnedTable>(&TurnedTable::axes).at(0);
  for (std::int64_t position = -1; position < 16; ++position) {
    for (std::size_t column = 0; column < columns_of(table); ++column) {
      const int axis = table.axis(column);
      const double at =
          axis == 0 ? static_cast<double>(position / 4) : static_cast<double>(position % 4) / 2 - 0.25;
      const auto& [pair, component] = table.sines.columns[column];
      const double phase = at / (pair % 2 == 0 ? 1 : 10);
      const double expected = position < 0                   ? 0
                              : component == Component::sine ? std::sin(phase)
                                                             : std::cos(phase);
      EXPECT_NEAR(*correctly_rounded(Format::binary64, table.entry(position, column)), expected, 0x1p-50)
          << position << ", " << column;
    }
  }
  const std::vector<std::vector<std::int64_t>> given{{-1, 0, -1}, {-1, 0, 2}};
  EXPECT_THAT(table.axes->positions.zero_rows(given), ElementsAre(true, false, false));
}

// Specs
// -------------------------------------------------------------------------------------------------------

TEST(BadSpecs, OfSeveralPositionsAreRefusedWithFileKeyFoundAndExpected) {
  const auto expect_refused = [](const std::string& spec, const std::string& sentence) {
    EXPECT_THAT(refusal_of_spec(spec), StrEq("case.json: spec." + sentence)) << spec;
  };
  expect_refused(R"({"scheme": "axial_rope", "head_dim": 6, "grid_width": 4})",
                 "head_dim: found 6, expected a multiple of 4, as each of the two axes turns whole pairs");
  expect_refused(R"({"scheme": "axial_rope", "head_dim": 8})",
                 "grid_width: missing, expected an integer from 1 to 2147483648");
  expect_refused(axial(R"("reading": "eva")"),
                 "reading: found the string \"eva\", expected \"pixtral\", \"llama4_vision\" or "
                 "\"ggml_vision\"");
  expect_refused(listed_of_8(R"("axes": [{"dims": 4}, {"dims": 6}])"),
                 "axes: found an array, expected axes that add up to at most the 8 dimensions of the head, "
                 "not 10");
  expect_refused(listed_of_8(R"("axes": [{"dims": 8, "rope_scaling": {"type": "linear", "factor": 2}}])"),
                 "axes[0].rope_scaling.rope_type: missing, expected a string");
  expect_refused(listed_of_8(R"("axes": [{"dims": 4}, {"dims": 3}])"),
                 "axes[1].dims: found 3, expected an even number, as an axis turns whole pairs");
  expect_refused(listed_of_8(R"("axes": [{"dims": 4}, 4])"), "axes[1]: found 4, expected an object");
  expect_refused(listed_of_8(R"("axes": [])"), "axes: found an array, expected 1 to 8 axes; there are 0");
  expect_refused(listed_of_8(R"("axes": [{"dims": 8}], "grid": [2])"),
                 "grid: found an array, expected none, as there is one axis");
  expect_refused(listed_of_8(R"("axes": [{"dims": 4}, {"dims": 4, "theta": 5}])"),
                 "axes[1]: found the unknown key \"theta\", expected only dims, rope_theta, rope_scaling, "
                 "frequency, first, last, position_scale, position_offset, frequency_scale; did you mean "
                 "\"rope_theta\"?");
  expect_refused(
      listed_of_8(R"("axes": [{"dims": 4}, {"dims": 4, "position_scale": "pi", "position_offset": 1}])"),
      "axes[1].position_offset: found 1, expected a multiple of pi, as position_scale is one");
  expect_refused(listed_of_8(R"("axes": [{"dims": 4}, {"dims": 2}], "arrangement": "alternating")"),
                 "arrangement: found the string \"alternating\", expected \"blocks\", or axes that all have "
                 "the same dims to alternate among");
  const std::string axes = R"("axes": [{"dims": 2}, {"dims": 2}])";
  expect_refused(
      R"({"scheme": "sinusoidal", "zero_prefix": 3, "position_unit": "1/4611686018427387904", )" + axes + "}",
      "position_unit: found the string \"1/4611686018427387904\", expected a power of two from 3/2^53 on, as "
      "\"zero_prefix\" is 3");
  EXPECT_NO_THROW(
      parsed(R"({"scheme": "sinusoidal", "zero_prefix": 1, "position_unit": "1/9007199254740992", )" + axes +
             "}")
          ->tensors());
  const auto expect_mrope_refused = [&](const std::string& keys, const std::string& sentence) {
    expect_refused(
        R"({"scheme": "rope", "head_dim": 16, "rope_scaling": {"rope_type": "default", )" + keys + "}}",
        "rope_scaling." + sentence);
  };
  expect_mrope_refused(
      R"("mrope_section": [3, 2, 3], "mrope_reading": "ernie")",
      "mrope_section: found an array, expected as many pairs by height as by width, which take "
      "turns");
  expect_mrope_refused(R"("mrope_section": [4, 2, 2], "mrope_reading": "xdrope")",
                       "mrope_section: found an array, expected four numbers of pairs that add up to 8");
  expect_mrope_refused(R"("mrope_section": [4, 2, 2], "mrope_reading": "openpangu")",
                       "mrope_interleaved: missing, expected true with the reading openpangu");
  expect_mrope_refused(
      R"("mrope_section": [0, 4, 4], "mrope_interleaved": true, "mrope_reading": "openpangu")",
      "mrope_section: found an array, expected a pair by time, as the last one is");
  expect_mrope_refused(R"("pair_axes": [0, 1, 2])",
                       "pair_axes: found an array, expected 8 axes, one a pair, each from 0 to 7");
  expect_mrope_refused(R"("pair_axes": [0, 1, 2, 0, 0, 0, 0, 0], "mrope_section": [4, 2, 2])",
                       "mrope_section: found an array, expected either it or pair_axes, not both");
  expect_refused(
      listed_of_8(
          R"("axes": [{"dims": 4}, {"dims": 4}], "arrangement": "alternating", "layout": "half_per_axis")"),
      "layout: found the string \"half_per_axis\", expected \"half\" or \"interleaved\", as axes that "
      "alternate have no block of their own");
  expect_refused(listed_of_8(R"("axes": [{"dims": 4}, {"dims": 4}], "grid": [4, 4])"),
                 "grid: found an array, expected one integer, the length of each axis but the first");
  expect_refused(listed_of_8(R"("axes": [{"dims": 4}, {"dims": 4}], "grid": [0])"),
                 "grid[0]: found 0, expected an integer from 1 to 2147483648");
  expect_refused(listed_of_8(R"("axes": [{"dims": 4, "rope_scaling": {"rope_type": "yarn", "factor": 4,
                                     "original_max_position_embeddings": 64}}, {"dims": 4}])"),
                 "axes[0].rope_scaling.rope_type: found the string \"yarn\", expected a scaling that leaves "
                 "cosines and sines as they are, as all axes share one amplitude");
  expect_refused(R"({"scheme": "xpos", "head_dim": 8})",
                 "sequence_length: missing, expected an integer from 1 to 2147483648");
  expect_refused(R"({"scheme": "xpos", "head_dim": 7, "sequence_length": 9})",
                 "head_dim: found 7, expected an even number, as dimensions rotate in pairs");
  expect_refused(xpos(R"("sequence_length": 9, "scale_base": 0)"),
                 "scale_base: found 0, expected a number from 1e-30 to 1e30");
  expect_refused(xpos(R"("sequence_length": 9, "centre": "middle")"),
                 "centre: found the string \"middle\", expected \"torchscale\", \"flash_attn\" or "
                 "\"x_transformers\"");
  expect_refused(
      R"({"scheme": "rope", "head_dim": 16, "rope_scaling": {"rope_type": "default",
                     "mrope_section": [4, 2, 2], "mrope_reading": "vllm"}})",
      "rope_scaling.mrope_reading: found the string \"vllm\", expected \"huggingface\", \"ggml\", "
      "\"ernie\", \"xdrope\" or \"openpangu\"");
}

}  // namespace
}  // namespace vernier
