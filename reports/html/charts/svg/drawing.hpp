#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace vernier {

/// The part of a drawing that a text or a plot takes, in the drawing's units; y grows downwards.
struct DrawnBox {
  double left = 0;
  double top = 0;
  double right = 0;
  double bottom = 0;

  double width() const { return right - left; }
  double height() const { return bottom - top; }
};

/// On which side of its place a text stands.
enum class TextAnchor { start, middle, end };

/// A drawing as it grows. Colours are the style sheet's: elements have classes, never a style, which a page's
/// policy would forbid.
class Drawing {
 public:
  /// Size of letters at most, in the drawing's units.
  static constexpr double letters = 14;
  /// From one line of a text to the next.
  static constexpr double line_spacing = 17;

  /// Opens a group. `attributes` is markup, as data_attribute() makes it.
  void open_group(std::string_view css_class, std::string_view attributes = {});
  void close_group() { elements_ += "</g>\n"; }
  void line(double x1, double y1, double x2, double y2, std::string_view css_class);
  /// `path` is SVG's language of paths, as moved_to() and lined_to() write it.
  void path(std::string_view path, std::string_view css_class, std::string_view attributes = {});
  void rectangle(const DrawnBox& box, std::string_view css_class, std::string_view attributes = {});
  /// One line of text whose letters the style sheet centres at the height `y`.
  void text(double x, double y, TextAnchor anchor, std::string_view text, std::string_view css_class = {});

  /// A rectangle from the left edge, its width a share (0 to 1) of a drawing that is as wide as its box.
  void share(double share, double top, double bottom, std::string_view css_class);
  /// One line of text that ends at the right edge of a drawing that is as wide as its box.
  void text_at_right(double y, std::string_view text, std::string_view css_class = {});

  /// The svg element; `labelled_by` is the id of the element that names it.
  std::string finish(double width, double height, std::string_view css_class, std::string_view labelled_by,
                     std::string_view attributes = {}) const;
  /// The svg element as wide as its box, its unit a pixel, so that shares are to scale on every screen.
  std::string finish_as_wide_as_its_box(double height, std::string_view css_class,
                                        std::string_view labelled_by) const;

 private:
  std::string elements_;
};

/// A coordinate or length with a tenth of a unit: "12.5", "-3".
std::string coordinate(double value);

/// " data-name="value"", the value escaped.
std::string data_attribute(std::string_view name, std::string_view value);

/// Parts of a path.
std::string moved_to(double x, double y);
std::string lined_to(double x, double y);
std::string circle_path(double x, double y, double radius);

/// A point of a drawing.
struct DrawnPoint {
  double x;
  double y;
};

/// The path of a line through points, cut off above `top` and below `bottom`. Points without a y (NaN)
/// interrupt it; one between two of them is a small circle.
class LinePath {
 public:
  LinePath(double top, double bottom) : top_(top), bottom_(bottom) {}

  /// The next point.
  void add(double x, double y);
  /// After the last point.
  void finish();

  /// In SVG's language; empty where nothing is to be seen.
  const std::string& text() const { return text_; }

  /// The last point to be seen.
  const std::optional<DrawnPoint>& end() const { return end_; }

 private:
  void draw(DrawnPoint from, DrawnPoint to, bool begins);

  double top_;
  double bottom_;
  std::string text_;
  std::vector<DrawnPoint> run_;  // points without a gap
  std::optional<DrawnPoint> end_;
};

}  // namespace vernier
