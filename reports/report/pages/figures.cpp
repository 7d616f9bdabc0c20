#include <array>
#include <cmath>
#include <string>

#include <fmt/core.h>

#include "reference/ladder/certified_table.hpp"
#include "reference/numbers/decimal.hpp"
#include "reference/schemes/binary.hpp"
#include "reference/schemes/sinusoidal.hpp"
#include "reports/html/charts/line_chart.hpp"
#include "reports/html/number_text.hpp"
#include "reports/html/table.hpp"
#include "reports/report/pages/page_texts.hpp"
#include "reports/report/pages/pages.hpp"

namespace vernier {
namespace {

constexpr int figure_digits = 4;

DataTable binary_table(std::int64_t bits) {
  const BinarySpec spec{.bits = bits};
  auto table = described_table("figures/binary", bits, (std::int64_t{1} << bits) - 1);
  for (std::int64_t bit = bits - 1; bit >= 0; --bit) {
    table.columns.push_back({std::string("Bit ") + std::to_string(bit), true});
  }
  for (std::int64_t position = 0; position < std::int64_t{1} << bits; ++position) {
    std::vector<std::string> row{std::to_string(position)};
    for (std::size_t column = 0; column < static_cast<std::size_t>(bits); ++column) {
      row.push_back(std::to_string(spec.digit(position, column)));
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

/// The sine of every pair, for some positions.
Figure sines_over_pairs(const std::string& id, std::span<const std::int64_t> positions,
                        const std::string& caption) {
  constexpr std::int64_t width = 512;
  auto chart = described_chart<LineChart>("figures/sines_over_pairs", id);
  chart.title = filled(chart.title, positions.front(), positions.back());
  chart.caption = caption;
  CertifiedTable table(SinusoidalSpec{.d_model = width}.table(), 16);
  std::vector<Enclosure> row(table.columns());
  for (std::int64_t pair = 0; pair < width / 2; ++pair) {
    chart.x_values.push_back(static_cast<double>(pair));
  }
  for (const auto position : positions) {
    table.row(position, row);
    Series series{std::string("k = ") + std::to_string(position), {}};
    for (std::size_t column = 0; column < row.size(); column += 2) {
      series.values.push_back(row[column].approximately());
    }
    chart.series.push_back(std::move(series));
  }
  return line_chart(chart);
}

/// Greatest less least value of each column over the first 100 positions.
Figure range_of_columns() {
  constexpr std::int64_t positions = 100;
  CertifiedTable table(SinusoidalSpec{.d_model = 512}.table(), positions);
  std::vector<Enclosure> row(table.columns());
  std::vector<double> least(table.columns(), 1);
  std::vector<double> greatest(table.columns(), -1);
  for (std::int64_t position = 0; position < positions; ++position) {
    table.row(position, row);
    for (std::size_t column = 0; column < row.size(); ++column) {
      least[column] = std::fmin(least[column], row[column].approximately());
      greatest[column] = std::fmax(greatest[column], row[column].approximately());
    }
  }
  auto chart = described_chart<LineChart>("figures/range_of_columns");
  Series sines{"sine columns", {}};
  Series cosines{"cosine columns", {}};
  std::size_t still = 0;
  for (std::size_t pair = 0; 2 * pair < row.size(); ++pair) {
    chart.x_values.push_back(static_cast<double>(pair));
    sines.values.push_back(greatest[2 * pair] - least[2 * pair]);
    cosines.values.push_back(greatest[2 * pair + 1] - least[2 * pair + 1]);
    still += (sines.values.back() < 0.1 ? 1U : 0U) + (cosines.values.back() < 0.1 ? 1U : 0U);
  }
  chart.series = {sines, cosines};
  chart.caption = filled(chart.caption, still, number_text(cosines.values.back(), 3));
  return line_chart(chart);
}

/// What a model receives: a token's embedding and the code of its position, added.
DataTable token_and_encoding() {
  // An embedding made up for the picture, the same token at every position.
  constexpr std::array<double, 4> token{0.5, -0.25, 1, -0.75};
  const auto table = SinusoidalSpec{.d_model = 4, .base = 100}.table();
  auto shown = described_table("figures/token_and_encoding");
  for (std::size_t column = 0; column < token.size(); ++column) {
    shown.columns.push_back({std::string("Token + code, column ") + std::to_string(column), true});
  }
  for (std::int64_t position = 0; position < 4; ++position) {
    std::vector<std::string> row{std::to_string(position)};
    for (std::size_t column = 0; column < token.size(); ++column) {
      const Real sum = [&, entry = table.entry(position, column)] {
        return Interval(enclose(token[column]) + entry());
      };
      row.push_back(correctly_rounded_decimal(sum, figure_digits).value_or("undecided"));
    }
    shown.rows.push_back(std::move(row));
  }
  return shown;
}

/// The wavelength of every pair, in turns of 2 pi.
Figure wavelengths() {
  const auto frequencies = SinusoidalSpec{.d_model = 512}.frequencies();
  auto chart = described_chart<LineChart>("figures/wavelengths");
  Series series{"d = 512", {}};
  for (int pair = 0; pair < frequencies.pairs; ++pair) {
    chart.x_values.push_back(pair);
    series.values.push_back(1 / frequencies.approximate(pair));
  }
  chart.series = {series, {"10000", std::vector<double>(chart.x_values.size(), 10000), true}};
  return line_chart(chart);
}

/// How far the longest wavelength falls short of what is said of it.
DataTable longest_wavelengths() {
  auto table = described_table("figures/longest_wavelengths");
  for (const std::int64_t d : {4, 16, 64, 128, 256, 512, 768, 1024, 4096}) {
    const auto frequencies = SinusoidalSpec{.d_model = d}.frequencies();
    const Real longest = [frequencies] { return Interval(1 / frequencies.at(frequencies.pairs - 1)); };
    const Real shortfall = [longest] { return Interval(100 * (1 - longest() / 10000)); };
    table.rows.push_back({std::to_string(d),
                          correctly_rounded_decimal(longest, figure_digits).value_or("undecided"),
                          correctly_rounded_decimal(shortfall, figure_digits).value_or("undecided")});
  }
  return table;
}

Json figures_content(const ReportData& /*data*/) {
  constexpr std::array<std::int64_t, 4> four{0, 4, 8, 12};
  constexpr std::array<std::int64_t, 8> eight{0, 1, 2, 3, 4, 5, 6, 7};
  return {
      {"four_bits", to_html(binary_table(4))},
      {"three_bits", to_html(binary_table(3))},
      {"four_curves", to_html(sines_over_pairs(
                          "four-curves", four,
                          "Each line is the sine half of one position's code: the positions 0, 4, 8 and 12. "
                          "Position 0 is the flat line. To the right, where waves are long, all approach "
                          "zero: there the cosines are near 1."))},
      {"eight_curves",
       to_html(sines_over_pairs("eight-curves", eight,
                                "The same for eight neighbouring positions: they part on the left, in the "
                                "fast pairs, and on the right in proportion to their number."))},
      {"range", to_html(range_of_columns())},
      {"token", to_html(token_and_encoding())},
      {"wavelengths", to_html(wavelengths())},
      {"longest", to_html(longest_wavelengths())}};
}

}  // namespace

Page<ReportData> figures_page() {
  return {"figures.html",  "The figures of the literature", "Figures", "figures", figures_content,
          "reference.html"};
}

}  // namespace vernier
