#include "reports/html/chart.hpp"

#include <array>
#include <cassert>
#include <span>
#include <stdexcept>
#include <string_view>
#include <utility>

#include <fmt/core.h>

namespace vernier {
namespace {

constexpr std::string_view schema = "https://vega.github.io/schema/vega-lite/v6.json";

// Solid, dashed, dotted, and combinations that stay apart in print. Zero-terminated: a pattern has at most
// six lengths.
constexpr std::array<std::array<int, 6>, max_series> dashes{
    {{1, 0}, {7, 3}, {2, 2}, {9, 3, 2, 3}, {4, 2}, {12, 4}, {6, 2, 2, 2, 2, 2}, {3, 5}}};

std::span<const int> pattern(std::size_t index) {
  const auto& lengths = dashes.at(index);
  std::size_t count = 2;
  while (count < lengths.size() && lengths[count] != 0) {
    ++count;
  }
  return {lengths.data(), count};
}

bool is_id(std::string_view text) {
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  if (text.empty() || !letter(text.front())) {
    return false;
  }
  for (const char c : text) {
    if (!letter(c) && !(c >= '0' && c <= '9') && c != '-') {
      return false;
    }
  }
  return true;
}

void require_complete(const Figure& figure) {
  if (!is_id(figure.id)) {
    throw std::logic_error(
        fmt::format("figure '{}': an id is a letter, then letters, digits and hyphens", figure.id));
  }
  if (figure.title.empty() || figure.caption.empty()) {
    throw std::logic_error(fmt::format("figure '{}': a figure needs a title and a caption", figure.id));
  }
  if (figure.table.rows.empty()) {
    throw std::logic_error(
        fmt::format("figure '{}': a figure needs a table for readers who do not see the chart", figure.id));
  }
  if (!figure.spec.is_object()) {
    throw std::logic_error(fmt::format("figure '{}': its specification is not an object", figure.id));
  }
}

Json completed_spec(const Figure& figure) {
  Json spec = figure.spec;
  spec["$schema"] = schema;
  spec["description"] = figure.caption;
  if (!spec.contains("width")) {
    spec["width"] = "container";
  }
  return spec;
}

Json legend_data(const std::vector<LegendEntry>& legend) {
  Json entries = Json::array();
  for (const auto& entry : legend) {
    const bool area = !entry.colour.empty();
    entries.push_back({{"line", !area},
                       {"area", area},
                       {"css_class", entry.css_class},
                       {"dash", entry.dash},
                       {"colour", entry.colour},
                       {"label", entry.label}});
  }
  return entries;
}

}  // namespace

std::string script_safe_json(const Json& json) {
  const std::string text = json.dump(-1, ' ', false, Json::error_handler_t::replace);
  std::string safe;
  safe.reserve(text.size());
  for (const char c : text) {
    if (c == '<') {
      safe += "\\u003c";
    } else {
      safe += c;
    }
  }
  return safe;
}

std::string to_html(const Figure& figure) {
  require_complete(figure);
  return render_template("figure", {{"id", figure.id},
                                    {"title", figure.title},
                                    {"caption", figure.caption},
                                    {"has_legend", !figure.legend.empty()},
                                    {"legend", legend_data(figure.legend)},
                                    {"spec", script_safe_json(completed_spec(figure))},
                                    {"table_summary", figure.table_summary},
                                    {"table", to_html(figure.table)}});
}

Json series_dash(std::size_t index) {
  Json lengths = Json::array();
  for (const int length : pattern(index)) {
    lengths.push_back(length);
  }
  return lengths;
}

LegendEntry series_legend(std::size_t index, std::string label) {
  std::string dash;
  for (const int length : pattern(index)) {
    dash += std::string(dash.empty() ? "" : " ") + std::to_string(length);
  }
  return {std::move(label), "series-" + std::to_string(index + 1), index == 0 ? "none" : dash, ""};
}

LegendEntry budget_legend(std::string label) {
  return {std::move(label), "budget", "none", ""};
}

LegendEntry area_legend(std::string colour, std::string label) {
  return {std::move(label), "", "", std::move(colour)};
}

std::string power_of_ten(int exponent) {
  constexpr std::array<std::string_view, 10> superscripts{"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string text = "10";
  for (const char c : std::to_string(exponent)) {
    text += c == '-' ? std::string_view("⁻") : superscripts.at(static_cast<std::size_t>(c - '0'));
  }
  return text;
}

Json power_of_ten_axis(std::string title, int first, int last) {
  assert(first <= last);
  Json values = Json::array();
  Json labels = Json::object();
  for (int exponent = first; exponent <= last; ++exponent) {
    values.push_back(Json::parse("1e" + std::to_string(exponent)));
    labels[std::to_string(exponent)] = power_of_ten(exponent);
  }
  return {{"title", std::move(title)},
          {"values", std::move(values)},
          {"labelExpr", labels.dump() + "[round(log(datum.value)/LN10)]"},
          {"labelOverlap", "greedy"}};
}

}  // namespace vernier
