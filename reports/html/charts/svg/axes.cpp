#include "reports/html/charts/svg/axes.hpp"

#include <algorithm>
#include <cmath>

#include "reports/html/charts/svg/labels.hpp"

namespace vernier {
namespace {

constexpr double tick_gap = 9;    // between a label and the plot
constexpr double y_spacing = 34;  // between labels of the vertical axis, at least
constexpr std::size_t most_labels = 10;

std::vector<Tick> vertical_ticks(const Scale& y) {
  const auto most = static_cast<std::size_t>(std::fabs(y.to() - y.from()) / y_spacing);
  return y.ticks(std::clamp<std::size_t>(most, 2, most_labels));
}

bool fit(const std::vector<Tick>& ticks, const Scale& x) {
  double taken = -drawing_width;
  for (const auto& tick : ticks) {
    const double half = text_width(tick.label, Drawing::letters) / 2;
    if (x.place(tick.value) - half < taken) {
      return false;
    }
    taken = x.place(tick.value) + half + 2 * tick_gap;
  }
  return true;
}

std::vector<Tick> horizontal_ticks(const Scale& x) {
  for (std::size_t most = most_labels; most > 2; --most) {
    if (auto ticks = x.ticks(most); fit(ticks, x)) {
      return ticks;
    }
  }
  return x.ticks(2);
}

std::string on_one_line(std::string_view title, double width) {
  const auto lines = wrapped_text(title, Drawing::letters, width, 1);
  return lines.empty() ? std::string() : lines.front();
}

}  // namespace

double room_of_labels(const Scale& y) {
  double widest = 0;
  for (const auto& tick : vertical_ticks(y)) {
    widest = std::max(widest, text_width(tick.label, Drawing::letters));
  }
  return widest + tick_gap;
}

double title_height(const DrawnBox& plot) {
  return plot.top - tick_gap - Drawing::line_spacing / 2;
}

void draw_axes(Drawing& drawing, const DrawnBox& plot, const Scale& x, std::string_view x_title,
               const Scale& y, std::string_view y_title, bool grid) {
  drawing.open_group("axes");
  for (const auto& tick : vertical_ticks(y)) {
    const double at = y.place(tick.value);
    drawing.line(grid ? plot.left : plot.left - tick_gap / 2, at, grid ? plot.right : plot.left, at,
                 grid ? "grid" : "tick");
    drawing.text(plot.left - tick_gap, at, TextAnchor::end, tick.label);
  }
  const double line = Drawing::line_spacing;
  for (const auto& tick : horizontal_ticks(x)) {
    const double at = x.place(tick.value);
    const double half = text_width(tick.label, Drawing::letters) / 2;
    drawing.line(at, grid ? plot.top : plot.bottom, at, plot.bottom + tick_gap / 2, grid ? "grid" : "tick");
    drawing.text(std::clamp(at, half, drawing_width - half), plot.bottom + tick_gap + line / 2,
                 TextAnchor::middle, tick.label);
  }
  drawing.rectangle(plot, "frame");
  drawing.text((plot.left + plot.right) / 2, plot.bottom + room_below_plot - line / 2, TextAnchor::middle,
               on_one_line(x_title, plot.width()), "axis-title");
  drawing.text(0, title_height(plot), TextAnchor::start, on_one_line(y_title, plot.right), "axis-title");
  drawing.close_group();
}

std::string scale_attributes(const Scale& x, const Scale& y) {
  return data_attribute("x", x.in_words()) + data_attribute("y", y.in_words());
}

std::string cell_attributes(const Scale& x, const Scale& y, const std::array<std::string_view, 3>& titles) {
  return scale_attributes(x, y) + data_attribute("x-title", titles[0]) +
         data_attribute("y-title", titles[1]) + data_attribute("value-title", titles[2]);
}

}  // namespace vernier
