#include "reference/schemes/sinusoidal.hpp"

#include <string>

#include <fmt/core.h>

#include "reference/ladder/certified_table.hpp"
#include "reference/numbers/decimal.hpp"
#include "reports/html/charts/heat_map.hpp"
#include "reports/html/number_text.hpp"
#include "reports/report/pages/page_texts.hpp"
#include "reports/report/pages/pages.hpp"
#include "reports/words/value_text.hpp"

namespace vernier {
namespace {

constexpr int decimals = 20;

std::string entry_formula(const Column& column, std::int64_t position, const SinusoidalSpec& spec) {
  const std::string function = column.component == Component::sine ? "sin" : "cos";
  const std::string phase =
      fmt::format("{} / {}^({}/{})", position, to_string(spec.base), 2 * column.pair, spec.d_model);
  return fmt::format("{}({})", function, phase);
}

/// The worked example of the literature, n = 100 and d = 4, each value proved to the last digit shown.
DataTable worked_example() {
  const SinusoidalSpec spec{.d_model = 4, .base = 100};
  const auto table = spec.table();
  auto result = described_table("sinusoidal/worked_example");
  for (std::int64_t position = 0; position < 4; ++position) {
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
      const auto exact = table.entry(position, c);
      const auto nearest = correctly_rounded(Format::binary32, exact);
      result.rows.push_back({fmt::format("PE({}, {})", position, c),
                             entry_formula(table.columns[c], position, spec),
                             correctly_rounded_decimal(exact, decimals).value_or("undecided"),
                             nearest ? bits_text(Format::binary32, *nearest) : "undecided"});
    }
  }
  return result;
}

/// The picture every introduction shows: 100 positions, 512 columns.
Figure familiar_picture() {
  constexpr std::int64_t positions = 100;
  CertifiedTable table(SinusoidalSpec{.d_model = 512}.table(), positions);
  auto map = described_chart<HeatMap>("sinusoidal/familiar_picture");
  map.x = {{"column (dimension)"}, 0, 512};
  map.y = {{"position"}, 0, static_cast<double>(positions)};
  map.columns = table.columns();
  std::vector<Enclosure> row(table.columns());
  for (std::int64_t position = 0; position < positions; ++position) {
    table.row(position, row);
    for (const auto& value : row) {
      map.values.push_back(value.approximately());
    }
  }
  for (int band = 0; band < 8; ++band) {
    const double from = -1 + band / 4.0;
    map.bands.push_back({from, number_text(from, 3) + " to " + number_text(from + 0.25, 3)});
  }
  return heat_map(map);
}

Json sinusoidal_content(const ReportData& /*data*/) {
  return {{"example", to_html(worked_example())}, {"picture", to_html(familiar_picture())}};
}

}  // namespace

Page<ReportData> sinusoidal_page() {
  return {"sinusoidal.html", "The sinusoidal encoding", "Sinusoidal",
          "sinusoidal",      sinusoidal_content,        "reference.html"};
}

}  // namespace vernier
