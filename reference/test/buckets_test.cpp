// Buckets of relative positions against their formulas, and at the edges that only integers decide.

#include "reference/tables/buckets.hpp"

#include <cmath>
#include <cstdlib>
#include <string>
#include <vector>

#include <gmock/gmock.h>

#include "reference/test/parsed.hpp"

namespace vernier {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

BucketRule rule_of(const std::string& spec) {
  return parsed(spec)->all<BucketTable>().at(0).rule;
}

BucketRule t5(int buckets, int distance, bool bidirectional) {
  return rule_of(std::string(R"({"scheme": "t5_bucket", "num_buckets": )") + std::to_string(buckets) +
                 ", \"max_distance\": " + std::to_string(distance) +
                 ", \"bidirectional\": " + (bidirectional ? "true}" : "false}"));
}

BucketRule deberta(int size, int positions, bool clamp) {
  return rule_of(std::string(R"({"scheme": "deberta_bucket", "bucket_size": )") + std::to_string(size) +
                 ", \"max_position\": " + std::to_string(positions) +
                 ", \"clamp\": " + (clamp ? "true}" : "false}"));
}

std::vector<std::int64_t> on_edge(const BucketRule& rule, std::int64_t least, std::int64_t greatest) {
  std::vector<std::int64_t> found;
  for (auto r = least; r <= greatest; ++r) {
    if (rule(r).across) {
      found.push_back(r);
    }
  }
  return found;
}

TEST(T5Buckets, OfBothDirections) {
  const auto rule = t5(32, 128, true);
  EXPECT_EQ(rule(0).index, 0);
  EXPECT_EQ(rule(1).index, 17);
  EXPECT_EQ(rule(-1).index, 1);
  EXPECT_EQ(rule(-7).index, 7);
  EXPECT_EQ(rule(-8).index, 8);
  EXPECT_EQ(rule(-9).index, 8) << "8 and 9 share";
  EXPECT_EQ(rule(8).index, rule(9).index);
  EXPECT_EQ(rule(-16).index, 10);
  EXPECT_EQ(rule(-32).index, 12);
  EXPECT_EQ(rule(-64).index, 14);
  EXPECT_EQ(rule(-127).index, 15);
  for (const auto far : {128, 129, 1000, 1 << 30}) {
    EXPECT_EQ(rule(-far).index, 15) << far;
    EXPECT_EQ(rule(far).index, 31) << far;
  }
}

TEST(T5Buckets, TellWhichDistancesLieOnAnEdge) {
  const auto rule = t5(32, 128, true);
  EXPECT_THAT(on_edge(rule, -2000, 2000), ElementsAre(-64, -32, -16, 16, 32, 64));
  EXPECT_EQ(rule(-16).across, 9);
  EXPECT_EQ(rule(32).across, 16 + 11);
  EXPECT_THAT(on_edge(t5(32, 128, false), -2000, 2000), IsEmpty());
}

TEST(T5Buckets, OfOneDirectionSeeNothingAhead) {
  const auto rule = t5(32, 128, false);
  EXPECT_EQ(rule(1).index, 0);
  EXPECT_EQ(rule(1000).index, 0);
  EXPECT_EQ(rule(-15).index, 15);
  EXPECT_EQ(rule(-16).index, 16);
  EXPECT_EQ(rule(-17).index, 16) << "16 and 17 share";
  EXPECT_EQ(rule(-128).index, 31);
  EXPECT_EQ(rule(-(std::int64_t{1} << 31)).index, 31);
}

/// The formula as written, in extended precision, wherever no edge is near.
TEST(T5Buckets, AgreeWithTheFormula) {
  for (const auto& [buckets, distance] :
       {std::pair{32, 128}, {320, 800}, {64, 128}, {32, 20}, {6, 50}, {1024, 3000}}) {
    const auto rule = t5(buckets, distance, false);
    const auto exact = buckets / 2;
    for (int n = exact; n < 4000; ++n) {
      const long double place = std::log(static_cast<long double>(n) / exact) /
                                std::log(static_cast<long double>(distance) / exact) * (buckets - exact);
      if (std::fabs(place - std::round(place)) > 1e-12L || n >= distance) {
        ASSERT_EQ(rule(-n).index, std::min<std::int64_t>(buckets - 1, exact + static_cast<int>(place)))
            << buckets << " " << distance << " " << n;
        ASSERT_FALSE(rule(-n).across) << n;
      }
    }
  }
}

TEST(DebertaBuckets, KeepSmallRelativePositions) {
  const auto rule = deberta(256, 512, false);
  for (const auto r : {-128, -127, -1, 0, 1, 127, 128}) {
    EXPECT_EQ(rule(r).index, r);
    EXPECT_FALSE(rule(r).across);
  }
  EXPECT_EQ(rule(129).index, 129);
  EXPECT_EQ(rule(-129).index, -129);
  EXPECT_EQ(rule(511).index, 255);
  EXPECT_EQ(rule(-511).index, -255);
}

TEST(DebertaBuckets, AreTheSameClampedOrNotBelowTheLargestPosition) {
  const auto clamped = deberta(256, 512, true);
  const auto free = deberta(256, 512, false);
  for (int r = -511; r <= 511; ++r) {
    EXPECT_EQ(clamped(r).index, free(r).index) << r;
  }
  EXPECT_EQ(clamped(-512).index, -255);
  EXPECT_EQ(free(-512).index, -256);
  EXPECT_EQ(clamped(1 << 30).index, 255);
  // mpmath: ceil(127 ln(2^23) / ln(511/128)) + 128
  EXPECT_EQ(free(1 << 30).index, 1591);
}

/// The formula as written, in extended precision, wherever no edge is near.
TEST(DebertaBuckets, AgreeWithTheFormula) {
  for (const auto& [size, positions] : {std::pair{256, 512}, {64, 1024}, {4, 4}, {17, 100}}) {
    const auto rule = deberta(size, positions, false);
    const auto exact = size / 2;
    for (int n = exact + 1; n < 4000; ++n) {
      const long double place = std::log(static_cast<long double>(n) / exact) /
                                std::log(static_cast<long double>(positions - 1) / exact) * (exact - 1);
      if (std::fabs(place - std::round(place)) > 1e-12L) {
        ASSERT_EQ(rule(n).index, exact + static_cast<int>(std::ceil(place))) << size << " " << n;
        ASSERT_EQ(rule(-n).index, -rule(n).index);
        ASSERT_FALSE(rule(n).across) << n;
      }
    }
  }
}

TEST(DebertaBuckets, GiveAnEdgeToTheBucketBelowIt) {
  // m = 4, edges 4 (8^(j/3)): 8, 16, 32, 64 ...
  const auto rule = deberta(8, 33, true);
  EXPECT_THAT(on_edge(rule, 5, 32), ElementsAre(8, 16, 32));
  EXPECT_EQ(rule(8).index, 5);
  EXPECT_EQ(rule(8).across, 6);
  EXPECT_EQ(rule(9).index, 6);
  EXPECT_EQ(rule(-16).index, -6);
  EXPECT_EQ(rule(-16).across, -7);
}

}  // namespace
}  // namespace vernier
