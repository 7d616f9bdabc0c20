#include <algorithm>

#include <fmt/core.h>

#include "reference/word_list.hpp"
#include "reports/html/charts/bar_chart.hpp"
#include "reports/pages/findings/report_finding.hpp"
#include "reports/pages/implementations/measured.hpp"

namespace vernier {
namespace {

ReportFinding missing(const ReportData& data) {
  const bool listed = !data.comparison.empty();
  return {
      .concerns = Concerns::libraries,
      .missing = true,
      .headline = listed ? "No implementation was measured: none of the listed ones could be run"
                         : "No implementations were asked in this run",
      .text =
          listed
              ? "The page says what each lacks."
              : "Run make report, or vernier report --implementations FILE, to ask those that are installed.",
      .picture = {},
      .page = "implementations.html",
      .link = "Implementations"};
}

/// Each implementation's worst table: the share of the elements that break the contract.
Figure broken_shares(const MeasuredEntries& entries) {
  BarChart chart;
  chart.id = "broken";
  chart.title = "Elements beyond the budget of their contract.";
  chart.caption = "Of all elements of the tables that break a contract. The other implementations have none.";
  chart.bar_title = "Implementation";
  chart.value_title = "Elements beyond their budget";
  for (const auto* entry : entries) {
    if (breaks_contract(*entry)) {
      const auto scheme = entry->encoding.substr(0, entry->encoding.find(','));
      chart.bars.push_back({fmt::format("{}, {}, {}", entry->name, scheme, entry->stored),
                            entry->result->failing, entry->result->elements, entry->encoding, MarkTone::bad});
    }
  }
  return bar_chart(chart);
}

ReportFinding make_implementations_finding(const ReportData& data) {
  const auto all = names_of_measured(data.comparison);
  if (all.empty()) {
    return missing(data);
  }
  const auto breaking = names_of_breaking(data.comparison);
  ReportFinding finding{.concerns = Concerns::libraries,
                        .share = static_cast<double>(breaking.size()) / static_cast<double>(all.size()),
                        .page = "implementations.html",
                        .link = "All implementations, element by element"};
  if (breaking.empty()) {
    finding.headline = fmt::format(
        "All {} implementations that were asked keep the contract of their arithmetic", all.size());
    finding.text = "No element is off by more than the formats that they compute in explain.";
    return finding;
  }
  const bool one = breaking.size() == 1;
  finding.headline = fmt::format("{} of {} implementations {} off by more than {} arithmetic explains",
                                 breaking.size(), all.size(), one ? "is" : "are", one ? "its" : "their");
  finding.text = fmt::format(
      "{}: some elements are off by more than rounding in the formats of their contract can "
      "cause. The other {} keep theirs.",
      joined(breaking, " and "), all.size() - breaking.size());
  finding.picture = to_html(broken_shares(measured(data.comparison)));
  return finding;
}

}  // namespace

ReportFindingMaker finding_of_implementations() {
  return {"implementations", make_implementations_finding,
          [](const ReportData& data) { return !data.comparison.empty(); }};
}

}  // namespace vernier
