// Head vectors rotated by honest recipes and by faulty ones: the audit accepts the first and counts every
// wrong element of the second, and the diagnosis names what was done.

#include "numerics/tensors/rotated_tensor.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "numerics/diagnosis/diagnosis.hpp"
#include "numerics/test/made_tensors.hpp"
#include "reference/schemes/encoding_of.hpp"
#include "reference/support/threads.hpp"
#include "reference/test/parsed.hpp"

namespace vernier {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

/// Vectors of numbers in [-2, 2), the same in every run.
std::vector<double> made_vectors(Format format, std::size_t count) {
  std::mt19937_64 bits(5);
  std::vector<double> result(count);
  for (auto& x : result) {
    x = round_to(format, static_cast<double>(bits() >> 40) * 0x1p-22 - 2);
  }
  return result;
}

/// What was asked for and what was done, which agree unless a test says otherwise.
struct RotatedMaking {
  RopeSpec declared = {.head_dim = 32};
  std::optional<RopeSpec> done = std::nullopt;  ///< else what is declared
  std::string recipe = "float32-pow";
  Format stored = Format::binary32;
  std::string contract = "float32";
  std::vector<std::int64_t> positions = positions_from(0, 300);
  std::vector<std::int64_t> computed = {};  ///< else the positions
  std::vector<double> input = {};           ///< else made_vectors()
  std::function<void(std::vector<double>& rotated)> damage = [](auto&) {};
  Shape leading = {};
};

RotatedTensor made(const RotatedMaking& making) {
  const RecipeRotation rotation(recipe_named(making.recipe), making.done.value_or(making.declared),
                                making.stored);
  const auto dim = rotation.head_dim();
  const auto& positions = making.computed.empty() ? making.positions : making.computed;
  const auto input =
      making.input.empty() ? made_vectors(making.stored, positions.size() * dim) : making.input;
  std::vector<double> rotated(input.size());
  for (std::size_t r = 0; r < positions.size(); ++r) {
    rotation.rotate(positions[r], std::span(input).subspan(r * dim, dim),
                    std::span(rotated).subspan(r * dim, dim));
  }
  making.damage(rotated);
  const Shape shape{positions.size(), dim};
  return {making.declared.rotation(),
          tensor_of(making.stored, shape, input),
          tensor_of(making.stored, shape, rotated),
          contract_named(making.contract),
          making.positions,
          making.leading};
}

std::vector<std::string> edits(const RotatedMaking& making) {
  std::vector<std::string> result;
  const auto tensor = made(making);
  EXPECT_GT(audit_rotated(tensor).elements.failing + audit_rotated(tensor).changed.count, 0U)
      << "the fault does not show";
  for (const auto& explanation : diagnose_vectors(RopeEncoding(making.declared), tensor, 2).explanations) {
    EXPECT_LE(explanation.prediction.largest_budget_ratio, 1);
    EXPECT_EQ(explanation.prediction.failing, 0U);
    result.push_back(sentence_of(explanation));
  }
  return result;
}

void expect_honest(const RotatedReport& report) {
  EXPECT_EQ(report.elements.failing, 0U);
  EXPECT_EQ(report.elements.inconclusive, 0U);
  EXPECT_EQ(report.norms.failing, 0U);
  EXPECT_EQ(report.norms.inconclusive, 0U);
  EXPECT_EQ(report.changed.count, 0U);
  EXPECT_EQ(report.non_finite.count, 0U);
}

RopeSpec yarn_rope() {
  const auto encoding = parsed(
      R"({"scheme": "rope", "head_dim": 32, "rope_scaling":
              {"rope_type": "yarn", "factor": 4, "original_max_position_embeddings": 1024}})");
  return dynamic_cast<const RopeEncoding&>(*encoding).parameters();
}

TEST(RotatedTensors, AcceptHonestRecipesInEveryFormat) {
  for (const auto& [stored, recipe, contract] :
       {std::tuple{Format::binary64, "float64-pow", "float64"},
        std::tuple{Format::binary64, "float32-pow", "float32"},
        std::tuple{Format::binary32, "float64-pow", "float64"},
        std::tuple{Format::binary32, "float32-pow", "float32"},
        std::tuple{Format::binary32, "float32-exp-log", "float32"},
        std::tuple{Format::binary32, "float32-iterated", "float32-iterated"},
        std::tuple{Format::binary16, "float32-pow", "float32"},
        std::tuple{Format::bfloat16, "float32-pow", "float32"}}) {
    SCOPED_TRACE(std::string(recipe) + " stored in " + std::string(traits(stored).name));
    const auto report = audit_rotated(made({.recipe = recipe, .stored = stored, .contract = contract}));
    expect_honest(report);
    EXPECT_EQ(report.elements.elements, 300U * 32U);
    ASSERT_TRUE(report.elements.worst);
    EXPECT_GT(report.elements.worst->budget_ratio, 0.05)
        << "a budget that honest errors do not reach is a blind spot";
  }
}

TEST(RotatedTensors, AcceptEveryConventionThatIsDeclared) {
  for (const auto layout : {RopeSpec::Layout::half, RopeSpec::Layout::interleaved}) {
    for (const auto direction : {RopeSpec::Direction::counterclockwise, RopeSpec::Direction::clockwise}) {
      for (const auto& part : {Rational(1), Rational(1, 4)}) {
        const RopeSpec spec{
            .head_dim = 32, .layout = layout, .partial_rotary_factor = part, .direction = direction};
        const auto report = audit_rotated(made({.declared = spec}));
        expect_honest(report);
        EXPECT_EQ(report.passed_through, part == 1 ? 0U : 300U * 24U);
      }
    }
  }
  expect_honest(audit_rotated(made({.declared = yarn_rope()})));
}

TEST(RotatedTensors, DoNotDependOnThreads) {
  const auto tensor = made({.positions = positions_from(100'000, 3000),
                            .damage = [](auto& y) { y[70'000] = y[80'000] = not_a_number; }});
  const auto one = audit_rotated(tensor, 1);
  const auto many = with_threads(4, [&] { return audit_rotated(tensor, 4); });
  EXPECT_EQ(one.elements.worst->index, many.elements.worst->index);
  EXPECT_EQ(one.elements.first_failing->index, 70'000U);
  EXPECT_EQ(many.elements.first_failing->index, 70'000U);
  EXPECT_EQ(many.non_finite.count, 2U);
  EXPECT_EQ(many.non_finite.first, 70'000U);
  EXPECT_EQ(many.norms.failing, 2U);
}

/// A float64 result that is off by some 2^-50 of its value shows only against more than double precision.
TEST(RotatedTensors, JudgeFloat64BeyondItsOwnPrecision) {
  const RotatedMaking honest{.recipe = "float64-pow",
                             .stored = Format::binary64,
                             .contract = "float64",
                             .positions = {1},
                             .input = made_vectors(Format::binary64, 32)};
  expect_honest(audit_rotated(made(honest)));
  auto faulty = honest;
  faulty.damage = [](auto& y) { y[0] *= 1 + 0x1p-48; };
  const auto report = audit_rotated(made(faulty));
  EXPECT_EQ(report.elements.failing, 1U);
  EXPECT_EQ(report.elements.first_failing->index, 0U);
}

TEST(RotatedTensors, HoldCorrectlyRoundedOnesToHalfAnUlp) {
  const RotatedMaking exact{.recipe = "float64-pow",
                            .stored = Format::binary32,
                            .contract = "correctly-rounded",
                            .positions = {0, 0},
                            .input = made_vectors(Format::binary32, 64)};
  expect_honest(audit_rotated(made(exact)));
  auto off = exact;
  off.damage = [](auto& y) { y[33] = next_up(Format::binary32, y[33]); };
  EXPECT_EQ(audit_rotated(made(off)).elements.failing, 1U);
  off.contract = "float32";
  EXPECT_EQ(audit_rotated(made(off)).elements.failing, 0U) << "one ulp is within what float32 may lose";
}

TEST(RotatedTensors, TakeInputsOfAnyMagnitude) {
  for (const double scale : {0x1p-1060, 0x1p-800, 0x1p-500, 0x1p500, 0x1p1000}) {
    RotatedMaking making{.recipe = "float64-pow",
                         .stored = Format::binary64,
                         .contract = "float64",
                         .input = made_vectors(Format::binary64, 300 * 32)};
    for (auto& x : making.input) {
      x *= scale;
    }
    making.input[40] = 1;  // beside one so much larger or smaller
    SCOPED_TRACE(scale);
    const auto report = audit_rotated(made(making));
    EXPECT_EQ(report.elements.failing, 0U);
    EXPECT_EQ(report.norms.failing, 0U);
    making.damage = [](auto& y) { y[900] *= 1 + 0x1p-40; };
    EXPECT_EQ(audit_rotated(made(making)).elements.failing, scale < 0x1p-1050 ? 0U : 1U);
  }
}

TEST(RotatedTensors, ExcuseOverflowOnlyWhereItMayHappen) {
  RotatedMaking making{.stored = Format::binary16, .positions = {3}, .input = std::vector<double>(32, 1.0)};
  making.input[0] = making.input[16] = 65504;
  making.damage = [](auto& y) { y[0] = infinity; };
  const auto excused = audit_rotated(made(making));
  EXPECT_EQ(excused.non_finite.count, 0U);
  EXPECT_EQ(excused.elements.failing, 0U);
  EXPECT_EQ(excused.may_overflow, 2U);
  making.damage = [](auto& y) { y[1] = infinity; };
  const auto refused = audit_rotated(made(making));
  EXPECT_EQ(refused.non_finite.first, 1U);
  EXPECT_EQ(refused.elements.failing, 1U);
}

TEST(RotatedTensors, WantZerosForZeros) {
  RotatedMaking making{.positions = {7}, .input = std::vector<double>(32, 0.0)};
  expect_honest(audit_rotated(made(making)));
  making.damage = [](auto& y) { y[2] = 0x1p-149; };
  const auto report = audit_rotated(made(making));
  EXPECT_EQ(report.elements.failing, 1U);
  EXPECT_EQ(report.norms.failing, 1U);
}

TEST(RotatedTensors, WantTheInputsBitsWhereNothingRotates) {
  const RopeSpec spec{.head_dim = 32, .partial_rotary_factor = Rational(1, 2)};
  RotatedMaking making{.declared = spec, .input = made_vectors(Format::binary32, 300 * 32)};
  making.input[20] = 0;
  making.damage = [](auto& y) {
    y[20] = -0.0;
    y[31] = next_up(Format::binary32, y[31]);
    y[48] = not_a_number;
  };
  const auto report = audit_rotated(made(making));
  EXPECT_EQ(report.changed.count, 3U);
  EXPECT_EQ(report.changed.first, 20U);
  EXPECT_EQ(report.non_finite.first, 48U);
  EXPECT_EQ(report.elements.failing, 0U);
}

/// Where the phase is uncertain the elements may not show it, but the norm does.
TEST(RotatedTensors, KeepTheNormWhereThePhaseIsUncertain) {
  RotatedMaking making{.positions = {1 << 22}, .damage = [](auto& y) {
                         for (auto& value : y) {
                           value = round_to(Format::binary32, value * 1.0001);
                         }
                       }};
  const auto report = audit_rotated(made(making));
  EXPECT_GT(report.norms.failing, 10U);
  making.damage = [](auto&) {};
  EXPECT_EQ(audit_rotated(made(making)).norms.failing, 0U);
}

TEST(RotatedDiagnosis, SaysNothingOfWhatItCannotExplain) {
  EXPECT_THAT(edits({.damage =
                         [](auto& y) {
                           std::mt19937_64 bits(7);
                           for (auto& value : y) {
                             value =
                                 round_to(Format::binary32, static_cast<double>(bits() >> 40) * 0x1p-22 - 2);
                           }
                         }}),
              IsEmpty());
}

TEST(RotatedDiagnosis, NamesADamagedElement) {
  EXPECT_THAT(edits({.damage = [](auto& y) { y[1000] += 1; }}),
              ElementsAre(HasSubstr("column 8 of row 31 (position 31) of rotated is")));
}

TEST(RotatedDiagnosis, NamesLayoutAndDirection) {
  const RopeSpec half{.head_dim = 32};
  const RopeSpec interleaved{.head_dim = 32, .layout = RopeSpec::Layout::interleaved};
  const RopeSpec clockwise{.head_dim = 32, .direction = RopeSpec::Direction::clockwise};
  EXPECT_THAT(edits({.declared = interleaved, .done = half}),
              ElementsAre("pairs are half the width apart, not interleaved"));
  EXPECT_THAT(edits({.declared = half, .done = interleaved}),
              ElementsAre("pairs are interleaved, not half the width apart"));
  EXPECT_THAT(edits({.declared = half, .done = clockwise}),
              ElementsAre(HasSubstr("the rotation is clockwise, not counterclockwise")));
  auto both = interleaved;
  both.direction = RopeSpec::Direction::clockwise;
  EXPECT_THAT(edits({.declared = half, .done = both}),
              ElementsAre(AllOf(HasSubstr("pairs are interleaved, not half the width apart"),
                                HasSubstr("and the rotation is clockwise"))));
}

/// A table laid out for one pairing, applied with the other: no rotation at all, and a mistake often made.
TEST(RotatedDiagnosis, NamesATableOfTheOtherLayout) {
  const auto input = made_vectors(Format::binary32, 100 * 32);
  RotatedMaking making{.positions = positions_from(0, 100), .input = input};
  making.damage = [&input](auto& y) {
    for (std::size_t row = 0; row < 100; ++row) {
      for (std::size_t d = 0; d < 32; ++d) {
        const auto column = d / 2;  // of a table whose columns are interleaved
        const double phase = static_cast<double>(row) * std::pow(10000.0, -static_cast<double>(column) / 16);
        const double other = d < 16 ? -input[row * 32 + d + 16] : input[row * 32 + d - 16];
        y[row * 32 + d] =
            round_to(Format::binary32, input[row * 32 + d] * std::cos(phase) + other * std::sin(phase));
      }
    }
  };
  EXPECT_THAT(edits(making), ElementsAre(HasSubstr("the columns of the table are interleaved")));
}

/// Pairs are read as what they are computed as, so that frequencies are measured in spite of it.
TEST(RotatedDiagnosis, NamesABaseBesideResultsThatReplaceInputs) {
  constexpr std::size_t pairs = 16;
  const auto input = made_vectors(Format::binary32, 300 * 2 * pairs);
  const auto in_place = [&](std::vector<double>& rotated) {
    for (std::size_t i = 0; i < rotated.size(); ++i) {
      const auto pair = i % (2 * pairs);
      if (pair < pairs) {
        const auto row = i / (2 * pairs);
        const double phase =
            static_cast<double>(row) * std::pow(500000.0, -static_cast<double>(pair) / pairs);
        const double first = input[i] * std::cos(phase) - input[i + pairs] * std::sin(phase);
        rotated[i] = round_to(Format::binary32, first);
        rotated[i + pairs] =
            round_to(Format::binary32, input[i + pairs] * std::cos(phase) + rotated[i] * std::sin(phase));
      }
    }
  };
  const auto found = edits({.input = input, .damage = in_place});
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found.front(),
            "the base is 500000, not 10000, and the second component of a pair is computed from the first "
            "one's result");
}

/// Each component of a pair has its own cosine and sine: a sum that is left out, and a reflection.
TEST(RotatedDiagnosis, NamesWhatOneComponentIsTurnedBy) {
  constexpr std::size_t pairs = 16;
  const auto input = made_vectors(Format::binary32, 300 * 2 * pairs);
  using Turned = std::pair<double, double> (*)(double x0, double x1, double c, double s);
  const auto found = [&](Turned turned) {
    const auto damage = [&](std::vector<double>& rotated) {
      for (std::size_t i = 0; i < rotated.size(); ++i) {
        const auto pair = i % (2 * pairs);
        if (pair < pairs) {
          const double phase =
              static_cast<double>(i / (2 * pairs)) * std::pow(10000.0, -static_cast<double>(pair) / pairs);
          const auto [first, second] = turned(input[i], input[i + pairs], std::cos(phase), std::sin(phase));
          rotated[i] = round_to(Format::binary32, first);
          rotated[i + pairs] = round_to(Format::binary32, second);
        }
      }
    };
    return edits({.input = input, .damage = damage});
  };
  EXPECT_THAT(
      found([](double x0, double x1, double c, double s) { return std::pair(x0 * c - x1 * s, x1 * c); }),
      ElementsAre("in the second component of every pair the sine is zero"));
  EXPECT_THAT(found([](double x0, double x1, double c, double s) {
                return std::pair(x0 * c + x1 * s, x0 * s - x1 * c);
              }),
              ElementsAre("in the first component of every pair the sine is the negative sine; in the second "
                          "component of every pair the cosine is the negative cosine"));
}

TEST(RotatedDiagnosis, NamesWhatTheSpecWasReadAs) {
  const RopeSpec plain{.head_dim = 32};
  EXPECT_THAT(edits({.done = RopeSpec{.head_dim = 32, .rope_theta = 500000}}),
              Contains("the base is 500000, not 10000"));
  EXPECT_THAT(edits({.computed = positions_from(1, 300)}), Contains("positions are larger by 1"));
  EXPECT_THAT(edits({.positions = positions_from(200, 200),
                     .computed =
                         [] {
                           auto wrapped = positions_from(200, 200);
                           for (auto& p : wrapped) {
                             p %= 256;
                           }
                           return wrapped;
                         }()}),
              Contains("positions wrap at 256"));
  EXPECT_THAT(edits({.computed = std::vector<std::int64_t>(300, 0)}), Contains(HasSubstr("not turned")));
  EXPECT_THAT(edits({.declared = yarn_rope(), .done = plain}), Contains("rope_scaling is left out"));
  EXPECT_THAT(edits({.declared = plain, .done = yarn_rope()}),
              Contains("rope_scaling is yarn, where the spec has none"));
  EXPECT_THAT(edits({.damage =
                         [](auto& y) {
                           for (auto& value : y) {
                             value = round_to(Format::binary32, value * 1.25);
                           }
                         }}),
              Contains("the amplitude is 1.25, not 1"));
}

TEST(RotatedDiagnosis, NamesTheRotatingPart) {
  const RopeSpec half_rotates{.head_dim = 32, .partial_rotary_factor = Rational(1, 2)};
  EXPECT_THAT(edits({.declared = half_rotates, .done = RopeSpec{.head_dim = 32}}),
              Contains("32 of 32 dimensions rotate, not 16"));
  EXPECT_THAT(edits({.done = half_rotates}), Contains("16 of 32 dimensions rotate, not 32"));
}

/// Vectors [batch, rows, heads, W], as FlashAttention takes them, where [batch, heads, rows, W] is meant.
TEST(RotatedDiagnosis, TellsAlongWhichDimensionPositionsCount) {
  for (const std::size_t first : {0U, 20U}) {
    RotatedMaking making{.positions = {}, .leading = {2, 50}};
    for (std::size_t row = 0; row < std::size_t{2} * 50 * 6; ++row) {
      making.positions.push_back(static_cast<std::int64_t>(first + row % 6));
      making.computed.push_back(static_cast<std::int64_t>(first + row / 6 % 50));
    }
    EXPECT_THAT(edits(making),
                ElementsAre("positions count along dimension -3 of [2, 50, 6, 32], not along -2"));
    auto with_base = making;
    with_base.declared.rope_theta = 500000;
    with_base.done = making.declared;
    EXPECT_THAT(
        edits(with_base),
        ElementsAre(
            "the base is 10000, not 500000, and positions count along dimension -3 of [2, 50, 6, 32], "
            "not along -2"));
  }
}

}  // namespace
}  // namespace vernier
