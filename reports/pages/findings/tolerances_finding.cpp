#include <algorithm>
#include <functional>

#include <fmt/core.h>

#include "reports/html/charts/bar_chart.hpp"
#include "reports/pages/findings/report_finding.hpp"

namespace vernier {
namespace {

Figure fates(std::uint64_t too_large, std::uint64_t too_small, std::uint64_t neither, std::uint64_t all) {
  BarChart chart;
  chart.id = "worth-of-tolerances";
  chart.title = "Tolerances that projects test with.";
  chart.caption =
      "Too large lets faults through that a smaller one catches. Too small rejects honest kernels. One can "
      "be both.";
  chart.bar_title = "Tolerance";
  chart.value_title = "Projects' tests";
  chart.bars = {{"too large", too_large, all, {}, MarkTone::bad},
                {"too small", too_small, all, {}, MarkTone::bad},
                {"as good as can be", neither, all, {}, MarkTone::good}};
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
  const auto count = [&](auto is) {
    return static_cast<std::uint64_t>(std::ranges::count_if(data.tolerances, is));
  };
  const auto large = count(std::mem_fn(&ToleranceWorth::is_too_large));
  const auto small = count(std::mem_fn(&ToleranceWorth::is_too_small));
  const auto wrong =
      count([](const ToleranceWorth& one) { return one.is_too_large() || one.is_too_small(); });
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
  finding.picture = to_html(fates(large, small, all - wrong, all));
  return finding;
}

}  // namespace

ReportFindingMaker finding_of_tolerances() {
  return {"tolerances", make_tolerances_finding,
          [](const ReportData& data) { return !data.tolerances.empty(); }};
}

}  // namespace vernier
