#include "reports/html/charts/mark_tone.hpp"

#include <fmt/core.h>

#include "reports/html/charts/svg/drawing.hpp"

namespace vernier {

std::string tone_class(MarkTone tone) {
  return tone == MarkTone::good ? "good" : tone == MarkTone::bad ? "bad" : "neutral";
}

std::string mark_path(MarkTone tone, double x, double y, double radius) {
  if (tone == MarkTone::bad) {
    return moved_to(x, y - radius) + lined_to(x + radius, y) + lined_to(x, y + radius) +
           lined_to(x - radius, y) + "Z";
  }
  const auto r = coordinate(radius);
  return moved_to(x - radius, y) +
         fmt::format("a{0} {0} 0 1 0 {1} 0a{0} {0} 0 1 0 -{1} 0Z", r, coordinate(2 * radius));
}

}  // namespace vernier
