#include "reports/html/charts/bar_chart.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "reports/html/charts/svg/labels.hpp"
#include "reports/html/number_text.hpp"
#include "reports/words/value_text.hpp"

namespace vernier {
namespace {

constexpr double bar_thickness = 14;
constexpr double bar_letters = 13;
constexpr double bar_line = 18;  // from one line of a name to the next
constexpr double name_to_bar = 3;
constexpr double between_bars = 12;
constexpr double name_to_count = 12;
constexpr double narrowest_box = 288;  // of a phone; names and counts share a line there
constexpr std::size_t most_bar_lines = 3;

std::string bar_count_text(const Bar& bar) {
  return fmt::format("{} of {}", readable_number(static_cast<double>(bar.value)),
                     readable_number(static_cast<double>(bar.of)));
}

std::string draw_bars(const BarChart& chart) {
  const auto whole = std::ranges::max(chart.bars, {}, &Bar::of).of;
  Drawing drawing;
  double top = 0;
  for (std::size_t i = 0; i < chart.bars.size(); ++i) {
    const auto& bar = chart.bars[i];
    drawing.open_group("bar " + tone_class(bar.tone), data_attribute("row", std::to_string(i)));
    const auto lines = wrapped_text(bar.label, bar_letters, narrowest_box, most_bar_lines);
    for (const auto& line : lines) {
      drawing.text(0, top + bar_line / 2, TextAnchor::start, line);
      top += bar_line;
    }
    // The count ends the last line of the name, or has a line of its own.
    const auto count = bar_count_text(bar);
    const bool fits =
        text_width(lines.back(), bar_letters) + name_to_count + text_width(count, bar_letters) <=
        narrowest_box;
    top += fits ? 0 : bar_line;
    drawing.text_at_right(top - bar_line / 2, count, "count");
    top += name_to_bar;
    const auto full = static_cast<double>(chart.shares ? bar.of : whole);
    drawing.share(static_cast<double>(bar.of) / full, top, top + bar_thickness, "track");
    drawing.share(static_cast<double>(bar.value) / full, top, top + bar_thickness, "mark");
    // A foot where every bar stands, so that a bar of nothing is seen as one.
    drawing.line(1, top, 1, top + bar_thickness, "foot");
    drawing.close_group();
    top += bar_thickness + between_bars;
  }
  return drawing.finish_as_wide_as_its_box(top, "picture bars", caption_id(chart.id));
}

DataTable table_of(const BarChart& chart) {
  const bool details = !std::ranges::all_of(chart.bars, &std::string::empty, &Bar::detail);
  const std::string share_title = chart.samples ? "95 % interval of the share" : "Share";
  DataTable table{
      chart.title, {{chart.bar_title}, {chart.value_title, true}, {"Of", true}, {share_title, true}}, {}};
  if (details) {
    table.columns.push_back({"Detail"});
  }
  for (const auto& bar : chart.bars) {
    const CountedShare share{bar.value, bar.of};
    table.rows.push_back({bar.label, readable_number(static_cast<double>(bar.value)),
                          readable_number(static_cast<double>(bar.of)),
                          chart.samples ? interval_text(share) : number_text(100 * share.share(), 3) + " %"});
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
  return {chart, draw_bars(chart), table_of(chart)};
}

}  // namespace vernier
