#pragma once

#include <string_view>

#include "reports/html/charts/svg/drawing.hpp"

namespace vernier {

/// The names of what a chart draws, each beside a sample of it, in rows of the drawing's width.
class ChartKey {
 public:
  /// \param top of its first row \param sample_width room for the sample before each name
  ChartKey(double top, double sample_width) : row_(top), bottom_(top), sample_width_(sample_width) {}

  /// Writes the next name. \return the middle of the left edge of its sample
  DrawnPoint add(Drawing& drawing, std::string_view name);

  double bottom() const { return bottom_; }

 private:
  double row_;       ///< top of the row that is being filled
  double bottom_;    ///< of what is written
  double left_ = 0;  ///< of the next name's sample
  double sample_width_;
};

}  // namespace vernier
