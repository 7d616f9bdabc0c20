#include "reports/pages/recipes/recipe_study.hpp"

#include <limits>

#include "reports/value_text.hpp"

namespace vernier {

std::set<int> bands_of(const TableStudy& study) {
  std::set<int> bands;
  for (const auto& [band, report] : study.entries.front().report.bands) {
    if (band > 0) {
      bands.insert(band);
    }
  }
  return bands;
}

std::vector<double> ends_of(const TableStudy& study, const std::set<int>& bands) {
  std::vector<double> ends;
  for (const int band : bands) {
    ends.push_back(static_cast<double>(study.entries.front().report.bands.at(band).last_position));
  }
  return ends;
}

Series series_of(const AuditReport& report, const std::set<int>& bands, std::string label,
                 double (*measure)(const BandReport&)) {
  Series series{std::move(label), {}};
  for (const int band : bands) {
    const auto found = report.bands.find(band);
    const bool there = found != report.bands.end() && found->second.whole().finite > 0;
    series.values.push_back(there ? measure(found->second) : std::numeric_limits<double>::quiet_NaN());
  }
  return series;
}

LineChart error_chart(std::string id, std::string title, std::string caption) {
  LineChart chart;
  chart.id = std::move(id);
  chart.title = std::move(title);
  chart.caption = std::move(caption);
  chart.x = {"position", AxisScale::logarithmic};
  chart.y = {"largest absolute error", AxisScale::logarithmic, 1e-9, 10};
  chart.thresholds = {{0x1p-8, "2⁻⁸, a step of bfloat16"}, {0x1p-11, "2⁻¹¹, a step of float16"}};
  return chart;
}

std::string kept_text(const AuditReport& report) {
  return report.failing > 0 ? "broken" : report.inconclusive == 0 ? "kept" : "kept where it says anything";
}

std::string share_text(std::uint64_t part, std::uint64_t whole) {
  return percent_text(static_cast<double>(part) / static_cast<double>(whole));
}

}  // namespace vernier
