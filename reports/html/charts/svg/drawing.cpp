#include "reports/html/charts/svg/drawing.hpp"

#include <cmath>
#include <utility>

#include <fmt/core.h>

#include "reports/html/charts/svg/text_width.hpp"
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

bool overlap(const DrawnBox& a, const DrawnBox& b) {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

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

void Drawing::open_group(std::string_view css_class, std::string_view attributes) {
  elements_ += fmt::format("<g{}{}>", class_attribute(css_class), attributes);
}

void Drawing::close_group() {
  elements_ += "</g>\n";
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

void Drawing::image(const DrawnBox& box, std::string_view url) {
  elements_ += fmt::format("<image{} preserveAspectRatio=\"none\" href=\"{}\"/>", place_attributes(box),
                           as_markup(url));
}

void Drawing::text(double x, double y, TextAnchor anchor, std::string_view text, std::string_view css_class) {
  constexpr double rise = 0.35;  // from the baseline to the middle of the letters
  const double width = text_width(text, letters);
  const double left = anchor == TextAnchor::start ? x : anchor == TextAnchor::end ? x - width : x - width / 2;
  const std::string_view anchored = anchor == TextAnchor::start    ? ""
                                    : anchor == TextAnchor::middle ? " text-anchor=\"middle\""
                                                                   : " text-anchor=\"end\"";
  elements_ += fmt::format("<text{} x=\"{}\" y=\"{}\"{}>{}</text>", class_attribute(css_class), coordinate(x),
                           coordinate(y + rise * letters), anchored, as_markup(text));
  texts_.push_back({std::string(text), {left, y - line_spacing / 2, left + width, y + line_spacing / 2}});
}

Picture Drawing::finish(double width, double height, std::string_view css_class, std::string_view labelled_by,
                        std::string_view attributes) && {
  auto svg = fmt::format(
      "<svg{} viewBox=\"0 0 {} {}\" role=\"img\" aria-labelledby=\"{}\" font-size=\"{}\"{}>\n{}</svg>",
      class_attribute(css_class), coordinate(width), coordinate(height), as_markup(labelled_by),
      coordinate(letters), attributes, elements_);
  return {std::move(svg), std::move(texts_)};
}

}  // namespace vernier
