#include "reports/html/charts/drawn_line.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>

#include <fmt/core.h>

namespace vernier {
namespace {

bool look_the_same(const DrawnLine& a, const DrawnLine& b) {
  constexpr double visible = 0.75;
  return a.zeros == b.zeros &&
         std::equal(a.drawn_at.begin(), a.drawn_at.end(), b.drawn_at.begin(), [](double p, double q) {
           return std::isnan(p) ? std::isnan(q) : std::fabs(p - q) < visible;
         });
}

bool are_one_band(const DrawnLine& a, const DrawnLine& b) {
  constexpr double close = 6;
  double sum = 0;
  double last = 0;
  std::size_t count = 0;
  for (std::size_t i = 0; i < a.drawn_at.size(); ++i) {
    if (std::isnan(a.drawn_at[i]) != std::isnan(b.drawn_at[i])) {
      return false;
    }
    if (!std::isnan(a.drawn_at[i])) {
      last = std::fabs(a.drawn_at[i] - b.drawn_at[i]);
      sum += last;
      ++count;
    }
  }
  return a.zeros == b.zeros && count > 0 && last <= close && sum <= close * static_cast<double>(count);
}

void join(DrawnLine& line, const DrawnLine& other) {
  line.names.insert(line.names.end(), other.names.begin(), other.names.end());
  line.columns += " " + other.columns;
  for (std::size_t i = 0; i < line.least.size(); ++i) {
    line.least[i] = std::min(line.least[i], other.least[i]);
    line.greatest[i] = std::max(line.greatest[i], other.greatest[i]);
  }
}

void explain_absence(DrawnLine& line, const Scale& y) {
  const auto known =
      std::find_if(line.drawn_at.begin(), line.drawn_at.end(), [](double at) { return !std::isnan(at); });
  const bool above = known != line.drawn_at.end() && *known < y.to();
  line.absent_at = above ? y.to() : y.from();
  line.absence = known == line.drawn_at.end() ? (line.zeros.empty() ? ": no values" : ": zero")
                                              : (above ? ": above" : ": below");
}

DrawnLine drawn_line(const LineChart& chart, const Series& series, const Scale& x, const Scale& y) {
  DrawnLine line{{series.label}, {}, {}, LinePath(y.to(), y.from()), {}, {}, {}, {}, {}, false, {}, 0};
  for (std::size_t i = 0; i < chart.x_values.size(); ++i) {
    const double at = x.place(chart.x_values[i]);
    const bool there = y.has(series.values[i]) && at >= x.from() && at <= x.to();
    const double height = there ? y.place(series.values[i]) : std::numeric_limits<double>::quiet_NaN();
    for (const double place : chart.steps&& i > 0 ? std::vector{line.across.back(), at} : std::vector{at}) {
      line.drawn_at.push_back(height);
      line.across.push_back(place);
      line.path.add(place, height);
    }
    if (chart.y.scale != AxisScale::linear && series.values[i] == 0) {
      line.zeros.push_back(at);
    }
  }
  line.path.finish();
  line.least = line.drawn_at;
  line.greatest = line.drawn_at;
  explain_absence(line, y);
  return line;
}

}  // namespace

std::vector<DrawnLine> drawn_lines(const LineChart& chart, const Scale& x, const Scale& y) {
  std::vector<DrawnLine> lines;
  std::size_t colour = 0;
  for (std::size_t i = 0; i < chart.series.size(); ++i) {
    const auto& series = chart.series[i];
    auto line = drawn_line(chart, series, x, y);
    line.columns = std::to_string(i + 1);
    line.css_class = series.budget ? "series budget" : fmt::format("series series-{}", ++colour);
    const auto same = std::find_if(lines.begin(), lines.end(), [&](const DrawnLine& other) {
      return !series.budget && other.css_class != "series budget" &&
             (look_the_same(line, other) || (chart.bands && are_one_band(other, line)));
    });
    if (same == lines.end()) {
      lines.push_back(std::move(line));
    } else {
      same->band = same->band || !look_the_same(line, *same);
      join(*same, line);
    }
  }
  return lines;
}

std::string band_path(const DrawnLine& line, double top, double bottom) {
  std::string path;
  const auto place = [&](std::size_t i, double height) {
    return std::pair{line.across[i], std::clamp(height, top, bottom)};
  };
  for (std::size_t first = 0; first < line.least.size(); ++first) {
    if (std::isnan(line.least[first])) {
      continue;
    }
    std::size_t end = first;
    for (; end < line.least.size() && !std::isnan(line.least[end]); ++end) {
      const auto [x, y] = place(end, line.least[end]);
      path += end == first ? moved_to(x, y) : lined_to(x, y);
    }
    for (std::size_t i = end; i-- > first;) {
      const auto [x, y] = place(i, line.greatest[i]);
      path += lined_to(x, y);
    }
    path += "Z";
    first = end;
  }
  return path;
}

}  // namespace vernier
