// Ends of what specs of schemes take, and what is said of those that are not usual.

#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>

#include "reference/schemes/joint_table.hpp"
#include "reference/test/parsed.hpp"

namespace vernier {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::Optional;

std::string summary_of(const std::string& spec) {
  return parsed(spec)->summary();
}

TEST(SpecEdges, AxesAreEightAtMost) {
  for (const std::string keys : {R"("sinusoidal")", R"("axial_rope", "head_dim": 64)"}) {
    std::string axes;
    for (int axis = 0; axis < 9; ++axis) {
      axes += std::string(axis == 0 ? "" : ", ") + R"({"dims": 2})";
    }
    EXPECT_THAT(refusal_of_spec(R"({"scheme": )" + keys + R"(, "axes": [)" + axes + "]}"),
                HasSubstr("expected 1 to 8 axes; there are 9"));
  }
}

TEST(SpecEdges, RotaryAxesSayWhatIsTheirOwn) {
  const auto text = summary_of(R"({"scheme": "axial_rope", "head_dim": 32, "identity_front": 2, "axes": [
      {"dims": 8, "frequency": "linear", "first": "pi", "last": "9pi"},
      {"dims": 8, "rope_scaling": {"rope_type": "linear", "factor": 2}},
      {"dims": 4, "position_scale": 3}]})");
  EXPECT_THAT(text, AllOf(HasSubstr("8 of frequencies "), HasSubstr("8 of base 10000 linear scaling by 2"),
                          HasSubstr("4 of base 10000, positions times 3"),
                          HasSubstr(", 2 dimensions of identity in front"), Not(HasSubstr("in back"))));
}

TEST(SpecEdges, SinusoidsSayTheOrderOfTheirAxes) {
  const std::string axes = R"({"scheme": "sinusoidal", "axes": [{"dims": 8}, {"dims": 4}])";
  EXPECT_THAT(summary_of(axes + R"(, "block_order": [1, 0]})"), HasSubstr("; in the order 1, 0"));
  EXPECT_THAT(summary_of(axes + R"(, "block_order": [0, 1]})"), Not(HasSubstr("in the order")));
}

TEST(SpecEdges, RowsOfZerosAreThoseDirectlyBeforeZero) {
  const auto encoding =
      parsed(R"({"scheme": "sinusoidal", "zero_prefix": 2, "axes": [{"dims": 4}, {"dims": 4}]})");
  const auto table = encoding->all<TurnedTable>(&TurnedTable::axes).front();
  const auto& of_position = table.axes->positions.of_position;
  EXPECT_EQ(of_position(-1), std::nullopt);
  EXPECT_EQ(of_position(-2), std::nullopt);
  EXPECT_THAT(of_position(-3), Optional(ElementsAre(-3, -3)));
  EXPECT_THAT(of_position(0), Optional(ElementsAre(0, 0)));
}

/// A position has 2^23 places of an eighth, and beyond 2^53 is none.
TEST(SpecEdges, ARowOfPaddingLiesAmongThePlaces) {
  const auto padding_of = [](const std::string& index) {
    return parsed(
               R"({"scheme": "sinusoidal", "d_model": 4, "position_scale": 1048576, "position_offset": "1/8",
                      "padding_idx": )" +
               index + "}")
        ->plain_tables()
        .front()
        .zero_position;
  };
  EXPECT_EQ(padding_of("1"), (std::int64_t{1} << 23) + 1);
  EXPECT_EQ(padding_of("-1073741824"), -(std::int64_t{1} << 53) + 1);
  EXPECT_EQ(padding_of("1073741824"), std::nullopt);
  EXPECT_EQ(padding_of("-1073741825"), std::nullopt);
}

/// Blocks are counted, whatever the positions in them; phases are those of the position 1, in its unit.
TEST(SpecEdges, PositionsAlongAnAxisAreThoseOfItsRows) {
  const auto pooled = parsed(R"({"scheme": "axial_rope", "head_dim": 8, "pool": [2, 2],
                                 "axes": [{"dims": 4, "position_offset": 5}, {"dims": 4}]})");
  EXPECT_TRUE(pooled->positions_along(0).is_plain());
  const auto phases =
      parsed(R"({"scheme": "fourier_features", "frequencies": [[1, 2], [3, 4]], "phases": [0.5, 0.25],
                                 "position_unit": "1/4",
                                 "axes": [{"position_scale": 3}, {"position_scale": 7}]})");
  EXPECT_EQ(phases->positions_along(1).scale(), (Constant{7, 0}));
  EXPECT_TRUE(phases->positions_along(2).scale().is_one());
  EXPECT_EQ(phases->positions_along(2).unit(), Rational(1, 4));
}

TEST(SpecEdges, FourierSumsHaveNoMoreRowsAndColumnsThanPairs) {
  const auto refused = [](const std::string& cosines, const std::string& sines) {
    return refusal_of_spec(
        R"({"scheme": "fourier_sums", "head_dim": 4, "rotary_dim": 2, "cosine_coefficients": [)" + cosines +
        R"(], "sine_coefficients": [)" + sines + "]}");
  };
  EXPECT_EQ(refused("[[1, 2]]", "[[3, 4]]"), "");
  EXPECT_THAT(refused("[[1], [2]]", "[[1], [2]]"), HasSubstr("no more rows than rotary_dim/2"));
  EXPECT_THAT(refused("[[1, 2, 3]]", "[[1, 2, 3]]"), HasSubstr("no more columns than head_dim/2"));
  EXPECT_THAT(refused("[[1, 2]]", "[[1], [2]]"),
              HasSubstr("as many rows and columns as cosine_coefficients"));
}

/// Cosines that are kept from a lower precision do not stand for those of a higher one.
TEST(SpecEdges, FourierSumsAreMadeAnewForEachPrecision) {
  const auto table =
      parsed(R"({"scheme": "fourier_sums", "head_dim": 4, "cosine_coefficients": [[[1, 2], [3, 4]]],
                                "sine_coefficients": [[[1, 2], [3, 4]]]})")
          ->all<ExactTable>()
          .at(0);
  const auto entry = table.entry(5, 0);
  for (const unsigned bits : {64U, 512U, 64U}) {
    const WorkingPrecision precision(bits);
    const double width = radius(entry());
    EXPECT_LT(width, std::ldexp(1.0, 10 - static_cast<int>(bits))) << bits;
    EXPECT_GT(width, std::ldexp(1.0, -30 - static_cast<int>(bits))) << bits;
  }
}

TEST(SpecEdges, EncodingsKnowWhichTablesTheyHave) {
  const auto has = [](const std::string& spec) {
    const auto encoding = parsed(spec);
    return std::vector{encoding->has_plain_tables(), encoding->axes() != nullptr,
                       encoding->has_scaled_tables()};
  };
  EXPECT_THAT(has(R"({"scheme": "rope", "head_dim": 8})"), ElementsAre(true, false, false));
  EXPECT_THAT(has(R"({"scheme": "axial_rope", "head_dim": 8, "grid_width": 5})"),
              ElementsAre(false, true, false));
  EXPECT_THAT(has(R"({"scheme": "xpos", "head_dim": 8, "sequence_length": 64})"),
              ElementsAre(false, false, true));
  EXPECT_THAT(has(R"({"scheme": "alibi", "num_heads": 8})"), ElementsAre(false, false, false));
}

TEST(SpecEdges, OneTableJoinsTheFirstOfEachRole) {
  const auto joint = joint_table(*parsed(R"({"scheme": "rope", "head_dim": 8})"));
  EXPECT_EQ(joint.role, "cos and sin");
  ASSERT_EQ(joint.columns.size(), 8U);
  EXPECT_EQ(joint.columns[3].component, Component::cosine);
  EXPECT_EQ(joint.columns[4].component, Component::sine);
  EXPECT_EQ(joint_table(*parsed(R"({"scheme": "sinusoidal", "d_model": 6})")).role, "encoding");
}

TEST(SpecEdges, PositionIdsAreOfOneSegmentAtLeast) {
  EXPECT_THAT(refusal_of_spec(R"({"scheme": "position_ids", "rule": "qwen2_vl", "segments": []})"),
              HasSubstr("spec.segments: found an array, expected"));
}

TEST(SpecEdges, UnitsArePowersOfTwo) {
  for (const auto* unit : {R"("1/3")", R"("3/4")", "3", "0", "-2", R"("pi")"}) {
    EXPECT_THAT(refusal_of_spec(R"({"scheme": "sinusoidal", "d_model": 4, "position_unit": )" +
                                std::string(unit) + "}"),
                HasSubstr("expected a power of two"))
        << unit;
  }
}

TEST(SpecEdges, ThePresentNameOfAKeyCountsBesideItsOlderOne) {
  const auto spec = parsed(R"({"scheme": "rope", "head_dim": 8,
      "rope_scaling": {"type": "linear", "rope_type": "ntk", "alpha": 8}})");
  EXPECT_EQ(spec->spec().at("rope_scaling").at("rope_type"), "ntk");
}

}  // namespace
}  // namespace vernier
