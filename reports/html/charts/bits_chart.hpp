#pragma once

#include "reference/numbers/format.hpp"
#include "reports/html/charts/chart.hpp"

namespace vernier {

/// The encodings of two values beside each other, bit by bit from the sign.
struct BitsChart : ChartText {
  Format format;
  double expected;  ///< of the format, as is `got`
  double got;
};

/// The bits as squares, those that differ marked by a triangle.
Figure bits_chart(const BitsChart& chart);

}  // namespace vernier
