// Rotated vectors and copies of tables, honest and broken in one place, judged as the command judges them.

#include <algorithm>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "numerics/recipes/recipe_registry.hpp"
#include "numerics/test/made_tensors.hpp"
#include "reference/schemes/rope.hpp"
#include "reports/outputs/output.hpp"
#include "reports/test/checks_of_verdicts.hpp"
#include "reports/validate.hpp"

namespace vernier {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;

constexpr std::size_t rows = 5;
constexpr std::size_t heads = 3;
constexpr std::size_t head_dim = 8;

const Recipe& recipe() {
  return *std::ranges::find(recipes(), std::string_view("float32-pow"), &Recipe::id);
}

/// Vectors [heads, rows, head_dim] that rotate by half, and the values that an honest recipe makes of them.
struct Vectors {
  RopeSpec spec{.head_dim = head_dim, .partial_rotary_factor = Rational(1, 2)};
  std::vector<double> input = std::vector<double>(heads * rows * head_dim);
  std::vector<double> rotated = input;

  Vectors() {
    for (std::size_t i = 0; i < input.size(); ++i) {
      input[i] = 1 + static_cast<double>(i % 7) / 4;
    }
    const RecipeRotation rotation(recipe(), spec, Format::binary32);
    for (std::size_t row = 0; row < heads * rows; ++row) {
      rotation.rotate(static_cast<std::int64_t>(row % rows),
                      std::span<const double>(input).subspan(row * head_dim, head_dim),
                      std::span(rotated).subspan(row * head_dim, head_dim));
    }
  }

  /// \param declared what the spec says
  Verdict judged_as(const RopeSpec& declared) const {
    const Shape shape{heads, rows, head_dim};
    const CaseInput parts{"a test",
                          "made",
                          "",
                          {{"input", {"x", tensor_of(Format::binary32, shape, input)}},
                           {"rotated", {"y", tensor_of(Format::binary32, shape, rotated)}}},
                          std::nullopt};
    return validate(assemble_case(parts, std::make_unique<RopeEncoding>(declared)), "");
  }
  Verdict judged() const { return judged_as(spec); }
};

TEST(RotatedChecks, PassForAnHonestRotation) {
  const auto verdict = Vectors().judged();
  EXPECT_EQ(exit_code(verdict), 0);
  EXPECT_THAT(ids(verdict.checks, Status::pass),
              ElementsAre("accuracy/rotated", "frequency/rotated", "finite/rotated", "pass-through/rotated",
                          "norm/rotated", "property/rope/offset-only", "property/rope/own-position"));
}

TEST(RotatedChecks, TellWhichElementOfWhichHeadIsWrong) {
  Vectors vectors;
  vectors.rotated[(2 * rows + 4) * head_dim + 1] += 0.5;
  const auto verdict = vectors.judged();
  EXPECT_EQ(exit_code(verdict), 1);
  EXPECT_THAT(ids(verdict.checks, Status::fail),
              ElementsAre("accuracy/rotated", "norm/rotated", "property/rope/own-position"));
  const auto& told = check_named(verdict.checks, "accuracy/rotated").counterexample;
  EXPECT_THAT(told, Contains(Pair("leading index", "[2]")));
  EXPECT_THAT(told, Contains(Pair("row", "4")));
  EXPECT_THAT(told, Contains(Pair("position", "4")));
  EXPECT_THAT(told, Contains(Pair("dimension", "1")));
  EXPECT_THAT(told, Contains(Pair("pair", "1")));
  EXPECT_EQ(check_named(verdict.checks, "accuracy/rotated").failing_extent->columns.least, 1);
}

TEST(RotatedChecks, WantWhatDoesNotRotateUntouchedAndAllFinite) {
  Vectors vectors;
  vectors.rotated[7] = std::numeric_limits<double>::infinity();
  const auto verdict = vectors.judged();
  EXPECT_THAT(ids(verdict.checks, Status::fail), ElementsAre("finite/rotated", "pass-through/rotated"));
  EXPECT_THAT(check_named(verdict.checks, "pass-through/rotated").counterexample,
              Contains(Pair("dimension", "7")));
}

TEST(RotatedChecks, NameTheFault) {
  auto declared = Vectors().spec;
  declared.layout = RopeSpec::Layout::interleaved;
  const auto verdict = Vectors().judged_as(declared);
  EXPECT_EQ(exit_code(verdict), 1);
  EXPECT_THAT(explanations_of(verdict), Contains("pairs are half the width apart, not interleaved"));
}

TEST(RotatedChecks, SkipWhatIsNotThere) {
  Vectors vectors;
  vectors.spec = {.head_dim = head_dim};
  EXPECT_EQ(check_named(vectors.judged().checks, "pass-through/rotated").status, Status::skipped);
}

TEST(CopiesOfTables, AreAllJudged) {
  auto encoding = std::make_unique<RopeEncoding>(RopeSpec{.head_dim = head_dim});
  const RecipeTable honest(recipe(), encoding->table(Component::cosine), Format::binary32);
  const std::vector<std::int64_t> twice{0, 1, 2, 3, 4, 0, 1, 2, 3, 4};
  auto values = values_of(honest, twice);
  values[7 * 4 + 3] += 0.25;
  const CaseInput parts{"a test",
                        "made",
                        "",
                        {{"cos", {"cos", tensor_of(Format::binary32, {2, rows, 4}, values)}}},
                        std::nullopt};
  const auto verdict = validate(assemble_case(parts, std::move(encoding)), "");
  const auto& failing = check_named(verdict.checks, "accuracy/cos").first_failing;
  ASSERT_TRUE(failing);
  EXPECT_THAT(failing->leading_index, ElementsAre(1));
  EXPECT_EQ(failing->row, 2U);
  EXPECT_EQ(failing->position, 2);
  EXPECT_THAT(render_text(verdict), HasSubstr("row 2 of [1]"));
}

}  // namespace
}  // namespace vernier
