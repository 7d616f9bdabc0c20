// Head vectors rotated by honest recipes and by faulty ones: the audit accepts the first and counts every
// wrong element of the second.

#include "numerics/tensors/rotated_tensor.hpp"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "numerics/test/made_rotated.hpp"
#include "numerics/test/viewed_tensors.hpp"
#include "reference/support/threads.hpp"

namespace vernier {
namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

void expect_honest(const VectorFindings& report) {
  EXPECT_EQ(report.elements.failing, 0U);
  EXPECT_EQ(report.elements.inconclusive, 0U);
  EXPECT_EQ(report.norms.failing, 0U);
  EXPECT_EQ(report.norms.inconclusive, 0U);
  EXPECT_EQ(report.changed.count, 0U);
  EXPECT_EQ(report.non_finite.count, 0U);
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
        EXPECT_EQ(report.copies, part == 1 ? 0U : 300U * 24U);
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

/// What is beyond all that is allowed fails, whatever that is: far out budgets are as large as the numbers.
TEST(RotatedTensors, FailTheNormHoweverLargeTheFault) {
  for (const auto& [stored, contract] :
       {std::pair{Format::binary32, "float32"}, std::pair{Format::bfloat16, "float32"},
        std::pair{Format::bfloat16, "bfloat16"}}) {
    RotatedMaking making{.stored = stored, .contract = contract, .positions = {1 << 22}};
    making.damage = [](auto& rotated) {
      for (auto& number : rotated) {
        number *= 1024;
      }
    };
    EXPECT_EQ(audit_rotated(made(making)).norms.failing, 16U) << contract << " in " << traits(stored).name;
  }
}

/// Numbers whose squares no double holds are judged all the same.
TEST(RotatedTensors, JudgeTheNormsOfNumbersOfEverySize) {
  for (const double size : {0x1p-900, 0x1p-300, 0x1p300, 0x1p900}) {
    RotatedMaking making{.recipe = "float64-pow", .stored = Format::binary64, .contract = "float64"};
    making.input = made_vectors(Format::binary32, making.positions.size() * 32);
    for (auto& number : making.input) {
      number *= size;
    }
    const auto honest = audit_rotated(made(making));
    EXPECT_EQ(honest.norms.judged, 300U * 16U) << size;
    EXPECT_EQ(honest.norms.failing, 0U) << size;
    making.damage = [](auto& rotated) { rotated[5] *= 4; };
    EXPECT_EQ(audit_rotated(made(making)).norms.failing, 1U) << size;
  }
  RotatedMaking zeros{.recipe = "float64-pow",
                      .stored = Format::binary64,
                      .contract = "float64",
                      .positions = {3},
                      .input = std::vector<double>(32)};
  for (const double size : {1e-170, 1.0, 1e160, 1e308}) {
    zeros.damage = [size](auto& rotated) { rotated[7] = size; };
    EXPECT_EQ(audit_rotated(made(zeros)).norms.failing, 1U) << size;
  }
}

}  // namespace
}  // namespace vernier
