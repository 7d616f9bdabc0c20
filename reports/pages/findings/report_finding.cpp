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

ReportFinding made_by(const ReportFindingMaker& maker, const ReportData& data) {
  auto finding = maker.make(data);
  finding.id = maker.id;
  return finding;
}

void ToldFindings::tell(const ReportData& data) {
  std::vector<ReportFinding> untold;
  for (const auto& maker : make_all(finding_makers)) {
    if (!told_.contains(maker.id) && maker.is_known(data)) {
      untold.push_back(made_by(maker, data));
    }
  }
  for (const auto& finding : ranked(std::move(untold))) {
    if (!finding.missing) {
      told_.insert(finding.id);
      listener_(finding.headline);
    }
  }
}

}  // namespace vernier
