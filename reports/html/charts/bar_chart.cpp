#include "reports/html/charts/bar_chart.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include <fmt/core.h>

#include "reports/html/charts/svg/labels.hpp"
#include "reports/html/number_text.hpp"

namespace vernier {
namespace {

constexpr double picture_width = 640;
constexpr double bar_thickness = 16;
constexpr double between_bars = 12;
constexpr double label_gap = 10;
constexpr double bar_label_width = 230;
constexpr std::size_t most_bar_lines = 3;

void require(const BarChart& chart, bool condition, const char* complaint) {
  if (!condition) {
    throw std::logic_error(fmt::format("bar chart '{}': {}", chart.id, complaint));
  }
}

std::string bar_count_text(const Bar& bar) {
  return fmt::format("{} of {}", readable_number(static_cast<double>(bar.value)),
                     readable_number(static_cast<double>(bar.of)));
}

std::vector<std::string> label_lines(const Bar& bar) {
  return wrapped_text(bar.label, Drawing::letters, bar_label_width, most_bar_lines);
}

// The width of the widest of what `texts_of` gives for each bar.
template <class TextsOf>
double widest(const std::vector<Bar>& bars, TextsOf texts_of) {
  double width = 0;
  for (const auto& bar : bars) {
    for (const auto& text : texts_of(bar)) {
      width = std::max(width, text_width(text, Drawing::letters));
    }
  }
  return width;
}

Picture draw_bars(const BarChart& chart) {
  // Names, counts, bars: a narrow window, which scrolls the picture, shows the counts at first.
  const double names_end = widest(chart.bars, label_lines);
  const double counts_end = names_end + label_gap + widest(chart.bars, [](const Bar& bar) {
                              return std::vector<std::string>{bar_count_text(bar)};
                            });
  const double left = counts_end + label_gap;
  std::uint64_t whole = 0;
  for (const auto& bar : chart.bars) {
    whole = std::max(whole, bar.of);
  }
  const auto end_of = [&](std::uint64_t value) {
    return left + static_cast<double>(value) / static_cast<double>(whole) * (picture_width - left);
  };
  Drawing drawing;
  double top = 0;
  for (std::size_t i = 0; i < chart.bars.size(); ++i) {
    const auto& bar = chart.bars[i];
    const auto lines = label_lines(bar);
    const double height =
        std::max(bar_thickness, static_cast<double>(lines.size()) * Drawing::line_spacing) + between_bars;
    const double middle = top + height / 2;
    drawing.open_group("bar " + tone_class(bar.tone), data_attribute("row", std::to_string(i)));
    double at = middle - static_cast<double>(lines.size() - 1) * Drawing::line_spacing / 2;
    for (const auto& line : lines) {
      drawing.text(names_end, at, TextAnchor::end, line);
      at += Drawing::line_spacing;
    }
    const DrawnBox track{left, middle - bar_thickness / 2, end_of(bar.of), middle + bar_thickness / 2};
    drawing.rectangle(track, "track");
    drawing.rectangle({left, track.top, end_of(bar.value), track.bottom}, "mark");
    // A foot where every bar stands, so that a bar of nothing is seen as one.
    drawing.line(left, track.top, left, track.bottom, "foot");
    drawing.text(counts_end, middle, TextAnchor::end, bar_count_text(bar), "count");
    drawing.close_group();
    top += height;
  }
  return std::move(drawing).finish(picture_width, top, "picture bars", caption_id(chart.id));
}

DataTable table_of(const BarChart& chart) {
  const bool details =
      std::any_of(chart.bars.begin(), chart.bars.end(), [](const Bar& bar) { return !bar.detail.empty(); });
  DataTable table{
      chart.title, {{chart.bar_title}, {chart.value_title, true}, {"Of", true}, {"Share", true}}, {}};
  if (details) {
    table.columns.push_back({"Detail"});
  }
  for (const auto& bar : chart.bars) {
    const double share = 100 * static_cast<double>(bar.value) / static_cast<double>(bar.of);
    table.rows.push_back({bar.label, readable_number(static_cast<double>(bar.value)),
                          readable_number(static_cast<double>(bar.of)), number_text(share, 3) + " %"});
    if (details) {
      table.rows.back().push_back(bar.detail);
    }
  }
  return table;
}

}  // namespace

Figure bar_chart(const BarChart& chart) {
  require(chart, !chart.bars.empty(), "nothing to draw");
  for (const auto& bar : chart.bars) {
    require(chart, bar.of > 0 && bar.value <= bar.of, "a bar is not a part of a whole");
  }
  return {chart.id, chart.title, chart.caption, draw_bars(chart), table_of(chart), {}};
}

}  // namespace vernier
