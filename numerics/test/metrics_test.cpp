#include "numerics/errors/metrics.hpp"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace vernier {
namespace {

constexpr double measured_nan = std::numeric_limits<double>::quiet_NaN();

/// A truth that is value + low, known to a radius far below what is measured.
Enclosure about(double value, double low) {
  return {{value, low}, std::fabs(low) * 0x1p-50};
}

TEST(SignedUlpError, IsZeroForTheTruthItself) {
  for (const auto format : all_formats()) {
    EXPECT_EQ(signed_ulp_error(format, 0.75, exactly(0.75)), 0);
  }
}

TEST(SignedUlpError, CountsGapsOfTheTruthsBinade) {
  for (const auto format : all_formats()) {
    const double up = next_up(format, 0.75);
    EXPECT_EQ(signed_ulp_error(format, up, exactly(0.75)), 1);
    EXPECT_EQ(signed_ulp_error(format, -up, exactly(-0.75)), -1);
  }
}

TEST(SignedUlpError, KeepsTheFractionThatRoundingTheTruthWouldLose) {
  const double third_of_an_ulp = 0x1p-24 / 3;
  EXPECT_NEAR(signed_ulp_error(Format::binary32, 0.75, about(0.75, third_of_an_ulp)), -1.0 / 3, 1e-15);
}

TEST(SignedUlpError, UsesTheNarrowerGapBelowAnExactPowerOfTwo) {
  for (const auto format : all_formats()) {
    EXPECT_EQ(signed_ulp_error(format, next_down(format, 1), exactly(1)), -1);
    EXPECT_EQ(signed_ulp_error(format, next_up(format, 1), exactly(1)), 1);
    EXPECT_EQ(signed_ulp_error(format, next_up(format, -1), exactly(-1)), 1);
  }
}

TEST(SignedUlpError, PutsATruthJustBelowAPowerOfTwoInTheLowerBinade) {
  // 1 - 2^-80 rounds to 1, half the size of a gap above; measured in the gaps of [1/2, 1) the error is 2^-80
  // / 2^-24.
  EXPECT_NEAR(signed_ulp_error(Format::binary32, 1, about(1, -0x1p-80)), 0x1p-56, 0x1p-100);
  EXPECT_NEAR(signed_ulp_error(Format::binary32, next_up(Format::binary32, 1), about(1, -0x1p-80)), 2, 1e-12);
}

TEST(SignedUlpError, CountsSubnormalsInSmallestSubnormals) {
  for (const auto format : all_formats()) {
    const double smallest = traits(format).smallest();
    EXPECT_EQ(signed_ulp_error(format, 3 * smallest, exactly(smallest)), 2);
    EXPECT_EQ(signed_ulp_error(format, smallest, exactly(0)), 1);
    EXPECT_EQ(signed_ulp_error(format, -0.0, exactly(0)), 0);
    const double normal = traits(format).smallest_normal();
    EXPECT_EQ(signed_ulp_error(format, next_down(format, normal), exactly(normal)), -1)
        << "no narrower gap at emin";
  }
}

TEST(SignedUlpError, CountsInfinityAsTheFirstNumberThatOverflows) {
  const auto& t = traits(Format::binary16);
  EXPECT_EQ(signed_ulp_error(Format::binary16, infinity, exactly(t.largest())), 1);
  EXPECT_EQ(signed_ulp_error(Format::binary16, -infinity, exactly(-t.largest())), -1);
  EXPECT_TRUE(std::isnan(signed_ulp_error(Format::binary16, measured_nan, exactly(1))));
}

TEST(SignedError, SeesBelowTheLastBitOfTheTruthsHighPart) {
  EXPECT_EQ(signed_error(1, about(1, 0x1p-70)), -0x1p-70);
  EXPECT_EQ(signed_error(infinity, exactly(1)), infinity);
}

TEST(OrdinalDistance, KnowsWhetherThereAreTwoZeros) {
  EXPECT_EQ(ordinal_distance(Format::float8_e4m3fn, 0x1p-9, -0x1p-9), 3U);
  EXPECT_EQ(ordinal_distance(Format::float8_e4m3fnuz, 0x1p-10, -0x1p-10), 2U);
  EXPECT_EQ(ordinal_distance(Format::float8_e4m3fnuz, 0.0, -0.0), 0U);
}

TEST(OrdinalDistance, CountsBitPatternsAcrossZero) {
  for (const auto format : computing_formats()) {
    const double smallest = traits(format).smallest();
    EXPECT_EQ(ordinal_distance(format, 0.0, -0.0), 1U);
    EXPECT_EQ(ordinal_distance(format, smallest, -smallest), 3U);
    EXPECT_EQ(ordinal_distance(format, 1, next_up(format, 1)), 1U);
    EXPECT_EQ(ordinal_distance(format, 1, next_down(format, 1)), 1U);
    EXPECT_EQ(ordinal_distance(format, traits(format).largest(), infinity), 1U);
  }
}

TEST(OrdinalDistance, SpansTheWholeFormat) {
  EXPECT_EQ(ordinal_distance(Format::binary16, -infinity, infinity), 2U * 0x7c00 + 1);
  EXPECT_EQ(ordinal_distance(Format::binary64, -infinity, infinity), 2 * 0x7ff0000000000000ULL + 1);
}

TEST(OrdinalDistance, PutsNanInfinitelyFar) {
  EXPECT_EQ(ordinal_distance(Format::binary32, measured_nan, 1), std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(ordinal_distance(Format::binary32, 1, measured_nan), std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(ordinal_distance(Format::binary32, measured_nan, measured_nan), 0U);
}

TEST(Kappa, IsTheErrorInRoundingsOfThePhase) {
  EXPECT_EQ(phase_roundings(Format::binary32, 0x1p-24, 0, 1), 1);
  EXPECT_EQ(phase_roundings(Format::binary32, -0x1p-24 * 8, 3, 2), 1);
}

}  // namespace
}  // namespace vernier
