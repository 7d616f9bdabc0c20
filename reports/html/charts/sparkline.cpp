#include "reports/html/charts/sparkline.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "reports/html/markup.hpp"

namespace vernier {
namespace {

// The drawing's own units; the style sheet says how large it is.
constexpr double sparkline_width = 96;
constexpr double sparkline_height = 20;
constexpr double sparkline_margin = 2;
constexpr double greatest_share = 2;

double x_of(std::size_t index, std::size_t count) {
  const double step =
      (sparkline_width - 2 * sparkline_margin) / static_cast<double>(std::max<std::size_t>(count, 2) - 1);
  return sparkline_margin + step * static_cast<double>(index);
}

double y_of(double share) {
  return sparkline_height - sparkline_margin -
         (sparkline_height - 2 * sparkline_margin) * std::min(share, greatest_share) / greatest_share;
}

}  // namespace

std::string sparkline(std::span<const double> shares, const std::string& label) {
  std::string path;
  std::string last;
  bool draws = false;
  for (std::size_t i = 0; i < shares.size(); ++i) {
    const bool is_shown = !std::isnan(shares[i]);
    if (is_shown) {
      const auto x = x_of(i, shares.size());
      const auto y = y_of(shares[i]);
      path += fmt::format("{}{:.1f} {:.1f}", draws ? "L" : "M", x, y);
      last = fmt::format(R"(<circle cx="{:.1f}" cy="{:.1f}" r="2"/>)", x, y);
    }
    draws = is_shown;
  }
  return fmt::format(
      R"(<svg class="sparkline" viewBox="0 0 {0} {1}" role="img" aria-label="{2}"><path class="budget" d="M0 {3:.1f}H{0}"/><path d="{4}"/>{5}</svg>)",
      sparkline_width, sparkline_height, as_markup(label), y_of(1), path, last);
}

}  // namespace vernier
