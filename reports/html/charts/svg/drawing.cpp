#include "reports/html/charts/svg/drawing.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "reports/html/charts/svg/labels.hpp"
#include "reports/html/markup.hpp"

namespace vernier {
namespace {

std::string class_attribute(std::string_view css_class) {
  return css_class.empty() ? std::string() : fmt::format(" class=\"{}\"", css_class);
}

std::string place_attributes(const DrawnBox& box) {
  return fmt::format(" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"", coordinate(box.left),
                     coordinate(box.top), coordinate(box.width()), coordinate(box.height()));
}

}  // namespace

std::string coordinate(double value) {
  const auto tenths = std::lround(value * 10);
  const auto whole = std::labs(tenths) / 10;
  const auto rest = std::labs(tenths) % 10;
  return (tenths < 0 ? "-" : "") + std::to_string(whole) + (rest == 0 ? "" : fmt::format(".{}", rest));
}

std::string data_attribute(std::string_view name, std::string_view value) {
  return fmt::format(" data-{}=\"{}\"", name, as_markup(value));
}

std::string moved_to(double x, double y) {
  return "M" + coordinate(x) + " " + coordinate(y);
}

std::string lined_to(double x, double y) {
  return "L" + coordinate(x) + " " + coordinate(y);
}

std::string circle_path(double x, double y, double radius) {
  return moved_to(x - radius, y) +
         fmt::format("a{0} {0} 0 1 0 {1} 0a{0} {0} 0 1 0 -{1} 0", coordinate(radius), coordinate(2 * radius));
}

void Drawing::open_group(std::string_view css_class, std::string_view attributes) {
  elements_ += fmt::format("<g{}{}>", class_attribute(css_class), attributes);
}

void Drawing::line(double x1, double y1, double x2, double y2, std::string_view css_class) {
  path(moved_to(x1, y1) + lined_to(x2, y2), css_class);
}

void Drawing::path(std::string_view path, std::string_view css_class, std::string_view attributes) {
  elements_ += fmt::format("<path{}{} d=\"{}\"/>", class_attribute(css_class), attributes, path);
}

void Drawing::rectangle(const DrawnBox& box, std::string_view css_class, std::string_view attributes) {
  elements_ += fmt::format("<rect{}{}{}/>", class_attribute(css_class), attributes, place_attributes(box));
}

void Drawing::text(double x, double y, TextAnchor anchor, std::string_view text, std::string_view css_class) {
  const std::string_view anchored = anchor == TextAnchor::start    ? ""
                                    : anchor == TextAnchor::middle ? " text-anchor=\"middle\""
                                                                   : " text-anchor=\"end\"";
  elements_ += fmt::format("<text{} x=\"{}\" y=\"{}\"{}>{}</text>", class_attribute(css_class), coordinate(x),
                           coordinate(y), anchored, as_markup(text));
}

void Drawing::share(double share, double top, double bottom, std::string_view css_class) {
  constexpr double percent = 100;
  elements_ +=
      fmt::format("<rect{} x=\"0\" y=\"{}\" width=\"{:.3f}%\" height=\"{}\"/>", class_attribute(css_class),
                  coordinate(top), percent * share, coordinate(bottom - top));
}

void Drawing::text_at_right(double y, std::string_view text, std::string_view css_class) {
  elements_ += fmt::format("<text{} x=\"100%\" y=\"{}\" text-anchor=\"end\">{}</text>",
                           class_attribute(css_class), coordinate(y), as_markup(text));
}

std::string Drawing::finish_as_wide_as_its_box(double height, std::string_view css_class,
                                               std::string_view labelled_by) const {
  return fmt::format(
      "<svg{} width=\"100%\" height=\"{}\" role=\"img\" aria-labelledby=\"{}\" font-size=\"{}\">\n{}</svg>",
      class_attribute(css_class), coordinate(height), as_markup(labelled_by), coordinate(letters), elements_);
}

std::string Drawing::finish(double width, double height, std::string_view css_class,
                            std::string_view labelled_by, std::string_view attributes) const {
  return fmt::format(
      "<svg{} viewBox=\"0 0 {} {}\" role=\"img\" aria-labelledby=\"{}\" font-size=\"{}\"{}>\n{}</svg>",
      class_attribute(css_class), coordinate(width), coordinate(height), as_markup(labelled_by),
      coordinate(letters), attributes, elements_);
}

void LinePath::add(double x, double y) {
  if (std::isnan(y)) {
    finish();
  } else {
    run_.push_back({x, y});
  }
}

void LinePath::finish() {
  if (run_.size() == 1 && run_.front().y >= top_ && run_.front().y <= bottom_) {
    constexpr double radius = 2.5;
    text_ += circle_path(run_.front().x, run_.front().y, radius);
    end_ = run_.front();
  }
  for (std::size_t i = 1; i < run_.size(); ++i) {
    draw(run_[i - 1], run_[i], i == 1);
  }
  run_.clear();
}

// The part of the segment between top and bottom, by the shares of it that lie there.
void LinePath::draw(DrawnPoint from, DrawnPoint to, bool begins) {
  double first = 0;
  double last = 1;
  if (from.y == to.y) {
    last = from.y < top_ || from.y > bottom_ ? -1 : 1;
  } else {
    const double rise = to.y - from.y;
    const auto [enters, leaves] = std::minmax({(top_ - from.y) / rise, (bottom_ - from.y) / rise});
    first = std::max(first, enters);
    last = std::min(last, leaves);
  }
  if (first > last) {
    return;
  }
  const auto at = [&](double share) {
    return DrawnPoint{from.x + share * (to.x - from.x), from.y + share * (to.y - from.y)};
  };
  const auto start = at(first);
  if (begins || !end_ || std::hypot(end_->x - start.x, end_->y - start.y) > 1e-9) {
    text_ += moved_to(start.x, start.y);
  }
  end_ = at(last);
  text_ += lined_to(end_->x, end_->y);
}

}  // namespace vernier
