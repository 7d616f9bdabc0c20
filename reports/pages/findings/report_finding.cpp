#include "reports/pages/findings/report_finding.hpp"

#include <algorithm>
#include <tuple>

namespace vernier {

std::vector<ReportFinding> ranked(std::vector<ReportFinding> findings) {
  std::ranges::stable_sort(findings, {}, [](const ReportFinding& one) {
    return std::tuple(one.missing, one.share == 0, one.concerns, -one.share);
  });
  return findings;
}

void ToldFindings::tell(const ReportData& data) {
  std::vector<ReportFinding> known;
  for (const auto& maker : make_all(finding_makers)) {
    if (maker.is_known(data)) {
      known.push_back(maker.make(data));
    }
  }
  for (const auto& finding : ranked(std::move(known))) {
    if (!finding.missing && told_.insert(finding.id).second) {
      listener_(finding.headline);
    }
  }
}

}  // namespace vernier
