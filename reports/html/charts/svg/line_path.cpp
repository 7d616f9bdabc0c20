#include "reports/html/charts/svg/line_path.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "reports/html/charts/svg/drawing.hpp"

namespace vernier {

namespace {

std::string circle(DrawnPoint middle, double radius) {
  return moved_to(middle.x - radius, middle.y) +
         fmt::format("a{0} {0} 0 1 0 {1} 0a{0} {0} 0 1 0 -{1} 0", coordinate(radius), coordinate(2 * radius));
}

}  // namespace

void LinePath::add(double x, double y) {
  if (std::isnan(y)) {
    finish();
    return;
  }
  const DrawnPoint point{x, y};
  if (previous_) {
    draw_to(*previous_, point);
  }
  alone_ = !previous_;
  previous_ = point;
}

void LinePath::finish() {
  if (previous_ && alone_ && previous_->y >= top_ && previous_->y <= bottom_) {
    constexpr double radius = 2.5;
    text_ += circle(*previous_, radius);
    end_ = *previous_;
  }
  previous_.reset();
}

// The part of the segment between top and bottom, by the shares of it that lie there.
void LinePath::draw_to(DrawnPoint from, DrawnPoint to) {
  double first = 0;
  double last = 1;
  const double rise = to.y - from.y;
  if (rise == 0) {
    if (from.y < top_ || from.y > bottom_) {
      return;
    }
  } else {
    const double at_top = (top_ - from.y) / rise;
    const double at_bottom = (bottom_ - from.y) / rise;
    first = std::max(first, std::min(at_top, at_bottom));
    last = std::min(last, std::max(at_top, at_bottom));
    if (first > last) {
      return;
    }
  }
  const auto at = [&](double share) {
    return DrawnPoint{from.x + share * (to.x - from.x), from.y + share * rise};
  };
  const auto start = at(first);
  if (!end_ || std::hypot(end_->x - start.x, end_->y - start.y) > 1e-9 || alone_) {
    pen_to(start, false);
  }
  pen_to(at(last), true);
}

void LinePath::pen_to(DrawnPoint point, bool down) {
  text_ += down ? lined_to(point.x, point.y) : moved_to(point.x, point.y);
  end_ = point;
}

}  // namespace vernier
