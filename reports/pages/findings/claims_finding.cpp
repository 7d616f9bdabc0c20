#include <algorithm>

#include "reports/html/charts/bar_chart.hpp"
#include "reports/pages/claims/claim_counts.hpp"
#include "reports/pages/findings/report_finding.hpp"

namespace vernier {
namespace {

/// The titles as they are given to readers.
Figure false_by_text(const std::vector<ClaimDocument>& documents) {
  BarChart chart;
  chart.id = "false-claims";
  chart.title = "False statements, by text.";
  chart.caption = "Of all statements in it on positional encodings.";
  chart.bar_title = "Text";
  chart.value_title = "False statements";
  for (const auto& document : documents) {
    const auto wrong = std::ranges::count(document.claims, ClaimVerdict::wrong, &Claim::verdict);
    if (document.is_text()) {
      chart.bars.push_back({document.title,
                            static_cast<std::uint64_t>(wrong),
                            document.claims.size(),
                            {},
                            wrong == 0 ? MarkTone::good : MarkTone::bad});
    }
  }
  return bar_chart(chart);
}

ReportFinding make_claims_finding(const ReportData& data) {
  ReportFinding finding{
      .concerns = Concerns::texts, .page = "claims.html", .link = "Every statement, the false ones first"};
  const ClaimCounts counts(data.claims);
  if (counts.statements == 0) {
    finding.missing = true;
    finding.headline = "No statements of texts were checked in this run";
    return finding;
  }
  finding.share = static_cast<double>(counts.wrong) / static_cast<double>(counts.statements);
  finding.headline = headline_of(counts);
  finding.text = counts.wrong == 0 ? "" : "Each was computed. What is true instead stands beside it.";
  finding.picture = to_html(false_by_text(data.claims));
  return finding;
}

}  // namespace

ReportFindingMaker finding_of_claims() {
  return {"claims", make_claims_finding, [](const ReportData& data) { return !data.evidence.empty(); }};
}

}  // namespace vernier
