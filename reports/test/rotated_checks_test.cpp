// Rotated vectors and copies of tables, honest and broken in one place, judged as the command judges them.

#include <algorithm>
#include <bit>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "numerics/recipes/recipe_registry.hpp"
#include "numerics/test/made_tensors.hpp"
#include "reference/schemes/encoding_of.hpp"
#include "reference/schemes/rope.hpp"
#include "reports/outputs/output.hpp"
#include "reports/test/checks_of_verdicts.hpp"
#include "reports/verdict/validate.hpp"

namespace vernier {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;
using ::testing::StartsWith;

constexpr std::size_t rotated_rows = 5;
constexpr std::size_t rotated_heads = 3;
constexpr std::size_t rotated_head_dim = 8;

const Recipe& rotated_recipe() {
  return *std::ranges::find(recipes(), std::string_view("float32-pow"), &Recipe::id);
}

/// Vectors [heads, rows, head_dim] that rotate by half, and the values that an honest recipe makes of them.
struct Vectors {
  RopeSpec spec{.head_dim = rotated_head_dim, .partial_rotary_factor = Rational(1, 2)};
  std::vector<double> input = std::vector<double>(rotated_heads * rotated_rows * rotated_head_dim);
  std::vector<double> rotated = input;

  Vectors() {
    for (std::size_t i = 0; i < input.size(); ++i) {
      input[i] = 1 + static_cast<double>(i % 7) / 4;
    }
    const RecipeRotation rotation(rotated_recipe(), spec, Format::binary32);
    for (std::size_t row = 0; row < rotated_heads * rotated_rows; ++row) {
      rotation.rotate(static_cast<std::int64_t>(row % rotated_rows),
                      std::span<const double>(input).subspan(row * rotated_head_dim, rotated_head_dim),
                      std::span(rotated).subspan(row * rotated_head_dim, rotated_head_dim));
    }
  }

  Verdict judged(Format format = Format::binary32) const {
    const Shape shape{rotated_heads, rotated_rows, rotated_head_dim};
    const CaseInput parts{"a test",
                          "made",
                          "",
                          {{"input", {"x", tensor_of(format, shape, input)}},
                           {"rotated", {"y", tensor_of(format, shape, rotated)}}},
                          std::nullopt};
    return validate(assemble_case(parts, std::make_unique<RopeEncoding>(spec)), "");
  }
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
  vectors.rotated[(2 * rotated_rows + 4) * rotated_head_dim + 1] += 0.5;
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

// The arithmetic is float32: the store cuts off where it should round.
TEST(RotatedChecks, BlameTheArithmeticOrTheRounding) {
  Vectors vectors;
  for (auto& value : vectors.rotated) {
    value = std::bit_cast<float>(std::bit_cast<std::uint32_t>(static_cast<float>(value)) & 0xffff0000U);
  }
  const auto verdict = vectors.judged(Format::bfloat16);
  EXPECT_EQ(exit_code(verdict), 0);
  EXPECT_THAT(
      check_named(verdict.checks, "accuracy/rotated").note,
      StartsWith("the arithmetic, or the rounding of its results, is coarser than the contract float32 "
                 "promises, and uses "));
}

TEST(RotatedChecks, WantWhatDoesNotRotateUntouchedAndAllFinite) {
  Vectors vectors;
  vectors.rotated[7] = std::numeric_limits<double>::infinity();
  const auto verdict = vectors.judged();
  EXPECT_THAT(ids(verdict.checks, Status::fail), ElementsAre("finite/rotated", "pass-through/rotated"));
  EXPECT_THAT(check_named(verdict.checks, "pass-through/rotated").counterexample,
              Contains(Pair("dimension", "7")));
}

/// The verdict on vectors rotated by one spec at some positions, of the rows of all heads, said to be
/// another's at 0, 1, 2, ... in each head. \param still a pair that is left as it is
std::string text_of(const RopeSpec& done, const RopeSpec& declared,
                    const std::function<std::int64_t(std::int64_t)>& computed, std::size_t heads = 1,
                    std::optional<std::size_t> still = std::nullopt) {
  constexpr std::size_t many_rows = 400;
  const auto width = static_cast<std::size_t>(declared.head_dim);
  std::vector<double> input(heads * many_rows * width);
  for (std::size_t i = 0; i < input.size(); ++i) {
    input[i] = 1 + static_cast<double>(i * i % 11) / 8;
  }
  auto rotated = input;
  const RecipeRotation rotation(rotated_recipe(), done, Format::binary32);
  for (std::size_t row = 0; row < heads * many_rows; ++row) {
    rotation.rotate(computed(static_cast<std::int64_t>(row)),
                    std::span<const double>(input).subspan(row * width, width),
                    std::span(rotated).subspan(row * width, width));
  }
  for (std::size_t at = 0; still && at < input.size(); at += width) {
    for (const auto column : {at + *still, at + *still + width / 2}) {
      rotated[column] = input[column];
    }
  }
  const Shape shape{heads, many_rows, width};
  const CaseInput parts{"a test",
                        "made",
                        "",
                        {{"input", {"x", tensor_of(Format::binary32, shape, input)}},
                         {"rotated", {"y", tensor_of(Format::binary32, shape, rotated)}}},
                        std::nullopt};
  return render_text(validate(assemble_case(parts, std::make_unique<RopeEncoding>(declared)), ""));
}

std::string first_line_of(const RopeSpec& done, const RopeSpec& declared,
                          const std::function<std::int64_t(std::int64_t)>& computed, std::size_t heads = 1) {
  const auto text = text_of(done, declared, computed, heads);
  return text.substr(0, text.find('\n'));
}

std::string first_line_of(const RopeSpec& done, const RopeSpec& declared) {
  return first_line_of(done, declared, [](std::int64_t position) { return position; });
}

TEST(RotatedChecks, NameTheFaultInTheFirstLine) {
  const RopeSpec plain{.head_dim = 32};
  const std::string start = "made: does not conform: ";
  EXPECT_EQ(first_line_of({.head_dim = 32, .layout = RopeSpec::Layout::interleaved}, plain),
            start + "pairs are interleaved, not half the width apart");
  EXPECT_EQ(first_line_of(plain, {.head_dim = 32, .layout = RopeSpec::Layout::interleaved}),
            start + "pairs are half the width apart, not interleaved");
  EXPECT_THAT(first_line_of({.head_dim = 32, .direction = RopeSpec::Direction::clockwise}, plain),
              StartsWith(start + "the rotation is clockwise, not counterclockwise"));
  EXPECT_EQ(first_line_of(plain, {.head_dim = 32, .rope_theta = 500000}),
            start + "the base is 10000, not 500000");
  EXPECT_EQ(first_line_of(plain, {.head_dim = 32, .scaling = LinearScaling{4}}),
            start + "rope_scaling is left out");
  EXPECT_EQ(first_line_of(plain, plain, [](std::int64_t position) { return position + 1; }),
            start + "positions are larger by 1");
  EXPECT_EQ(first_line_of(plain, plain, [](std::int64_t position) { return position % 128; }),
            start + "positions wrap at 128");
}

TEST(RotatedChecks, SayOfOnePairThatItEncodesNoPosition) {
  const auto own = [](std::int64_t position) { return position; };
  EXPECT_THAT(
      text_of({.head_dim = 32}, {.head_dim = 32}, own, 1, 15),
      AllOf(HasSubstr("pair 15 does not turn"), HasSubstr("Effect: Such a pair encodes no position.")));
}

TEST(RotatedChecks, CountRowsOfAllHeadsOnce) {
  const RopeSpec plain{.head_dim = 32};
  const auto scattered = [](std::int64_t p) { return p % 3 == 1 ? (p * p * 7919 + 13) % 1009 : p; };
  const std::string told = "made: does not conform: rows 1, 4, 7, 10, 13, 16 and 127 more";
  EXPECT_THAT(first_line_of(
                  plain, plain, [&](std::int64_t row) { return scattered(row % 400); }, 4),
              StartsWith(told + ": expected positions 1, "));
  EXPECT_THAT(
      first_line_of(
          plain, plain, [&](std::int64_t row) { return row < 800 ? scattered(row % 400) : row % 400; }, 4),
      StartsWith(told + " of some copies: expected"));
}

TEST(RotatedChecks, SkipWhatIsNotThere) {
  Vectors vectors;
  vectors.spec = {.head_dim = rotated_head_dim};
  EXPECT_EQ(check_named(vectors.judged().checks, "pass-through/rotated").status, Status::skipped);
}

TEST(CopiesOfTables, AreAllJudged) {
  auto encoding = std::make_unique<RopeEncoding>(RopeSpec{.head_dim = rotated_head_dim});
  const RecipeTable honest(rotated_recipe(), encoding->parameters().table(Component::cosine),
                           Format::binary32);
  const std::vector<std::int64_t> twice{0, 1, 2, 3, 4, 0, 1, 2, 3, 4};
  auto values = values_of(honest, twice);
  values[7 * 4 + 3] += 0.25;
  const CaseInput parts{"a test",
                        "made",
                        "",
                        {{"cos", {"cos", tensor_of(Format::binary32, {2, rotated_rows, 4}, values)}}},
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
