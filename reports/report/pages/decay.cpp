#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "reference/decay/dot_products.hpp"
#include "reference/decay/smooth_function.hpp"
#include "reference/decay/theta_family.hpp"
#include "reference/schemes/sinusoidal.hpp"
#include "reports/html/charts/line_chart.hpp"
#include "reports/html/number_text.hpp"
#include "reports/report/pages/page_texts.hpp"
#include "reports/report/pages/pages.hpp"

namespace vernier {
namespace {

/// Enclosures at this many bits are far narrower than the digits shown.
constexpr unsigned page_precision = 64;

GeometricFrequencies frequencies(std::int64_t d_model) {
  return SinusoidalSpec{.d_model = d_model}.frequencies();
}

std::vector<ThetaFamily> families() {
  return {exponential_family(10000), exponential_family(1000), power_family(Rational(1, 2)), power_family(1),
          power_family(2)};
}

/// As readers write it: "10000⁻ᵗ", "√t".
std::string written(const ThetaFamily& family) {
  for (const auto& [typed, shown] :
       {std::pair{"10000^-t", "10000⁻ᵗ"}, {"1000^-t", "1000⁻ᵗ"}, {"t^0.5", "√t"}, {"t^2", "t²"}}) {
    if (family.name == typed) {
      return shown;
    }
  }
  return family.name;
}

/// `count` steps from `first`.
std::vector<double> evenly(double first, double step, int count) {
  std::vector<double> result;
  for (int i = 0; i <= count; ++i) {
    result.push_back(first + i * step);
  }
  return result;
}

/// From 1 to 10^decades.
std::vector<double> logarithmically(int decades, int steps_per_decade) {
  std::vector<double> result;
  for (int i = 0; i <= decades * steps_per_decade; ++i) {
    result.push_back(std::pow(10.0, static_cast<double>(i) / steps_per_decade));
  }
  return result;
}

/// The mean cosine at each x; it is even.
Series curve(const ThetaFamily& family, const std::vector<double>& x_values) {
  const WorkingPrecision scope(page_precision);
  Series series{written(family), {}};
  for (const double x : x_values) {
    series.values.push_back(middle(family.mean_cosine(enclose(std::fabs(x)))));
  }
  return series;
}

std::vector<Series> curves(const std::vector<double>& x_values) {
  std::vector<Series> result;
  for (const auto& family : families()) {
    result.push_back(curve(family, x_values));
  }
  return result;
}

Figure integral() {
  auto chart = described_chart<LineChart>("decay/integral");
  chart.x_values = evenly(-128, 1, 256);
  chart.series = {curve(exponential_family(10000), chart.x_values)};
  return line_chart(chart);
}

Figure short_range() {
  auto chart = described_chart<LineChart>("decay/short_range");
  chart.x_values = evenly(0, 0.25, 256);
  chart.series = curves(chart.x_values);
  return line_chart(chart);
}

Figure long_range() {
  auto chart = described_chart<LineChart>("decay/long_range");
  chart.x_values = logarithmically(5, 60);
  chart.series = curves(chart.x_values);
  return line_chart(chart);
}

/// Below 1 no family has a zero: cos(x theta) >= cos 1 there.
DataTable zeros_of_families() {
  const WorkingPrecision scope(128);
  struct Searched {
    ThetaFamily family;
    double reach;
  };
  auto result = described_table("decay/zeros_of_families");
  for (const auto& [family, reach] :
       {Searched{exponential_family(10000), 10000}, Searched{exponential_family(1000), 10000},
        Searched{power_family(Rational(1, 2)), 64}, Searched{power_family(1), 64},
        Searched{power_family(2), 10000}}) {
    const auto found = zeros(decay_of(family), 1, reach);
    const auto shown = [&](std::size_t index) {
      return index < found.size() ? number_text(found[index].lower, 12) : std::string("none");
    };
    result.rows.push_back(
        {written(family), number_text(reach, 6), std::to_string(found.size()), shown(0), shown(1)});
  }
  return result;
}

constexpr std::array<std::int64_t, 4> shown_widths{16, 64, 512, 4096};

std::string width_text(std::int64_t d_model) {
  return std::string("d = ") + std::to_string(d_model);
}

/// g(k) / N.
std::vector<double> mean_dot_products(std::int64_t d_model, std::int64_t first, std::int64_t count) {
  const auto w = frequencies(d_model);
  auto products = dot_products(w, first, count);
  for (double& product : products) {
    product /= w.pairs;
  }
  return products;
}

Figure finite() {
  constexpr std::int64_t last = 512;
  auto chart = described_chart<LineChart>("decay/finite");
  chart.x_values = evenly(0, 1, last);
  for (const auto d : shown_widths) {
    chart.series.push_back({width_text(d), mean_dot_products(d, 0, last + 1)});
  }
  chart.series.push_back(curve(exponential_family(10000), chart.x_values));
  chart.series.back().label = "the integral";
  return line_chart(chart);
}

/// Root mean squares over the offsets the literature has looked at.
DataTable far_offsets() {
  const WorkingPrecision scope(128);
  auto result = described_table("decay/far_offsets");
  for (const std::int64_t d : {2, 8, 32, 128, 512}) {
    const auto w = frequencies(d);
    const Interval mean = sqrt(mean_square_dot_product(w, 100001, 4200000)) / w.pairs;
    result.rows.push_back(
        {width_text(d), number_text(middle(mean), 5), number_text(1 / std::sqrt(static_cast<double>(d)), 5)});
  }
  return result;
}

DataTable deviations() {
  constexpr std::array<std::int64_t, 4> last{32, 128, 512, 4096};
  const auto limit = curve(exponential_family(10000), evenly(0, 1, last.back())).values;
  auto result = described_table("decay/deviations");
  for (const auto k : last) {
    result.columns.push_back({std::string("K = ") + std::to_string(k), true});
  }
  for (const auto d : shown_widths) {
    const auto products = mean_dot_products(d, 0, last.back() + 1);
    std::vector<std::string> row{width_text(d)};
    double greatest = 0;
    std::size_t k = 0;
    for (const auto end : last) {
      for (; k <= static_cast<std::size_t>(end); ++k) {
        greatest = std::max(greatest, std::fabs(products[k] - limit[k]));
      }
      row.push_back(number_text(greatest, 3));
    }
    result.rows.push_back(row);
  }
  return result;
}

Json decay_content(const ReportData& /*data*/) {
  return {{"integral", to_html(integral())},     {"short_range", to_html(short_range())},
          {"long_range", to_html(long_range())}, {"zeros", to_html(zeros_of_families())},
          {"finite", to_html(finite())},         {"far", to_html(far_offsets())},
          {"deviations", to_html(deviations())}};
}

}  // namespace

Page<ReportData> decay_page() {
  return {"decay.html", "How the dot product decays", "Decay", "decay", decay_content, "reference.html"};
}

}  // namespace vernier
