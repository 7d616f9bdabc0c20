#include "reports/html/heat_map.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <stdexcept>
#include <string_view>
#include <utility>

#include <fmt/core.h>

#include "reports/html/number_text.hpp"
#include "reports/html/palette_png.hpp"

namespace vernier {
namespace {

// Grey, which no band is.
constexpr Colour no_value_colour{140, 146, 152};
constexpr std::string_view no_value_label = "no value";

[[noreturn]] void refuse(const HeatMap& map, const std::string& complaint) {
  throw std::logic_error(fmt::format("heat map '{}': {}", map.id, complaint));
}

void require_complete(const HeatMap& map) {
  if (map.columns == 0 || map.values.empty() || map.values.size() % map.columns != 0) {
    refuse(map, fmt::format("{} values are no full rows of {}", map.values.size(), map.columns));
  }
  const auto ascending = [](const ColourBand& a, const ColourBand& b) { return !(a.from < b.from); };
  if (map.bands.empty() ||
      std::adjacent_find(map.bands.begin(), map.bands.end(), ascending) != map.bands.end()) {
    refuse(map, "its bands do not ascend");
  }
}

// The band of each cell, rows from the bottom; the number of bands stands for "no value".
std::vector<std::uint8_t> band_indices(const HeatMap& map) {
  std::vector<std::uint8_t> indices;
  indices.reserve(map.values.size());
  for (const double value : map.values) {
    if (std::isnan(value)) {
      indices.push_back(static_cast<std::uint8_t>(map.bands.size()));
      continue;
    }
    const auto above = std::upper_bound(map.bands.begin(), map.bands.end(), value,
                                        [](double v, const ColourBand& band) { return v < band.from; });
    if (above == map.bands.begin()) {
      refuse(map, fmt::format("the value {} lies below the first band", number_text(value, 6)));
    }
    indices.push_back(static_cast<std::uint8_t>(above - map.bands.begin() - 1));
  }
  return indices;
}

// A picture starts with its top row, a matrix with its bottom row.
std::vector<std::uint8_t> top_row_first(const std::vector<std::uint8_t>& cells, std::size_t columns) {
  std::vector<std::uint8_t> pixels;
  pixels.reserve(cells.size());
  const std::span<const std::uint8_t> rows(cells);
  for (std::size_t start = cells.size(); start > 0; start -= columns) {
    const auto row = rows.subspan(start - columns, columns);
    pixels.insert(pixels.end(), row.begin(), row.end());
  }
  return pixels;
}

Json channel(const char* field, const CellAxis& axis) {
  Json scale{{"domain", {axis.low, axis.high}}, {"nice", false}, {"zero", false}};
  Json labels{{"title", axis.axis.title}, {"tickMinStep", 1}};
  if (axis.axis.scale == AxisScale::logarithmic) {
    scale = {{"type", "log"}, {"domain", {axis.low, axis.high}}, {"nice", false}};
    labels = power_of_ten_axis(axis.axis.title, static_cast<int>(std::ceil(std::log10(axis.low))),
                               static_cast<int>(std::floor(std::log10(axis.high))));
  }
  labels["grid"] = false;
  return {
      {"field", field}, {"type", "quantitative"}, {"scale", std::move(scale)}, {"axis", std::move(labels)}};
}

Json picture_layer(const std::string& url) {
  return {{"mark",
           {{"type", "image"},
            {"url", url},
            {"aspect", false},
            {"smooth", false},
            {"width", {{"expr", "width"}}},
            {"height", {{"expr", "height"}}},
            {"x", {{"expr", "width/2"}}},
            {"y", {{"expr", "height/2"}}},
            {"align", "center"},
            {"baseline", "middle"}}}};
}

// The axes belong to two invisible points in the corners; the picture itself has no scale.
Json axes_layer(const HeatMap& map) {
  return {{"data",
           {{"values", Json::array({Json{{"x", map.x.low}, {"y", map.y.low}},
                                    Json{{"x", map.x.high}, {"y", map.y.high}}})}}},
          {"mark", {{"type", "point"}, {"opacity", 0}}},
          {"encoding", {{"x", channel("x", map.x)}, {"y", channel("y", map.y)}}}};
}

// What the driver's tooltip needs to read the picture: the meaning of each colour.
Json cell_meaning(const HeatMap& map, std::span<const Colour> colours) {
  Json labels{{hex_colour(no_value_colour), no_value_label}};
  for (std::size_t i = 0; i < map.bands.size(); ++i) {
    labels[hex_colour(colours[i])] = map.bands[i].label;
  }
  return {{"x", map.x.axis.title},
          {"y", map.y.axis.title},
          {"value", map.value_title},
          {"labels", std::move(labels)}};
}

DataTable band_table(const HeatMap& map, const std::vector<std::uint8_t>& indices) {
  DataTable table{map.title, {{map.value_title, false}, {"cells", true}, {"share", true}}, {}};
  for (std::size_t band = 0; band <= map.bands.size(); ++band) {
    const auto count = std::count(indices.begin(), indices.end(), static_cast<std::uint8_t>(band));
    if (band == map.bands.size() && count == 0) {
      break;
    }
    const double share = 100 * static_cast<double>(count) / static_cast<double>(indices.size());
    table.rows.push_back({band < map.bands.size() ? map.bands[band].label : std::string(no_value_label),
                          std::to_string(count), number_text(share, 3) + " %"});
  }
  return table;
}

}  // namespace

Figure heat_map(const HeatMap& map) {
  require_complete(map);
  auto colours = sequential_colours(map.bands.size());
  const auto indices = band_indices(map);
  std::vector<LegendEntry> legend;
  for (std::size_t i = 0; i < map.bands.size(); ++i) {
    legend.push_back(area_legend(hex_colour(colours[i]), map.bands[i].label));
  }
  if (std::find(indices.begin(), indices.end(), map.bands.size()) != indices.end()) {
    legend.push_back(area_legend(hex_colour(no_value_colour), std::string(no_value_label)));
  }
  Json meaning = cell_meaning(map, colours);
  colours.push_back(no_value_colour);
  const auto picture = palette_png(top_row_first(indices, map.columns), map.columns, colours);
  Figure figure{
      map.id,         map.title,         map.caption,
      Json::object(), std::move(legend), map.table.rows.empty() ? band_table(map, indices) : map.table};
  figure.spec = {
      {"data", {{"values", Json::array({Json::object()})}}},
      {"layer", Json::array({picture_layer("data:image/png;base64," + base64(picture)), axes_layer(map)})},
      {"usermeta", {{"cells", std::move(meaning)}}}};
  return figure;
}

}  // namespace vernier
