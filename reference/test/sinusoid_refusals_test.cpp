// What a spec of sinusoids along several axes, or of frequencies between bounds, may not say.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reference/test/parsed.hpp"

namespace vernier {
namespace {

using ::testing::HasSubstr;

std::string refusal_of_sinusoid(const std::string& keys) {
  return refusal_of_spec(R"({"scheme": "sinusoidal", )" + keys + "}");
}

TEST(SinusoidRefusals, AreOneSentence) {
  const std::string two = R"("axes": [{"dims": 8}, {"dims": 4}])";
  const auto bounds = [](const std::string& keys) {
    return R"("d_model": 8, "frequency": "geometric", )" + keys;
  };
  EXPECT_THAT(refusal_of_sinusoid(R"("axes": [])"), HasSubstr("expected 1 to 8 axes; there are 0"));
  EXPECT_THAT(refusal_of_sinusoid(two + R"(, "d_model": 8)"),
              HasSubstr("d_model: found 8, expected 12, the sum of the dims"));
  EXPECT_THAT(refusal_of_sinusoid(two + R"(, "d_model": 13)"), HasSubstr("d_model: found 13, expected 12"));
  EXPECT_THAT(refusal_of_sinusoid(two + R"(, "grid": [0])"),
              HasSubstr("grid[0]: found 0, expected an integer from 1"));
  EXPECT_THAT(refusal_of_sinusoid(two + R"(, "grid": [4, 4])"),
              HasSubstr("grid: found an array, expected one integer"));
  EXPECT_THAT(refusal_of_sinusoid(two + R"(, "block_order": [0, 0])"),
              HasSubstr("block_order: found an array, expected each"));
  EXPECT_THAT(refusal_of_sinusoid(R"("axes_layout": "across", "layout": "interleaved", )" + two),
              HasSubstr("layout: found"));
  EXPECT_THAT(refusal_of_sinusoid(R"("axes": [{"dims": 8, "position_unit": 1}, {"dims": 8}])"),
              HasSubstr("position_unit"));
  EXPECT_THAT(refusal_of_sinusoid(bounds(R"("first": 1)")), HasSubstr("last: missing, expected a frequency"));
  EXPECT_THAT(refusal_of_sinusoid(bounds(R"("first": 0, "last": 1)")),
              HasSubstr("first: found 0, expected a frequency"));
  EXPECT_THAT(refusal_of_sinusoid(bounds(R"("first": 1, "last": "pi")")),
              HasSubstr("expected a number without pi, as first"));
  EXPECT_THAT(refusal_of_sinusoid(bounds(R"("first": 1, "last": 2, "base": 10)")),
              HasSubstr("base: found 10, expected none"));
  EXPECT_THAT(refusal_of_sinusoid(R"("d_model": 8, "first": 1)"),
              HasSubstr("first: found 1, expected none, unless"));
  EXPECT_THAT(refusal_of_sinusoid(R"("d_model": 2, "frequency": "linear", "first": 1, "last": 2)"),
              HasSubstr("last: found 2, expected 1, as first, as there is one pair"));
  EXPECT_THAT(refusal_of_sinusoid(R"("d_model": 8, "frequency": "cubic")"),
              HasSubstr("\"geometric\" or \"linear\""));
}

}  // namespace
}  // namespace vernier
