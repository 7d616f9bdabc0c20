#include "numerics/errors/exact_sum.hpp"

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <gmpxx.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace vernier {
namespace {

constexpr double largest_double = std::numeric_limits<double>::max();
constexpr double smallest_double = std::numeric_limits<double>::denorm_min();
constexpr double infinite_term = std::numeric_limits<double>::infinity();

ExactSum sum_of(const std::vector<double>& terms) {
  ExactSum sum;
  for (const double term : terms) {
    sum += term;
  }
  return sum;
}

/// Of all magnitudes alike, so that most sums cancel or have gaps.
rc::Gen<double> any_finite() {
  return rc::gen::map(rc::gen::pair(rc::gen::inRange<int>(-1100, 1000), rc::gen::arbitrary<std::int32_t>()),
                      [](const auto& parts) { return std::ldexp(parts.second, parts.first - 8); });
}

TEST(ExactSum, LosesNothing) {
  EXPECT_EQ(sum_of({1, 0x1p-200, -1}).nearest(), 0x1p-200);
  EXPECT_EQ(sum_of({largest_double, largest_double, -largest_double}).nearest(), largest_double);
  EXPECT_EQ(sum_of({smallest_double, smallest_double}).nearest(), 2 * smallest_double);
  EXPECT_EQ(sum_of({-1, 1}).text(), "0");
  EXPECT_EQ(sum_of({smallest_double, -3 * smallest_double}).text(), "-0x2p-1074");
  EXPECT_EQ(sum_of({1.5}).text(), "0x6p-2") << "powers of two in steps of four from -1074";
}

TEST(ExactSum, RoundsToTheNearestAndTiesToTheEven) {
  EXPECT_EQ(sum_of({1, 0x1p-53}).nearest(), 1);
  EXPECT_EQ(sum_of({1 + 0x1p-52, 0x1p-53}).nearest(), 1 + 0x1p-51);
  EXPECT_EQ(sum_of({1, 0x1p-53, smallest_double}).nearest(), 1 + 0x1p-52);
  EXPECT_EQ(sum_of({2 - 0x1p-52, 0x1p-53}).nearest(), 2) << "the next binade";
  EXPECT_EQ(sum_of({largest_double, largest_double}).nearest(), infinite_term);
}

TEST(ExactSum, KeepsWhatIsNoFiniteNumber) {
  EXPECT_EQ(sum_of({1, infinite_term, 2}).text(), "inf");
  EXPECT_EQ(sum_of({-infinite_term}).nearest(), -infinite_term);
  EXPECT_EQ(sum_of({infinite_term, -infinite_term, 1}).text(), "nan");
  EXPECT_EQ(ExactSum::from_text("-inf")->text(), "-inf");
}

TEST(ExactSum, RefusesTextsThatAreNone) {
  for (const std::string text : {"", "0x", "1", "0xp-1074", "0x1", "0x1p", "0x1p-1073", "0x1p-1078",
                                 "0xgp-1074", "0x1p-1074 ", "--0x1p-1074", "0x1p999999"}) {
    EXPECT_FALSE(ExactSum::from_text(text)) << text;
  }
}

/// By the rationals of another library.
RC_GTEST_PROP(ExactSum, IsTheSumOfRationalsInAnyOrder, ()) {
  auto terms = *rc::gen::container<std::vector<double>>(any_finite());
  mpq_class truth = 0;
  for (const double term : terms) {
    truth += mpq_class(term);
  }
  const auto sum = sum_of(terms);
  const mpq_class off = truth - mpq_class(sum.nearest());
  const bool is_nearest = abs(off) <= mpq_class(std::ldexp(std::fabs(sum.nearest()), -53));
  RC_ASSERT(is_nearest);

  // Cut in two at any place, turned round, and through text.
  const auto cut = *rc::gen::inRange<std::size_t>(0, terms.size() + 1);
  const auto middle = terms.begin() + static_cast<std::ptrdiff_t>(cut);
  auto part = sum_of({middle, terms.end()});
  part += *ExactSum::from_text(sum_of({terms.begin(), middle}).text());
  RC_ASSERT(part.text() == sum.text());
}

}  // namespace
}  // namespace vernier
