#include <cmath>
#include <limits>
#include <regex>
#include <sstream>
#include <stdexcept>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reports/html/charts/bar_chart.hpp"
#include "reports/html/charts/chart.hpp"
#include "reports/html/charts/line_chart.hpp"
#include "reports/html/number_text.hpp"
#include "reports/test/svg_reader.hpp"

namespace vernier {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr auto hostile_words = "<!-- <script>\"'&</script>";
constexpr auto escaped = "&lt;!-- &lt;script&gt;&quot;&apos;&amp;&lt;/script&gt;";

BarChart hostile_bars() {
  return {"chart-1",     hostile_words, hostile_words, {{hostile_words, 1, 2, hostile_words}},
          hostile_words, hostile_words};
}

LineChart hostile_lines() {
  return {"chart-1",
          hostile_words,
          hostile_words,
          {hostile_words},
          {hostile_words},
          {0, 1},
          {{hostile_words, {1, 2}}},
          {{1.5, hostile_words}}};
}

TEST(Figure, HostileTextStaysText) {
  for (const auto& figure : {bar_chart(hostile_bars()), line_chart(hostile_lines())}) {
    EXPECT_EQ(malformed(figure.picture), "");
    EXPECT_THAT(figure.picture, HasSubstr("&lt;!--"));
    const auto html = to_html(figure);
    EXPECT_THAT(html, Not(HasSubstr("<!--")));
    EXPECT_THAT(html, Not(HasSubstr("<script>")));
    EXPECT_THAT(html, HasSubstr(escaped));
  }
}

TEST(Figure, BytesThatAreNotUtf8AreReplaced) {
  EXPECT_EQ(script_safe_json(Json{{"x", "a\xff"}}), "{\"x\":\"a\xef\xbf\xbd\"}");
}

TEST(Figure, MissingPartsAreRefused) {
  for (const auto part : {&Figure::id, &Figure::title, &Figure::caption}) {
    auto figure = bar_chart(hostile_bars());
    figure.*part = "";
    EXPECT_THROW(to_html(figure), std::logic_error);
  }
  auto figure = bar_chart(hostile_bars());
  figure.table.rows.clear();
  EXPECT_THROW(to_html(figure), std::logic_error);
  figure = bar_chart(hostile_bars());
  figure.picture = {};
  EXPECT_THROW(to_html(figure), std::logic_error);
  figure = bar_chart(hostile_bars());
  figure.id = "a b";
  EXPECT_THROW(to_html(figure), std::logic_error);
}

TEST(Table, RowsMustFitTheColumns) {
  EXPECT_THROW(to_html(DataTable{"t", {{"a"}, {"b"}}, {{"1"}}}), std::logic_error);
  EXPECT_THROW(to_html(DataTable{"", {{"a"}}, {{"1"}}}), std::logic_error);
}

TEST(NumberText, IsShortAndSaysWhatIsNoNumber) {
  EXPECT_EQ(number_text(131072, 12), "131072");
  EXPECT_EQ(number_text(1.23456e-9, 4), "1.235e-09");
  EXPECT_EQ(number_text(0.5, 4), "0.5");
  EXPECT_EQ(number_text(std::nan(""), 4), "–");
  EXPECT_EQ(number_text(-std::numeric_limits<double>::infinity(), 4), "−∞");
}

LineChart two_series() {
  return {"chart-1",
          "Title",
          "Caption.",
          {"position", AxisScale::logarithmic},
          {"error", AxisScale::logarithmic},
          {1, 10},
          {{"a", {0.002, 0.5}}, {"limit", {1, 1}, true}}};
}

TEST(LineChartFigure, HasLinesNamesTableAndWholeDecades) {
  const auto figure = line_chart(two_series());
  EXPECT_THAT(figure.picture,
              HasSubstr("<g class=\"series series-1\" data-columns=\"1\"><path class=\"mark\""));
  EXPECT_THAT(figure.picture,
              HasSubstr("<g class=\"series budget\" data-columns=\"2\"><path class=\"mark\""));
  EXPECT_THAT(figure.picture, HasSubstr("data-y=\"log 0.001 1 "));
  EXPECT_THAT(figure.picture, HasSubstr(">limit</text>"));
  EXPECT_THAT(figure.table.rows, ElementsAre(ElementsAre("1", "0.002", "1"), ElementsAre("10", "0.5", "1")));
  EXPECT_EQ(figure.caption, "Caption.");
  EXPECT_THAT(crowded_texts(figure.picture), IsEmpty());
}

TEST(LineChartFigure, ExactZerosOnALogarithmicAxisAreShownAndExplained) {
  auto chart = two_series();
  chart.series[0].values[0] = 0;
  const auto figure = line_chart(chart);
  EXPECT_THAT(figure.caption, HasSubstr("exactly zero"));
  EXPECT_EQ(occurrences(figure.picture, "class=\"zero\""), 1U);
  EXPECT_THAT(figure.picture, HasSubstr("data-y=\"log 0.1 1 "));
}

TEST(LineChartFigure, LinesThatLookTheSameAreOneWithBothNames) {
  auto chart = two_series();
  chart.series.insert(chart.series.begin() + 1, {{"b", {0.002, 0.5001}}, {"c", {0.004, 0.5}}});
  const auto figure = line_chart(chart);
  EXPECT_THAT(figure.picture, HasSubstr(">a</text>"));
  EXPECT_THAT(figure.picture, HasSubstr(">b</text>"));
  EXPECT_THAT(figure.picture, HasSubstr("data-columns=\"1 2\""));
  EXPECT_THAT(figure.picture, HasSubstr("<g class=\"series series-3\" data-columns=\"3\">"));
  EXPECT_EQ(occurrences(figure.picture, "class=\"mark\""), 3U);
  EXPECT_THAT(crowded_texts(figure.picture), IsEmpty());
}

TEST(LineChartFigure, ThresholdsAreDrawnNamedAndInSight) {
  auto chart = two_series();
  chart.thresholds = {{std::exp2(-8), "2⁻⁸"}, {std::exp2(-17), "2⁻¹⁷"}};
  const auto figure = line_chart(chart);
  EXPECT_EQ(occurrences(figure.picture, "<g class=\"threshold\"><path class=\"mark\""), 2U);
  EXPECT_THAT(figure.picture, HasSubstr(">2⁻¹⁷</text>"));
  EXPECT_THAT(figure.picture, HasSubstr("data-y=\"log 1e-06 1 "));
}

TEST(LineChartFigure, AnAxisThatIsGivenCutsLinesAndNamesThoseItDoesNotShow) {
  auto chart = two_series();
  chart.y.low = 0.01;
  chart.series.push_back({"under", {1e-9, 1e-8}});
  const auto figure = line_chart(chart);
  EXPECT_THAT(figure.picture, HasSubstr("data-y=\"log 0.01 1 "));
  EXPECT_THAT(figure.picture, HasSubstr(">under: below</text>"));
  EXPECT_EQ(occurrences(figure.picture, "class=\"mark\""), 2U);
  EXPECT_THAT(crowded_texts(figure.picture), IsEmpty());
  chart.series.push_back({"over", {20, 30}});
  chart.series.push_back({"absent", {std::nan(""), std::nan("")}});
  chart.y.high = 1;
  const auto cut = line_chart(chart).picture;
  EXPECT_THAT(cut, HasSubstr(">over: above</text>"));
  EXPECT_THAT(cut, HasSubstr(">absent: no values</text>"));
}

TEST(LineChartFigure, NamesNeverOverlapHoweverLongAndMany) {
  LineChart chart = two_series();
  chart.series.clear();
  for (std::size_t i = 0; i < max_series; ++i) {
    const double last = 0.5 + 0.002 * static_cast<double>(i);
    chart.series.push_back(
        {"an implementation with a long name, stored as float32, number " + std::to_string(i),
         {0.1 / static_cast<double>(i + 1), last}});
  }
  chart.thresholds = {{0.5, "half"}, {0.501, "a little more"}};
  const auto picture = line_chart(chart).picture;
  EXPECT_THAT(crowded_texts(picture), IsEmpty());
  EXPECT_EQ(malformed(picture), "");
  EXPECT_EQ(occurrences(picture, "class=\"mark\""), max_series + 2);
}

TEST(LineChartFigure, IsDrawnWhateverItsAxesAre) {
  for (const auto x : {AxisScale::linear, AxisScale::logarithmic, AxisScale::powers_of_two}) {
    for (const auto y : {AxisScale::linear, AxisScale::logarithmic, AxisScale::powers_of_two}) {
      auto chart = two_series();
      chart.x = {"x", x};
      chart.y = {"y", y};
      for (const double last : {10.0, 100.0, 1048576.0}) {
        chart.x_values = {1, last};
        const auto picture = line_chart(chart).picture;
        EXPECT_THAT(crowded_texts(picture), IsEmpty());
        EXPECT_EQ(occurrences(picture, "class=\"mark\""), 2U);
      }
    }
  }
}

TEST(LineChartFigure, LinesThatRunCloseTogetherAreOneBandWithAllNames) {
  auto chart = two_series();
  chart.series = {{"a", {0.1, 0.5}}, {"b", {0.103, 0.505}}, {"c", {0.1, 0.9}}};
  EXPECT_THAT(line_chart(chart).picture, Not(HasSubstr("band")));
  chart.bands = true;
  const auto figure = line_chart(chart);
  EXPECT_EQ(occurrences(figure.picture, "class=\"mark band\""), 1U);
  EXPECT_EQ(occurrences(figure.picture, "class=\"mark\""), 1U);
  EXPECT_THAT(figure.picture, HasSubstr("data-columns=\"1 2\""));
  for (const auto* name : {">a</text>", ">b</text>", ">c</text>"}) {
    EXPECT_THAT(figure.picture, HasSubstr(name));
  }
}

/// From 256 to 512 the share falls at once, not along a slope.
TEST(LineChartFigure, StepsHaveNoSlopes) {
  auto chart = two_series();
  chart.y = {"share", AxisScale::linear};
  chart.x_values = {256, 512, 1024, 2048};
  chart.series = {{"a", {100, 0, 0, 0}}, {"b", {100, 100, 70, 70}}, {"c", {100, 98, 71, 70}}};
  const auto slopes = [&] {
    const auto svg = line_chart(chart).picture;
    static const std::regex path("class=\"mark[^\"]*\" d=\"M([^\"]+)\"");
    int count = 0;
    for (std::sregex_iterator one(svg.begin(), svg.end(), path), none; one != none; ++one) {
      std::istringstream numbers(std::regex_replace((*one)[1].str(), std::regex("[LZ]"), " "));
      double x = 0, y = 0, next_x = 0, next_y = 0;
      for (numbers >> x >> y; numbers >> next_x >> next_y; x = next_x, y = next_y) {
        count += x != next_x && y != next_y ? 1 : 0;
      }
    }
    return count;
  };
  for (const bool bands : {false, true}) {
    chart.bands = bands;
    chart.steps = false;
    EXPECT_GT(slopes(), 0);
    chart.steps = true;
    EXPECT_EQ(slopes(), 0);
  }
}

TEST(LineChartFigure, NamesStandBelowThePlotTheLineThatEndsHighestFirst) {
  LineChart chart = two_series();
  chart.thresholds = {{0.5, "half"}};
  chart.series[0].label = "an implementation with a name that is much longer than a phone is wide";
  const auto picture = line_chart(chart).picture;
  EXPECT_THAT(crowded_texts(picture), IsEmpty());
  EXPECT_EQ(malformed(picture), "");
  EXPECT_EQ(occurrences(picture, "class=\"sample\""), 3U);
  EXPECT_LT(picture.find(">limit</text>"), picture.find(">an implementation"));
}

TEST(LineChartFigure, RefusesWhatItCannotDraw) {
  auto chart = two_series();
  chart.series[0].values.pop_back();
  EXPECT_THROW(line_chart(chart), std::logic_error);
  chart = two_series();
  chart.x_values[0] = 0;
  EXPECT_THROW(line_chart(chart), std::logic_error);
  chart = two_series();
  chart.series.assign(max_series + 1, chart.series[0]);
  EXPECT_THROW(line_chart(chart), std::logic_error);
  chart.series.clear();
  EXPECT_THROW(line_chart(chart), std::logic_error);
}

TEST(BarChartFigure, SaysEachCountOfItsWhole) {
  const BarChart chart{
      "bars",
      "Title",
      "Caption.",
      {{"float64 phase, stored as float32, whatever the library that computes the sine is", 226, 226},
       {"bfloat16 positions", 0, 226, "repeat from 257 on", MarkTone::bad}},
      "Recipe",
      "Models"};
  const auto figure = bar_chart(chart);
  EXPECT_EQ(occurrences(figure.picture, "class=\"mark\""), 2U);
  EXPECT_THAT(figure.picture, HasSubstr(">226 of 226</text>"));
  EXPECT_THAT(figure.picture, HasSubstr("<g class=\"bar bad\" data-row=\"1\">"));
  EXPECT_THAT(figure.table.rows[1],
              ElementsAre("bfloat16 positions", "0", "226", "0 %", "repeat from 257 on"));
  EXPECT_EQ(malformed(figure.picture), "");
}

/// Widths are shares of the box, hence to scale on every screen: of the longest whole, or each of its own.
TEST(BarChartFigure, BarsAreShares) {
  BarChart chart{"bars", "Title", "Caption.", {{"a", 30, 40}, {"b", 10, 20}}};
  const auto counts = bar_chart(chart).picture;
  for (const auto* width : {"75.000%", "100.000%", "25.000%", "50.000%"}) {
    EXPECT_EQ(occurrences(counts, std::string("width=\"") + width), 1U) << width;
  }
  chart.shares = true;
  const auto shares = bar_chart(chart).picture;
  EXPECT_EQ(occurrences(shares, "width=\"100.000%\""), 2U);
  EXPECT_EQ(occurrences(shares, "width=\"50.000%\""), 1U);
}

TEST(BarChartFigure, RefusesWhatItCannotDraw) {
  EXPECT_THROW(bar_chart({"bars", "t", "c", {}}), std::logic_error);
  EXPECT_THROW(bar_chart({"bars", "t", "c", {{"a", 0, 0}}}), std::logic_error);
  EXPECT_THROW(bar_chart({"bars", "t", "c", {{"a", 2, 1}}}), std::logic_error);
}

}  // namespace
}  // namespace vernier
