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

}  // namespace vernier
