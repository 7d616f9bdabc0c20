#include "reports/html/charts/svg/key.hpp"

#include <algorithm>

#include "reports/html/charts/svg/axes.hpp"
#include "reports/html/charts/svg/labels.hpp"

namespace vernier {

DrawnPoint ChartKey::add(Drawing& drawing, std::string_view name) {
  constexpr double between_names = 20;
  constexpr double between_rows = 3;
  constexpr std::size_t most_lines = 3;
  const auto lines = wrapped_text(name, Drawing::letters, drawing_width - sample_width_, most_lines);
  double width = sample_width_;
  for (const auto& line : lines) {
    width = std::max(width, sample_width_ + text_width(line, Drawing::letters));
  }
  if (left_ + width > drawing_width) {
    row_ = bottom_;
    left_ = 0;
  }
  const DrawnPoint sample{left_, row_ + Drawing::line_spacing / 2};
  double middle = sample.y;
  for (const auto& line : lines) {
    drawing.text(left_ + sample_width_, middle, TextAnchor::start, line, "name");
    middle += Drawing::line_spacing;
  }
  bottom_ = std::max(bottom_, middle - Drawing::line_spacing / 2 + between_rows);
  left_ += width + between_names;
  return sample;
}

}  // namespace vernier
