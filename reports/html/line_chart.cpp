#include "reports/html/line_chart.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

#include <fmt/core.h>

#include "reports/html/number_text.hpp"

namespace vernier {
namespace {

constexpr int table_digits = 4;
constexpr int x_digits = 12;

struct Decades {
  int first;
  int last;
};

void require(const LineChart& chart, bool condition, const char* complaint) {
  if (!condition) {
    throw std::logic_error(fmt::format("line chart '{}': {}", chart.id, complaint));
  }
}

void require_complete(const LineChart& chart) {
  require(chart, !chart.series.empty() && !chart.x_values.empty(), "nothing to draw");
  const auto drawn =
      std::count_if(chart.series.begin(), chart.series.end(), [](const Series& s) { return !s.budget; });
  require(chart, static_cast<std::size_t>(drawn) <= max_series, "more series than can be told apart");
  for (const auto& series : chart.series) {
    require(chart, series.values.size() == chart.x_values.size(), "a series has not one value for each x");
  }
  require(chart,
          chart.x.scale == AxisScale::linear ||
              std::all_of(chart.x_values.begin(), chart.x_values.end(), [](double x) { return x > 0; }),
          "x must be positive on a logarithmic axis");
}

std::string key_of(std::size_t index) {
  return std::string("s") + std::to_string(index + 1);
}

// The whole decades that hold every positive finite value; 0.1 to 1 where there is none.
Decades decades_of(const std::vector<Series>& all_series) {
  double low = std::numeric_limits<double>::infinity();
  double high = 0;
  for (const auto& series : all_series) {
    for (const double value : series.values) {
      if (value > 0 && std::isfinite(value)) {
        low = std::min(low, value);
        high = std::max(high, value);
      }
    }
  }
  if (high == 0) {
    return {-1, 0};
  }
  const int first = static_cast<int>(std::floor(std::log10(low)));
  return {first, std::max(first + 1, static_cast<int>(std::ceil(std::log10(high))))};
}

Json power_value(int exponent) {
  return Json::parse("1e" + std::to_string(exponent));
}

Json x_channel(const LineChart& chart) {
  Json channel{{"field", "x"}, {"type", "quantitative"}};
  const auto [low, high] = std::minmax_element(chart.x_values.begin(), chart.x_values.end());
  if (chart.x.scale == AxisScale::linear) {
    channel["scale"] = {{"domain", {*low, *high}}, {"nice", false}};
    channel["axis"] = {{"title", chart.x.title}};
    return channel;
  }
  const double top = *high > *low ? *high : 10 * *low;
  channel["scale"] = {{"type", "log"}, {"domain", {*low, top}}, {"nice", false}};
  channel["axis"] = power_of_ten_axis(chart.x.title, static_cast<int>(std::ceil(std::log10(*low))),
                                      static_cast<int>(std::ceil(std::log10(top))));
  return channel;
}

Json y_channel(const LineChart& chart) {
  Json channel{{"field", "shown"}, {"type", "quantitative"}};
  if (chart.y.scale == AxisScale::linear) {
    channel["axis"] = {{"title", chart.y.title}};
    return channel;
  }
  const auto decades = decades_of(chart.series);
  channel["scale"] = {{"type", "log"}, {"domain", {power_value(decades.first), power_value(decades.last)}}};
  channel["axis"] = power_of_ten_axis(chart.y.title, decades.first, decades.last);
  return channel;
}

// All values as one row of columns, a third of the size of a row for each point.
Json data_of(const LineChart& chart) {
  Json columns{{"x", chart.x_values}};
  for (std::size_t i = 0; i < chart.series.size(); ++i) {
    columns[key_of(i)] = chart.series[i].values;
  }
  return {{"values", Json::array({std::move(columns)})}};
}

// Columns to points: x, key, value, and `shown`, which is null where a logarithmic axis has no place for the
// value.
Json transforms_of(const LineChart& chart) {
  Json keys = Json::array();
  Json labels = Json::object();
  for (std::size_t i = 0; i < chart.series.size(); ++i) {
    keys.push_back(key_of(i));
    labels[key_of(i)] = chart.series[i].label;
  }
  Json columns = keys;
  columns.insert(columns.begin(), "x");
  const bool logarithmic = chart.y.scale == AxisScale::logarithmic;
  const auto label_table = labels.dump(-1, ' ', false, Json::error_handler_t::replace);
  return Json::array(
      {Json{{"flatten", std::move(columns)}}, Json{{"fold", std::move(keys)}, {"as", {"key", "value"}}},
       Json{{"calculate", label_table + "[datum.key]"}, {"as", "series"}},
       Json{{"calculate", logarithmic ? "datum.value > 0 ? datum.value : null" : "datum.value"},
            {"as", "shown"}}});
}

std::string one_of(const Json& keys) {
  return fmt::format("indexof({}, datum.key) >= 0", keys.dump());
}

Json tooltip_of(const LineChart& chart) {
  return Json::array(
      {Json{{"field", "series"}, {"title", "series"}},
       Json{{"field", "x"}, {"type", "quantitative"}, {"title", chart.x.title}, {"format", ".12~g"}},
       Json{{"field", "value"}, {"type", "quantitative"}, {"title", chart.y.title}, {"format", ".4~g"}}});
}

bool has_exact_zero(const LineChart& chart) {
  return chart.y.scale == AxisScale::logarithmic &&
         std::any_of(chart.series.begin(), chart.series.end(), [](const Series& series) {
           return std::find(series.values.begin(), series.values.end(), 0.0) != series.values.end();
         });
}

Json layers_of(const LineChart& chart) {
  Json drawn = Json::array();
  Json budgets = Json::array();
  Json dashes = Json::array();
  for (std::size_t i = 0; i < chart.series.size(); ++i) {
    if (chart.series[i].budget) {
      budgets.push_back(key_of(i));
    } else {
      dashes.push_back(series_dash(drawn.size()));
      drawn.push_back(key_of(i));
    }
  }
  const Json colour{{"field", "key"}, {"type", "nominal"}, {"scale", {{"domain", drawn}}}};
  const Json dash{{"field", "key"}, {"type", "nominal"}, {"scale", {{"domain", drawn}, {"range", dashes}}}};
  const Json filter = Json::array({Json{{"filter", one_of(drawn)}}});
  Json layers = Json::array();
  if (!drawn.empty()) {
    layers.push_back(
        {{"transform", filter}, {"mark", "line"}, {"encoding", {{"color", colour}, {"strokeDash", dash}}}});
  }
  if (!budgets.empty()) {
    layers.push_back({{"transform", Json::array({Json{{"filter", one_of(budgets)}}})},
                      {"mark", {{"type", "line"}, {"style", "budget"}}},
                      {"encoding", {{"detail", {{"field", "key"}, {"type", "nominal"}}}}}});
  }
  if (!drawn.empty()) {
    layers.push_back({{"transform", filter},
                      {"mark", {{"type", "point"}, {"filled", true}}},
                      {"encoding", {{"color", colour}, {"tooltip", tooltip_of(chart)}}}});
  }
  if (has_exact_zero(chart)) {
    const auto floor = power_value(decades_of(chart.series).first).dump();
    layers.push_back({{"transform", Json::array({Json{{"filter", "datum.value === 0"}},
                                                 Json{{"calculate", floor}, {"as", "shown"}}})},
                      {"mark", {{"type", "point"}, {"style", "exact"}}},
                      {"encoding", {{"tooltip", tooltip_of(chart)}}}});
  }
  return layers;
}

std::vector<LegendEntry> legend_of(const LineChart& chart) {
  std::vector<LegendEntry> legend;
  std::size_t drawn = 0;
  for (const auto& series : chart.series) {
    legend.push_back(series.budget ? budget_legend(series.label) : series_legend(drawn++, series.label));
  }
  return legend;
}

DataTable table_of(const LineChart& chart) {
  DataTable table{chart.title, {{chart.x.title, true}}, {}};
  for (const auto& series : chart.series) {
    table.columns.push_back({series.label, true});
  }
  for (std::size_t row = 0; row < chart.x_values.size(); ++row) {
    std::vector<std::string> cells{number_text(chart.x_values[row], x_digits)};
    for (const auto& series : chart.series) {
      cells.push_back(number_text(series.values[row], table_digits));
    }
    table.rows.push_back(std::move(cells));
  }
  return table;
}

}  // namespace

Figure line_chart(const LineChart& chart) {
  require_complete(chart);
  Figure figure{chart.id, chart.title, chart.caption, Json::object(), legend_of(chart), table_of(chart)};
  if (has_exact_zero(chart)) {
    figure.caption += " A triangle on the bottom line is an error of exactly zero.";
  }
  figure.spec = {{"data", data_of(chart)},
                 {"transform", transforms_of(chart)},
                 {"encoding", {{"x", x_channel(chart)}, {"y", y_channel(chart)}}},
                 {"layer", layers_of(chart)}};
  return figure;
}

}  // namespace vernier
