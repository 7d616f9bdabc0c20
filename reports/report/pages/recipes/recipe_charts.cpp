#include "reports/report/pages/recipes/recipe_charts.hpp"

#include <limits>

#include "reference/support/mapped.hpp"
#include "reports/report/pages/page_texts.hpp"

namespace vernier {

std::set<int> bands_of(const TableStudy& study) {
  std::set<int> bands;
  for (const auto& [band, report] : study.entries.front().report.bands) {
    bands.insert(band);
  }
  bands.erase(0);
  return bands;
}

std::vector<double> ends_of(const TableStudy& study, const std::set<int>& bands) {
  return mapped(bands, [&](int band) {
    return static_cast<double>(study.entries.front().report.bands.at(band).last_position);
  });
}

double greatest_error(const BandReport& band) {
  return band.whole().greatest_error;
}

Series series_of(const AuditReport& report, const std::set<int>& bands, std::string label,
                 double (*measure)(const BandReport&)) {
  return {std::move(label), mapped(bands, [&](int band) {
            const auto found = report.bands.find(band);
            const bool there = found != report.bands.end() && found->second.whole().finite > 0;
            return there ? measure(found->second) : std::numeric_limits<double>::quiet_NaN();
          })};
}

LineChart error_chart(const std::string& name, const std::string& id) {
  auto chart = described_chart<LineChart>(name, id);
  chart.thresholds = {{0x1p-8, "2⁻⁸, a step of bfloat16"}, {0x1p-11, "2⁻¹¹, a step of float16"}};
  return chart;
}

std::string_view kept_text(std::uint64_t failing, std::uint64_t inconclusive) {
  return failing > 0 ? "broken" : inconclusive == 0 ? "kept" : "kept where conclusive";
}

}  // namespace vernier
