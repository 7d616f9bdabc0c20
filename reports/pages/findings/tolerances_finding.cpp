#include <algorithm>

#include <fmt/core.h>

#include "reports/html/charts/bar_chart.hpp"
#include "reports/pages/findings/report_finding.hpp"

namespace vernier {
namespace {

Figure fates(const std::vector<ToleranceWorth>& worths) {
  BarChart chart;
  chart.id = "worth-of-tolerances";
  chart.title = "Tolerances that projects test with.";
  chart.caption =
      "A tolerance may reject honest kernels if no proof says that it does not. One can have several bars.";
  chart.bar_title = "Tolerance";
  chart.value_title = "Projects' tests";
  const auto add = [&](std::string label, bool (ToleranceWorth::*is)() const, MarkTone tone) {
    chart.bars.push_back({std::move(label),
                          static_cast<std::uint64_t>(std::ranges::count_if(worths, is)),
                          worths.size(),
                          {},
                          tone});
  };
  add("lets faults through that a smaller one catches", &ToleranceWorth::is_too_large, MarkTone::bad);
  add("is blind to most kinds of fault", &ToleranceWorth::is_blind_to_most, MarkTone::bad);
  add("was seen to reject an honest kernel", &ToleranceWorth::rejects, MarkTone::bad);
  add("may reject honest kernels, though none was seen to fail", &ToleranceWorth::may_reject,
      MarkTone::neutral);
  return bar_chart(chart);
}

ReportFinding make_tolerances_finding(const ReportData& data) {
  ReportFinding finding{.concerns = Concerns::tests,
                        .page = "tolerances.html",
                        .link = "Every tolerance, and what slips through"};
  const auto all = data.tolerances.size();
  if (all == 0) {
    finding.missing = true;
    finding.headline = "No tolerances of tests were judged in this run";
    return finding;
  }
  const auto large = std::ranges::count_if(data.tolerances, &ToleranceWorth::is_too_large);
  finding.share = static_cast<double>(large) / static_cast<double>(all);
  finding.headline =
      large == 0
          ? fmt::format("None of {} tolerances in tests lets faults through that a smaller one catches", all)
          : fmt::format(
                "{} of {} tolerances in tests of rotary embeddings let faults through that a "
                "smaller one catches",
                large, all);
  finding.text =
      "The faults are of kinds that people have shipped: another base, another order of columns, positions "
      "off by one.";
  finding.picture = to_html(fates(data.tolerances));
  return finding;
}

}  // namespace

ReportFindingMaker finding_of_tolerances() {
  return {"tolerances", make_tolerances_finding,
          [](const ReportData& data) { return !data.tolerances.empty(); }};
}

}  // namespace vernier
