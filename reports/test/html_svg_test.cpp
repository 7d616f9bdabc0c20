#include <cmath>
#include <limits>
#include <stdexcept>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reports/html/charts/svg/drawing.hpp"
#include "reports/html/charts/svg/labels.hpp"
#include "reports/html/charts/svg/scale.hpp"
#include "reports/html/number_text.hpp"

namespace vernier {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<std::string> labels(const std::vector<Tick>& ticks) {
  std::vector<std::string> texts;
  for (const auto& tick : ticks) {
    texts.push_back(tick.label);
  }
  return texts;
}

TEST(Scale, PlacesItsEndsAndWhatIsBetween) {
  const Scale linear(AxisScale::linear, -1, 1, 100, 0);
  EXPECT_EQ(linear.place(-1), 100);
  EXPECT_EQ(linear.place(0), 50);
  const Scale powers(AxisScale::logarithmic, 1e-4, 1, 0, 40);
  EXPECT_NEAR(powers.place(1e-3), 10, 1e-9);
  EXPECT_FALSE(powers.has(0));
  EXPECT_FALSE(linear.has(std::nan("")));
  EXPECT_EQ(powers.in_words(), "log 0.0001 1 0 40");
}

TEST(Scale, RefusesEndsThatAreNone) {
  EXPECT_THROW(Scale(AxisScale::linear, 1, 1, 0, 1), std::logic_error);
  EXPECT_THROW(Scale(AxisScale::logarithmic, 0, 1, 0, 1), std::logic_error);
  EXPECT_THROW(Scale(AxisScale::linear, 0, std::numeric_limits<double>::infinity(), 0, 1), std::logic_error);
}

TEST(Scale, LabelsPeopleRead) {
  EXPECT_THAT(labels(Scale(AxisScale::linear, -1, 1, 0, 1).ticks(5)),
              ElementsAre("−1.0", "−0.5", "0.0", "0.5", "1.0"));
  EXPECT_THAT(labels(Scale(AxisScale::linear, 0, 1300000, 0, 1).ticks(3)),
              ElementsAre("0", "500\u202f000", "1\u202f000\u202f000"));
  EXPECT_THAT(labels(Scale(AxisScale::powers_of_two, 512, 2097152, 0, 1).ticks(5)),
              ElementsAre("512", "4\u00a0K", "32\u00a0K", "256\u00a0K", "2\u00a0M"));
  EXPECT_THAT(labels(Scale(AxisScale::logarithmic, 1e-9, 1, 0, 1).ticks(4)),
              ElementsAre("10⁻⁹", "10⁻⁶", "10⁻³", "10⁰"));
  EXPECT_THAT(labels(Scale(AxisScale::logarithmic, 5, 60000, 0, 1).ticks(8)),
              ElementsAre("10", "100", "1000", "10\u202f000"));
  EXPECT_THAT(labels(Scale(AxisScale::logarithmic, 2, 8, 0, 1).ticks(4)), ElementsAre("2", "4", "6", "8"));
}

TEST(AxisRange, IsRoundWhereAskedAndNeverEmpty) {
  const auto decades = axis_range({"", AxisScale::logarithmic}, 0.002, 0.5, true);
  EXPECT_DOUBLE_EQ(decades.low, 0.001);
  EXPECT_DOUBLE_EQ(decades.high, 1);
  const auto given = axis_range({"", AxisScale::logarithmic, 1e-9, 2}, 1e-17, 10, true);
  EXPECT_EQ(given.low, 1e-9);
  EXPECT_EQ(given.high, 2);
  for (const auto scale : {AxisScale::linear, AxisScale::logarithmic, AxisScale::powers_of_two}) {
    for (const bool rounded : {false, true}) {
      const auto one = axis_range({"", scale}, 8, 8, rounded);
      EXPECT_LT(one.low, one.high);
    }
  }
}

TEST(ReadableNumber, GroupsIntegersAndKeepsThreeDigitsOfOthers) {
  EXPECT_EQ(readable_number(8192), "8192");
  EXPECT_EQ(readable_number(131072), "131\u202f072");
  EXPECT_EQ(readable_number(-1234567), "-1\u202f234\u202f567");
  EXPECT_EQ(readable_number(0.012345), "0.0123");
  EXPECT_EQ(readable_number(1.5e-9), "1.5e-9");
  EXPECT_EQ(readable_number(12345.6), "12\u202f346");
  EXPECT_EQ(readable_number(-0.0), "0");
  EXPECT_EQ(readable_number(std::nan("")), "–");
  EXPECT_EQ(axis_number(-0.5, 1), "−0.5");
}

TEST(WrappedText, BreaksAtSpacesAndCutsWhatDoesNotFit) {
  EXPECT_THAT(wrapped_text("", 10, 100, 2), IsEmpty());
  EXPECT_THAT(wrapped_text("float32 pow", 10, 200, 2), ElementsAre("float32 pow"));
  EXPECT_THAT(wrapped_text("float32 pow and others", 10, 70, 3), ElementsAre("float32 pow", "and others"));
  for (const auto& line : wrapped_text("averyveryverylongword of ééééééééé and 中中中中中中", 10, 60, 4)) {
    EXPECT_LE(text_width(line, 10), 60) << line;
  }
  EXPECT_EQ(wrapped_text("one two three four five", 10, 60, 2).back().substr(0, 3), "thr");
  EXPECT_TRUE(wrapped_text("one two three four five six", 10, 60, 2).back().ends_with("…"));
}

std::string path_through(std::initializer_list<DrawnPoint> points) {
  LinePath path(0, 100);
  for (const auto& point : points) {
    path.add(point.x, point.y);
  }
  path.finish();
  return path.text();
}

TEST(LinePath, IsInterruptedByNothingAndCutAtTheEdges) {
  const double none = std::nan("");
  EXPECT_EQ(path_through({{0, 10}, {10, 20}, {20, 30}}), "M0 10L10 20L20 30");
  EXPECT_EQ(path_through({{0, 10}, {10, 20}, {20, none}, {30, 40}, {40, none}, {50, 1}, {60, 2}}),
            "M0 10L10 20M27.5 40a2.5 2.5 0 1 0 5 0a2.5 2.5 0 1 0 -5 0M50 1L60 2");
  EXPECT_EQ(path_through({{0, 50}, {10, 150}, {20, 150}, {30, 50}}), "M0 50L5 100M25 100L30 50");
  EXPECT_EQ(path_through({{0, -100}, {10, 200}}), "M3.3 0L6.7 100");
  EXPECT_EQ(path_through({{0, 200}, {10, 300}, {20, none}, {30, 300}}), "");
}

}  // namespace
}  // namespace vernier
