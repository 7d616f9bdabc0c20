// The edits of buckets, biases and values that are data.

#include "numerics/diagnosis/relative/edit_rows.hpp"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace vernier {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(Formula, SaysWhatItSays) {
  const NamedNumbers numbers{{"a", 7}, {"long_name", 2}};
  const auto value = [&](std::string_view text, double x = 0) { return formula(text, numbers)(x); };
  EXPECT_EQ(value("a - 2 * long_name + 1"), 4);
  EXPECT_EQ(value("a - (2 - long_name) - 1"), 6);
  EXPECT_EQ(value("-a / 2"), -3.5);
  EXPECT_EQ(value("a // 2 * 10 + a % 2"), 31);
  EXPECT_EQ(value("x % 256", -1), 255);
  EXPECT_EQ(value("(x + 128) % 256 - 128", 200), -56);
  EXPECT_EQ(value("max(-a, min(long_name, x))", -9), -7);
  EXPECT_EQ(value("abs(whole(x)) + nearest(2.6)", -1.5), 4);
  EXPECT_EQ(value("round(bfloat16, x)", 257), 256);
  EXPECT_EQ(value("gray(x)", 6), 5);
  EXPECT_EQ(value("1 / ln(2)"), 1 / std::log(2.0));
}

/// Every name that some family gives its formulas.
NamedNumbers all_numbers() {
  NamedNumbers numbers;
  for (const auto* name :
       {"clips",         "span",           "last",    "other_last",  "t5",         "both",
        "measure",       "exact",          "steps",   "greatest",    "ahead",      "heads",
        "whole",         "rest",           "slopes",  "factor",      "queries",    "keys",
        "are_counted",   "precision",      "columns", "is_rational", "has_digits", "binary",
        "integer_index", "log_coordinates"}) {
    numbers.emplace(name, 2);
  }
  return numbers;
}

TEST(EditRows, AreWellFormed) {
  for (const auto* family : {"buckets", "logarithmic_buckets", "slopes", "biases", "values"}) {
    const auto rows = edit_rows(family, all_numbers());
    EXPECT_FALSE(rows.empty()) << family;
    for (const auto& row : rows) {
      const auto& words = row.finding.sentence;
      EXPECT_THAT(words, Not(EndsWith("."))) << family;
      EXPECT_THAT(words, Not(HasSubstr("{"))) << family;
      EXPECT_GT(row.bits, 0) << words;
      EXPECT_FALSE(row.sets.empty()) << words;
      for (const auto& [key, said] : row.sets.items()) {
        if (key == "format") {
          EXPECT_TRUE(format_named(said.get<std::string>())) << words;
        } else if (key != "of") {
          EXPECT_FALSE(std::isnan(row.map(key)(3))) << words;
        }
      }
    }
  }
}

}  // namespace
}  // namespace vernier
