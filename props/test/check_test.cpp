// The wrapper itself: a property that must fail does, and shrinks to the least value; seeds, coverage and
// discards mean what they say.

#include "props/judging/check.hpp"

#include <cstdlib>
#include <set>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "reference/support/input_error.hpp"

namespace vernier {
namespace {

/// Integers of [0, 2^20], log-uniform; simpler are 0, the half, and one less.
Generator<std::int64_t> integers() {
  return {
      [](Dice& dice) { return dice.logarithmic(1 << 20); },
      [](const std::int64_t& value) {
        return value == 0 ? std::vector<std::int64_t>{} : std::vector<std::int64_t>{0, value / 2, value - 1};
      }};
}

CheckResult<std::int64_t> check_integers(const std::function<Judged(const std::int64_t&)>& property,
                                         std::uint64_t seed = 1,
                                         const std::vector<CoverageRequirement>& required = {}) {
  return check<std::int64_t>(integers(), property, seed, 200, required);
}

TEST(Check, FindsAndShrinksACounterexampleToTheLeastOne) {
  const auto result =
      check_integers([](std::int64_t x) { return Judged{x < 1000 ? Outcome::holds : Outcome::fails}; });
  EXPECT_EQ(result.status, CheckStatus::fails);
  EXPECT_EQ(result.counterexample, 1000);
}

TEST(Check, HoldsWhenNothingBreaksTheProperty) {
  const auto result = check_integers([](std::int64_t) { return Judged{}; });
  EXPECT_EQ(result.status, CheckStatus::holds);
  EXPECT_EQ(result.cases, 200);
  EXPECT_EQ(result.conclusive, 200);
  EXPECT_FALSE(result.counterexample);
}

std::vector<std::int64_t> stream(std::uint64_t seed) {
  std::vector<std::int64_t> seen;
  check_integers(
      [&](std::int64_t x) {
        seen.push_back(x);
        return Judged{};
      },
      seed);
  return seen;
}

TEST(Check, TheSameSeedGivesTheSameStream) {
  EXPECT_EQ(stream(7), stream(7));
}

TEST(Check, DifferentPropertiesSeeDifferentStreams) {
  EXPECT_NE(stream(seed_of("rope/constant-norm on a", 1)), stream(seed_of("rope/constant-norm on b", 1)));
  EXPECT_NE(stream(seed_of("rope/constant-norm on a", 1)), stream(seed_of("rope/constant-norm on a", 2)));
  EXPECT_EQ(seed_of("rope/constant-norm", 1), seed_of("rope/constant-norm", 1));
}

TEST(Check, DiscardingEverythingIsNoPass) {
  const auto result = check_integers([](std::int64_t) { return Judged{Outcome::discarded}; });
  EXPECT_EQ(result.status, CheckStatus::inconclusive);
  EXPECT_EQ(result.cases, 0);
  EXPECT_GT(result.discarded, 0);
  EXPECT_EQ(result.reason, "no case lay in the property's domain");
}

TEST(Check, InconclusiveCasesAreNoPass) {
  const auto result = check_integers([](std::int64_t) { return Judged{Outcome::inconclusive}; });
  EXPECT_EQ(result.status, CheckStatus::inconclusive);
  EXPECT_EQ(result.reason, "no case was conclusive");
}

TEST(Check, TooLittleCoverageIsNoPass) {
  const auto judge = [](std::int64_t x) { return Judged{Outcome::holds, {x % 2 == 0 ? "even" : "odd"}}; };
  EXPECT_EQ(check_integers(judge, 1, {{"even", 0.25}, {"odd", 0.25}}).status, CheckStatus::holds);
  const auto result = check_integers(judge, 1, {{"even", 0.25}, {"negative", 0.1}});
  EXPECT_EQ(result.status, CheckStatus::inconclusive);
  EXPECT_EQ(result.reason, "only 0 of 200 cases were conclusive and negative, where 10 % are required");
}

TEST(Check, OnlyConclusiveCasesCountForCoverage) {
  const auto result = check_integers(
      [](std::int64_t x) {
        return Judged{x < 1000 ? Outcome::holds : Outcome::inconclusive, {x < 1000 ? "near" : "far"}};
      },
      1, {{"", 0.25}});
  EXPECT_EQ(result.status, CheckStatus::holds);
  EXPECT_EQ(result.classes.count("far"), 0U);
  EXPECT_LT(result.conclusive, result.cases);
}

/// Fails far from 0 for two thirds of all numbers: of what is simpler some passes, and which way is taken
/// decides where it ends.
bool breaks(std::int64_t x) {
  return x >= 1000 && x % 3 != 0;
}

TEST(Check, ShrinksAsRapidCheckDoes) {
  const auto integer = integers();
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    std::optional<std::int64_t> first;
    const auto result = check_integers(
        [&](std::int64_t x) {
          first = first || !breaks(x) ? first : std::optional(x);
          return Judged{breaks(x) ? Outcome::fails : Outcome::holds};
        },
        seed);
    ASSERT_TRUE(first);
    const auto theirs = rc::shrinkable::findLocalMin(
        rc::shrinkable::shrinkRecur(
            *first, [&](const std::int64_t& x) { return rc::seq::fromContainer(integer.simpler(x)); }),
        breaks);
    EXPECT_EQ(result.counterexample, theirs.first) << "from " << *first;
  }
}

TEST(Dice, ReachesBothEndsOfARange) {
  Dice dice(3);
  std::set<std::int64_t> seen;
  for (int i = 0; i < 1000; ++i) {
    seen.insert(dice.between(-2, 2));
  }
  EXPECT_EQ(seen, (std::set<std::int64_t>{-2, -1, 0, 1, 2}));
}

TEST(Dice, DrawsEveryNumberOfBitsAboutEquallyOften) {
  Dice dice(3);
  int far = 0;
  for (int i = 0; i < 10'000; ++i) {
    const auto drawn = dice.logarithmic(std::int64_t{1} << 31);
    ASSERT_LE(drawn, std::int64_t{1} << 31);
    far += drawn >= 1 << 16 ? 1 : 0;
  }
  // 16 of the 33 numbers of bits, give or take four standard deviations.
  EXPECT_NEAR(far, 10'000.0 * 16 / 33, 200);
}

TEST(CheckOptions, ComeFromTheEnvironmentOrAreRefused) {
  setenv("VERNIER_SEED", "123", 1);
  setenv("VERNIER_CASES", "7", 1);
  EXPECT_EQ(options_from_environment().seed, 123U);
  EXPECT_EQ(options_from_environment().cases, 7);
  for (const char* wrong : {"", "0", "many", "7 ", "99999999999999999999"}) {
    setenv("VERNIER_CASES", wrong, 1);
    EXPECT_THROW(options_from_environment(), InputError) << wrong;
  }
  unsetenv("VERNIER_SEED");
  unsetenv("VERNIER_CASES");
}

}  // namespace
}  // namespace vernier
