// Keys of specs where people guess them: one that means one thing is read as it, another is refused with the
// right one.

#include "reference/schemes/guessed_keys.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reference/schemes/scheme_registry.hpp"
#include "reference/test/refusal.hpp"

namespace vernier {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

OrderedJson spec_of(const std::string& text) {
  return parse_spec(text, "spec")->spec();
}

TEST(GuessedKeys, AreReadWhereTheyMeanOneThing) {
  EXPECT_EQ(
      spec_of(R"({"scheme": "axial_rope", "head_dim": 64, "frequency": "linear", "first": "pi", "last": "9pi",
                        "axes": [{"dims": 32}, {"dims": 32, "last": "4pi"}]})"),
      spec_of(R"({"scheme": "axial_rope", "head_dim": 64,
                        "axes": [{"dims": 32, "frequency": "linear", "first": "pi", "last": "9pi"},
                                 {"dims": 32, "frequency": "linear", "first": "pi", "last": "4pi"}]})"));
  EXPECT_EQ(spec_of(R"({"scheme": "rope", "head_dim": 8, "pair_axes": [0, 1, 1, 2]})"),
            spec_of(R"({"scheme": "rope", "head_dim": 8,
                        "rope_scaling": {"rope_type": "default", "pair_axes": [0, 1, 1, 2]}})"));
  EXPECT_EQ(spec_of(R"({"scheme": "rope", "head_dim": 8, "mrope_section": [1, 1, 2],
                        "rope_scaling": {"rope_type": "linear", "factor": 2}})"),
            spec_of(R"({"scheme": "rope", "head_dim": 8,
                        "rope_scaling": {"rope_type": "linear", "factor": 2, "mrope_section": [1, 1, 2]}})"));
  EXPECT_EQ(
      spec_of(R"({"scheme": "rope", "head_dim": 8, "layout": "interleaved", "table_layout": "interleaved"})"),
      spec_of(R"({"scheme": "rope", "head_dim": 8, "layout": "interleaved"})"));
  EXPECT_EQ(spec_of(R"({"scheme": "rope", "head_dim": 8, "table_layout": "half"})"),
            spec_of(R"({"scheme": "rope", "head_dim": 8})"));
  const std::string axes = R"("axes_layout": "across", "axes": [{"dims": 4}, {"dims": 4}]})";
  EXPECT_EQ(spec_of(R"({"scheme": "sinusoidal", "layout": "halves", )" + axes),
            spec_of(R"({"scheme": "sinusoidal", )" + axes));
}

TEST(GuessedKeys, AreRefusedWithTheRightKey) {
  const auto refused = [](const std::string& text) { return refusal_of([&] { parse_spec(text, "spec"); }); };
  EXPECT_THAT(refused(R"({"scheme": "rope", "head_dim": 8, "quantization": {"scale": 2}})"),
              AllOf(HasSubstr("spec: quantization: found"), HasSubstr("--quantization")));
  EXPECT_THAT(refused(R"({"scheme": "rope", "head_dim": 8, "table_layout": "interleaved"})"),
              HasSubstr("[rows, pairs]"));
  EXPECT_THAT(
      refused(R"({"scheme": "rope", "head_dim": 8, "layout": "interleaved", "table_layout": "half"})"),
      HasSubstr("[rows, pairs]"));
  EXPECT_THAT(refused(R"({"scheme": "rope", "head_dim": 8, "table_layout": 5})"), HasSubstr("[rows, pairs]"));
  EXPECT_THAT(
      refused(R"({"scheme": "fourier_features", "axes_layout": "by_frequency", "frequencies": [[1], [2]]})"),
      HasSubstr("the scheme sinusoidal"));
  EXPECT_THAT(refused(R"({"scheme": "sinusoidal", "layout": "halves", "axes_layout": "by_frequency",
                          "axes": [{"dims": 4}, {"dims": 4}]})"),
              HasSubstr("\"axes_layout\": \"across\""));
  const std::string first = R"({"scheme": "axial_rope", "head_dim": 8, "first": 1)";
  EXPECT_THAT(refused(first + R"(, "axes": [3]})"), HasSubstr("axes[0]: found 3"));
  EXPECT_THAT(refused(first + R"(, "axes": {"dims": 4}})"), HasSubstr("axes: found an object"));
  EXPECT_THAT(refused(first + R"(, "grid_width": 4})"), HasSubstr("unknown key \"first\""));
  EXPECT_THAT(refused(R"({"scheme": "rope", "head_dim": 8, "pair_axis": [0]})"), HasSubstr("unknown key"));
}

}  // namespace
}  // namespace vernier
