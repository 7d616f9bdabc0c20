#pragma once

#include <optional>
#include <string>

namespace vernier {

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
  void draw_to(DrawnPoint from, DrawnPoint to);
  void pen_to(DrawnPoint point, bool down);

  double top_;
  double bottom_;
  std::string text_;
  std::optional<DrawnPoint> previous_;
  bool alone_ = false;  // nothing leads to the previous point
  std::optional<DrawnPoint> end_;
};

}  // namespace vernier
