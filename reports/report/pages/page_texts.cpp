#include "reports/report/pages/page_texts.hpp"

#include <cmath>
#include <ranges>
#include <type_traits>

#include "reference/support/mapped.hpp"
#include "reports/html/charts/bar_chart.hpp"
#include "reports/html/charts/line_chart.hpp"

namespace vernier {

/// pages.json as it stands.
std::string pages_text();

namespace {

void take(const Json& text, const char* key, std::string& into) {
  into = text.value(key, into);
}

ChartAxis axis_of(const Json& text, const std::string& key) {
  const auto scale = text.value(key + "_scale", std::string("linear"));
  return {text.value(key, std::string()), scale == "linear"        ? AxisScale::linear
                                          : scale == "logarithmic" ? AxisScale::logarithmic
                                                                   : AxisScale::powers_of_two};
}

}  // namespace

const Json& page_texts() {
  static const auto texts = Json::parse(pages_text());
  return texts;
}

DataTable unfilled_table(const std::string& name) {
  const auto& text = page_texts().at(name);
  DataTable table{text.at("caption"), {}, {}};
  for (const auto& column : text.at("columns")) {
    const auto heading = column.get<std::string>();
    const bool number = heading.starts_with('#');
    table.columns.push_back({heading.substr(number ? 1 : 0), number});
  }
  return table;
}

std::string recipe_words(std::string_view recipe) {
  return page_texts().at("recipe words").value(std::string(recipe), std::string(recipe));
}

std::string recipe_words(std::string_view recipe, Format stored) {
  const auto text = recipe_words(recipe);
  return stored == Format::binary32 ? text : text + ", stored in " + std::string(traits(stored).name);
}

std::string recipe_page_file(std::string_view recipe) {
  return "recipe-" + std::string(recipe) + ".html";
}

std::vector<double> powers_of_two(int first, int last) {
  return mapped(std::views::iota(first, last + 1), [](int exponent) { return std::ldexp(1.0, exponent); });
}

template <class Chart>
Chart described_chart(const std::string& name, const std::string& id) {
  const auto& text = page_texts().at(name);
  Chart chart;
  chart.id = text.value("id", id);
  take(text, "title", chart.title);
  take(text, "caption", chart.caption);
  if constexpr (std::is_same_v<Chart, LineChart>) {
    chart.x = axis_of(text, "x");
    chart.y = axis_of(text, "y");
    chart.bands = text.value("bands", false);
    chart.steps = text.value("steps", false);
  } else {
    chart.shares = text.value("shares", false);
    chart.samples = text.value("samples", false);
    take(text, "value_title", chart.value_title);
    take(text, "bar_title", chart.bar_title);
  }
  return chart;
}

template BarChart described_chart(const std::string&, const std::string&);
template LineChart described_chart(const std::string&, const std::string&);

}  // namespace vernier
