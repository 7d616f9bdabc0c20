// The check of scales of rows and blocks, as verdicts have it.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "numerics/test/block_kernel.hpp"
#include "reports/test/checks_of_verdicts.hpp"
#include "reports/verdict/checks/checks.hpp"
#include "reports/verdict/validate.hpp"

namespace vernier {
namespace {

using ::testing::HasSubstr;

std::vector<Check> scale_checks(const BlockKernel& kernel) {
  const auto subject = kernel.subject();
  std::vector<Check> checks;
  judge_block_scales(audited_case(subject, false), "scales/<role>", checks);
  return checks;
}

TEST(BlockScaleChecks, TellTheRuleThatScalesFollow) {
  const auto checks = scale_checks({.width = 32, .rule = "mx"});
  ASSERT_EQ(checks.size(), 1U);
  EXPECT_EQ(checks[0].id, "scales/rotated");
  EXPECT_EQ(checks[0].status, Status::pass);
  EXPECT_THAT(checks[0].reason, HasSubstr("192 scales follow the rule"));
}

TEST(BlockScaleChecks, RefuseWithoutARuleWhatIsNoScale) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  for (const double scale : {infinity, -infinity, std::nan(""), 0.0}) {
    BlockKernel kernel{.states_rule = false};
    kernel.spoils = [scale](std::vector<double>& scales) { scales[3] = scale; };
    const auto checks = scale_checks(kernel);
    ASSERT_EQ(checks.size(), 1U);
    EXPECT_EQ(checks[0].status, Status::fail) << scale;
    EXPECT_THAT(checks[0].reason, HasSubstr("1 of 96 scales are 0 or not finite"));
  }
  EXPECT_EQ(scale_checks({.states_rule = false}).at(0).status, Status::pass);
}

/// The rounding of four bits is large beside small pairs, but not beside their block.
TEST(BlockScaleChecks, HonestFourBitsAreConclusive) {
  const auto verdict =
      validate(BlockKernel{.format = std::nullopt, .width = 16, .states_rule = false}.subject(), "", {});
  EXPECT_EQ(outcome(verdict), Conclusion::conforms);
}

/// Properties of turns allow for no rounding by scales of blocks: they accuse no honest engine.
TEST(BlockScaleChecks, NoCheckAccusesAnHonestEngine) {
  for (const auto& [name, engine] : block_engines()) {
    const auto verdict = validate(engine.subject(), "", {});
    EXPECT_THAT(ids(verdict.checks, Status::fail), testing::IsEmpty()) << name;
    EXPECT_THAT(verdict.kept_contracts, testing::IsEmpty()) << name;
  }
}

TEST(BlockScaleChecks, ShowTheFirstScaleThatDoesNot) {
  BlockKernel faulty{.width = 32};
  faulty.chooses = [](float scale) { return 2 * scale; };
  const auto checks = scale_checks(faulty);
  ASSERT_EQ(checks.size(), 1U);
  EXPECT_EQ(checks[0].status, Status::fail);
  EXPECT_THAT(checks[0].reason, HasSubstr("192 of 192 scales do not follow the rule"));
  EXPECT_THAT(checks[0].counterexample, testing::Contains(testing::Pair("block", "0")));
}

}  // namespace
}  // namespace vernier
