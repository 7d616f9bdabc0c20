#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reports/html/chart.hpp"
#include "reports/html/line_chart.hpp"
#include "reports/html/number_text.hpp"

namespace vernier {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr auto hostile = "<!-- <script>\"'&</script>";

Figure hostile_figure() {
  Figure figure{"chart-1", hostile, hostile, {{"mark", "point"}}, {series_legend(1, hostile)}, {}};
  figure.spec["data"] = {{"values", {{{"x", hostile}}}}};
  figure.table = {hostile, {{hostile}, {hostile, true}}, {{hostile, hostile}}};
  return figure;
}

std::string embedded_json(const std::string& html) {
  const std::string open = "data-chart=\"chart-1-chart\">";
  const auto begin = html.find(open) + open.size();
  return html.substr(begin, html.find("</script>", begin) - begin);
}

TEST(Figure, HostileTextStaysText) {
  const auto html = to_html(hostile_figure());
  EXPECT_THAT(html, Not(HasSubstr("<!--")));
  EXPECT_THAT(html, Not(HasSubstr("<script>")));
  const auto opened = html.find("<script");
  EXPECT_EQ(html.find("<script", opened + 1), std::string::npos);
  EXPECT_EQ(html.find("</script", html.find("</script") + 1), std::string::npos);
  EXPECT_THAT(html, HasSubstr("&lt;!-- &lt;script&gt;&quot;&apos;&amp;&lt;/script&gt;"));
}

TEST(Figure, SpecificationSurvivesTheEscapes) {
  const auto spec = Json::parse(embedded_json(to_html(hostile_figure())));
  EXPECT_EQ(spec.at("data").at("values").at(0).at("x"), hostile);
  EXPECT_EQ(spec.at("description"), hostile);
  EXPECT_EQ(spec.at("width"), "container");
}

TEST(Figure, BytesThatAreNotUtf8AreReplaced) {
  EXPECT_EQ(script_safe_json(Json{{"x", "a\xff"}}), "{\"x\":\"a\xef\xbf\xbd\"}");
}

TEST(Figure, MissingPartsAreRefused) {
  for (const auto part : {&Figure::id, &Figure::title, &Figure::caption}) {
    auto figure = hostile_figure();
    figure.*part = "";
    EXPECT_THROW(to_html(figure), std::logic_error);
  }
  auto figure = hostile_figure();
  figure.table.rows.clear();
  EXPECT_THROW(to_html(figure), std::logic_error);
  figure = hostile_figure();
  figure.id = "a b";
  EXPECT_THROW(to_html(figure), std::logic_error);
}

TEST(Table, RowsMustFitTheColumns) {
  EXPECT_THROW(to_html(DataTable{"t", {{"a"}, {"b"}}, {{"1"}}}), std::logic_error);
  EXPECT_THROW(to_html(DataTable{"", {{"a"}}, {{"1"}}}), std::logic_error);
}

TEST(Legend, SeriesDifferInDashesAsWellAsInColour) {
  for (std::size_t i = 0; i < max_series; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      EXPECT_NE(series_dash(i), series_dash(j));
      EXPECT_NE(series_legend(i, "").css_class, series_legend(j, "").css_class);
    }
  }
}

TEST(PowersOfTen, AxisNamesEveryDecade) {
  EXPECT_EQ(power_of_ten(-17), "10⁻¹⁷");
  const auto axis = power_of_ten_axis("error", -2, 1);
  EXPECT_EQ(axis.at("values"), Json::parse("[0.01, 0.1, 1.0, 10.0]"));
  EXPECT_THAT(axis.at("labelExpr").get<std::string>(), HasSubstr("\"-2\":\"10⁻²\""));
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

TEST(LineChartFigure, HasKeyTableAndWholeDecades) {
  const auto figure = line_chart(two_series());
  ASSERT_EQ(figure.legend.size(), 2U);
  EXPECT_EQ(figure.legend[0].css_class, "series-1");
  EXPECT_EQ(figure.legend[1].css_class, "budget");
  EXPECT_THAT(figure.table.rows, ElementsAre(ElementsAre("1", "0.002", "1"), ElementsAre("10", "0.5", "1")));
  EXPECT_EQ(figure.spec.at("encoding").at("y").at("scale").at("domain"), Json::parse("[0.001, 1.0]"));
  EXPECT_EQ(figure.caption, "Caption.");
}

TEST(LineChartFigure, ExactZerosOnALogarithmicAxisAreShownAndExplained) {
  auto chart = two_series();
  chart.series[0].values[0] = 0;
  const auto figure = line_chart(chart);
  EXPECT_THAT(figure.caption, HasSubstr("exactly zero"));
  EXPECT_EQ(figure.spec.at("layer").back().at("mark").at("style"), "exact");
  EXPECT_EQ(figure.spec.at("encoding").at("y").at("scale").at("domain"), Json::parse("[0.1, 1.0]"));
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

}  // namespace
}  // namespace vernier
