// Formulas over enclosures: what is certain, what is not, and what is no formula.

#include "props/literature/interval_formula.hpp"

#include <stdexcept>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "props/literature/quantities.hpp"

namespace vernier {
namespace {

Interval value_of(std::string_view formula) {
  const WorkingPrecision scope(128);
  return evaluated(formula, named_numbers(), quantities());
}

double number(std::string_view formula) {
  return middle(value_of(formula));
}

bool holds(std::string_view formula) {
  return is_certain(value_of(formula));
}

TEST(IntervalFormula, HasTheOperatorsOfArithmetic) {
  EXPECT_EQ(number("1 + 2 * 3 - 8 / 4"), 5);
  EXPECT_EQ(number("-2^2"), -4);
  EXPECT_EQ(number("2^-1 * (3 - 1)"), 1);
  EXPECT_EQ(number("10 - 4 - 3"), 3);
  EXPECT_EQ(number("4^(1 / 2)"), 2);
}

TEST(IntervalFormula, LoopsOverWholeNumbers) {
  EXPECT_EQ(number("sum(i, 1, 4, sum(j, 1, i, j))"), 20);
  EXPECT_EQ(number("max(i, -2, 3, -i * i)"), 0);
  EXPECT_EQ(number("min(i, -2, 3, -i * i)"), -9);
  EXPECT_EQ(number("count(i, 1, 10, mod(i, 3) == 0)"), 3);
  EXPECT_EQ(number("first(i, 1, 10, i * i > 20)"), 5);
  EXPECT_EQ(number("first(i, 1, 3, i * i > 20)"), 4);
  EXPECT_TRUE(holds("all(i, 1, 10, i < 11)"));
  EXPECT_FALSE(holds("all(i, 1, 10, i < 10)"));
  EXPECT_TRUE(holds("all(i, 2, 1, 1 < 0)")) << "there is none";
}

TEST(IntervalFormula, IsCertainOnlyOfWhatEnclosuresTell) {
  EXPECT_TRUE(holds("sin(2)^2 + cos(2)^2 == 1"));
  EXPECT_FALSE(holds("sin(2)^2 + cos(2)^2 == 1 + 2^-60"));
  EXPECT_FALSE(holds("sin(2)^2 + cos(2)^2 < 1"));
  EXPECT_FALSE(holds("sin(2)^2 + cos(2)^2 != 1"));
  EXPECT_FALSE(holds("sin(2)^2 + cos(2)^2 > 1"));
  EXPECT_TRUE(holds("1 / 3 ~ 0.333 && -1 / 3 ~ -0.333"));
  EXPECT_FALSE(holds("1 / 3 ~ 0.334"));
  EXPECT_FALSE(holds("2 < 2"));
  EXPECT_FALSE(holds("1 < 2 && 2 < 1"));
}

TEST(IntervalFormula, RefusesWhatIsNone) {
  for (const auto* text : {"1 +", "nobody", "nobody(1)", "sin(1", "1 2", "sum(i, 1, 2)", ")"}) {
    EXPECT_THROW(value_of(text), std::invalid_argument) << text;
  }
  EXPECT_THROW(value_of("sum(i, 0.5, 2, i)"), std::invalid_argument);
}

TEST(Quantities, RoundToFormats) {
  EXPECT_EQ(number("round(bfloat16, 257)"), 256);
  EXPECT_EQ(number("round(float32, 1 / 3)"), static_cast<double>(1.0F / 3));
}

TEST(Quantities, QuickSumsAndGapsAreThoseOfEnclosures) {
  EXPECT_TRUE(holds("all(k, 0, 300, abs(quick_g(16, k) - g(16, k)) < 2^-40)"));
  EXPECT_TRUE(holds("abs(least_gap(2, 3) + cos(2)) < 2^-40")) << "of 1, 0.54, -0.42, -0.99 and 0";
  EXPECT_EQ(number("greatest_at(2, 1, 100)"), 44);
  EXPECT_TRUE(holds("abs(root_mean_square(2, 1, 3) - sqrt((cos(1)^2 + cos(2)^2 + cos(3)^2) / 3)) < 2^-40"));
}

TEST(Quantities, FirstNegativeSumIsTheFirst) {
  EXPECT_EQ(number("first_negative(2, 10000, 0, 10)"), 2);
  EXPECT_EQ(number("first_negative(2, 10000, 0, 1)"), 0);
  EXPECT_EQ(number("first_negative(2, 10000, 1, 1000)"), 0) << "one still pair is as much as one cosine";
  EXPECT_EQ(number("first_negative(128, 10000, 0, 2047)"), 1707);
}

/// Ci and Si from DLMF 6.16; the two ways, near and far, agree where both reach.
TEST(Quantities, CosineAndSineIntegrals) {
  EXPECT_TRUE(holds("Ci(1) ~ 0.33740392290096813466"));
  EXPECT_TRUE(holds("Si(1) ~ 0.94608307036718301494"));
  EXPECT_TRUE(holds("Ci(200) ~ -0.00437845"));
  EXPECT_TRUE(holds("Si(200) ~ 1.5683823"));
  EXPECT_TRUE(holds("series_mean(2, 100.5) == (Ci(100.5) - Ci(50.25)) / ln(2)"));
  EXPECT_TRUE(holds("power_mean(1, 30) == sin(30) / 30"));
}

}  // namespace
}  // namespace vernier
