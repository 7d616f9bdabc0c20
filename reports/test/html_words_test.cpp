// How numbers, formulas and terms are written in pages.

#include <stdexcept>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reports/html/markup.hpp"
#include "reports/html/number_text.hpp"
#include "reports/words/value_text.hpp"

namespace vernier {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(QuantityText, GroupsTheDigitsOfLongCounts) {
  EXPECT_EQ(count_text(0), "0");
  EXPECT_EQ(count_text(4096), "4096");
  EXPECT_EQ(count_text(-4096), "-4096");
  EXPECT_EQ(count_text(131072), "131\u202f072");
  EXPECT_EQ(count_text(1048576), "1\u202f048\u202f576");
  EXPECT_EQ(count_text(-1048576), "-1\u202f048\u202f576");
}

TEST(QuantityText, MeasurementsHaveThreeDigits) {
  EXPECT_EQ(measure_text(0), "0");
  EXPECT_EQ(measure_text(0.0077231), "0.00772");
  EXPECT_EQ(measure_text(1543.9), "1540");
  EXPECT_EQ(measure_text(385123), "385\u202f000");
  EXPECT_EQ(measure_text(2.52e10), "2.52 × 10¹⁰");
  EXPECT_EQ(measure_text(-2.98e-8), "-2.98 × 10⁻⁸");
  EXPECT_EQ(measure_text(9.999e-8), "1 × 10⁻⁷");
}

TEST(ShareOfCounts, HasTheIntervalOfWilson) {
  const CountedShare some{98, 100};
  EXPECT_NEAR(some.least(), 0.9300, 5e-5);
  EXPECT_NEAR(some.greatest(), 0.9945, 5e-5);
  const CountedShare none{0, 10};
  EXPECT_EQ(none.least(), 0);
  EXPECT_NEAR(none.greatest(), 0.2775, 5e-5);
  const CountedShare whole{10, 10};
  EXPECT_NEAR(whole.least(), 0.7225, 5e-5);
  EXPECT_DOUBLE_EQ(whole.greatest(), 1);
}

TEST(Glossary, TermsCarryTheirDefinitions) {
  ASSERT_TRUE(definition_of("ulp"));
  EXPECT_THAT(std::string(*definition_of("ulp")), Not(HasSubstr("|")));
  EXPECT_EQ(definition_of("word"), std::nullopt);  // the heading of the table
  EXPECT_THAT(with_terms("<p>one <dfn>ulp</dfn> more</p>"), HasSubstr("one <dfn title=\"The distance"));
  EXPECT_EQ(with_terms("no term"), "no term");
  EXPECT_THROW(with_terms("<dfn>no such term</dfn>"), std::logic_error);
}

}  // namespace
}  // namespace vernier
