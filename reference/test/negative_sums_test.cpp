#include "reference/decay/negative_sums.hpp"

#include <gtest/gtest.h>

#include "reference/decay/dot_products.hpp"

namespace vernier {
namespace {

GeometricFrequencies geometric(int pairs, const Rational& base) {
  return {.base = base, .step = Rational(1, pairs), .pairs = pairs};
}

/// By enclosures alone, offset after offset.
std::optional<std::int64_t> first_by_enclosures(const CosineSum& sum, std::int64_t last) {
  const WorkingPrecision scope(128);
  for (std::int64_t m = 1; m <= last; ++m) {
    if (middle(Interval(dot_product(sum.frequencies, m) + sum.still)) < 0) {
      return m;
    }
  }
  return std::nullopt;
}

TEST(FirstNegativeSum, IsWhereEnclosuresSay) {
  for (const int pairs : {1, 2, 7, 16}) {
    for (const std::int64_t base : {2, 100, 10000}) {
      for (const int still : {0, 1, 5}) {
        const CosineSum sum{geometric(pairs, base), still};
        EXPECT_EQ(first_negative_sum(sum, 400), first_by_enclosures(sum, 400))
            << pairs << ", " << base << ", " << still;
      }
    }
  }
}

TEST(FirstNegativeSum, ReachesItsLastOffsetAndNoFurther) {
  const CosineSum sum{geometric(64, 10000)};
  EXPECT_EQ(first_negative_sum(sum, 1707), 1707);
  EXPECT_EQ(first_negative_sum(sum, 1706), std::nullopt);
  EXPECT_EQ(first_negative_sum({geometric(64, 27000)}, 4095), 4079) << "beyond the first 4096 it goes on";
  EXPECT_EQ(first_negative_sum({geometric(64, 640000)}, 32767), 27685);
}

TEST(FirstNegativeSum, NoneWhereHalfOfTheHeadStandsStill) {
  EXPECT_EQ(first_negative_sum({geometric(8, 100), 8}, 1000000), std::nullopt);
}

/// Two ranges of bases fail above the least that satisfies the criterion, d = 128, L = 1024.
TEST(DecidedBases, AlternateAboveTheLeast) {
  const auto decided = decided_bases(64, 1023, 4000, 7000);
  for (std::size_t i = 1; i < decided.size(); ++i) {
    EXPECT_LE(decided[i - 1].upper, decided[i].lower);
    EXPECT_LT(decided[i].lower / decided[i - 1].upper, 1 + 5e-9);
  }
  EXPECT_EQ(decided.front().lower, 4000);
  EXPECT_EQ(decided.back().upper, 7000);
  const auto ranges = alternating(decided);
  ASSERT_EQ(ranges.size(), 6U);
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    EXPECT_EQ(ranges[i].holds(), i % 2 == 1);
  }
}

/// What is said of a range is so at bases within it, whose sums are computed anew.
TEST(DecidedBases, SayWhatFirstNegativeSumsSay) {
  for (const auto& range : decided_bases(8, 60, 2, 5000)) {
    for (const double share : {0.0, 0.3, 1.0}) {
      const auto base = exact_rational(range.lower + share * (range.upper - range.lower));
      const auto first = first_negative_sum({geometric(8, base)}, 60);
      EXPECT_EQ(first.has_value(), !range.holds()) << range.lower << ", " << share;
      if (first && !range.holds()) {
        EXPECT_LT(dot_products(geometric(8, base), range.negative_at, 1).front(), 0);
      }
    }
  }
}

}  // namespace
}  // namespace vernier
