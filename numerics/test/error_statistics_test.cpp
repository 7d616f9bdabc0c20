#include "numerics/errors/error_statistics.hpp"

#include <cmath>
#include <limits>
#include <numeric>

#include <gtest/gtest.h>

namespace vernier {
namespace {

ErrorSummary summary_of(std::initializer_list<double> errors) {
  ErrorSummary result;
  std::int64_t position = 0;
  for (const double error : errors) {
    result.add(error, {position++, 0});
  }
  return result;
}

TEST(ErrorSummary, HasTheMomentsOfItsErrors) {
  const auto summary = summary_of({1, -3, 2, 0});
  EXPECT_EQ(summary.count(), 4U);
  EXPECT_EQ(summary.greatest(), 3);
  EXPECT_EQ(summary.greatest_place().position, 1);
  EXPECT_EQ(summary.signed_mean(), 0);
  EXPECT_EQ(summary.mean(), 1.5);
  EXPECT_EQ(summary.rms(), std::sqrt(14.0 / 4)) << "the mean is not the root mean square";
}

TEST(ErrorSummary, BinsEveryMagnitudeAtOrBelowItsUpperEdge) {
  for (int step = 0; step < 7000; ++step) {
    const double magnitude = 0x1p-31 * std::pow(1.01, step);  // up to 2^69
    ErrorSummary summary;
    summary.add(magnitude, {});
    const auto& bins = summary.histogram();
    const auto bin = static_cast<std::size_t>(std::find(bins.begin(), bins.end(), 1U) - bins.begin());
    EXPECT_LE(magnitude, ErrorSummary::upper_edge(bin) * (1 + 1e-15));
    if (bin > 0) {
      EXPECT_GT(magnitude, ErrorSummary::upper_edge(bin - 1) * (1 - 1e-15));
    }
  }
}

TEST(ErrorSummary, PercentilesBoundTheirShare) {
  ErrorSummary summary;
  for (int i = 1; i <= 1000; ++i) {
    summary.add(i, {i, 0});
  }
  EXPECT_GE(summary.percentile(0.5), 500);
  EXPECT_LE(summary.percentile(0.5), 500 * std::exp2(0.25));
  EXPECT_EQ(summary.percentile(1), 1000);
  EXPECT_GE(summary.percentile(0.99), 990);
}

TEST(ErrorSummary, MergingIsAddingInOrder) {
  auto left = summary_of({1, -3});
  left.merge(summary_of({3, 0.5}));
  const auto whole = summary_of({1, -3, 3, 0.5});
  EXPECT_EQ(left.count(), whole.count());
  EXPECT_EQ(left.greatest(), whole.greatest());
  EXPECT_EQ(left.greatest_place().position, 1) << "the first of equals";
  EXPECT_EQ(left.rms(), whole.rms());
  EXPECT_EQ(left.histogram(), whole.histogram());
}

TEST(ErrorStatistics, CountsWhatCannotBeMeasuredApart) {
  ErrorStatistics statistics;
  const Enclosure truth{{0.75, 0}, 0};
  statistics.add(Format::binary32, 0.75, truth, 0.75, 0, 1, {0, 0});
  statistics.add(Format::binary32, next_up(Format::binary32, 0.75), truth, 0.75, 0, 1, {1, 0});
  statistics.add(Format::binary32, std::numeric_limits<double>::quiet_NaN(), truth, 0.75, 0, 1, {2, 5});
  statistics.add(Format::binary32, 0.75, truth, std::nullopt, 0, 1, {3, 0});
  EXPECT_EQ(statistics.count(), 4U);
  EXPECT_EQ(statistics.non_finite(), 1U);
  EXPECT_EQ(statistics.first_non_finite()->position, 2);
  EXPECT_EQ(statistics.correctly_rounded(), 1U) << "an undecided rounding is not a correct one";
  EXPECT_EQ(statistics.undecided(), 1U);
  EXPECT_EQ(statistics.faithful(), 2U) << "one ulp off is not faithful";
  EXPECT_EQ(statistics.ulps().count(), 3U);
  EXPECT_EQ(statistics.ulps().greatest(), 1);
}

}  // namespace
}  // namespace vernier
