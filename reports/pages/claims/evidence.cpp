#include <algorithm>
#include <string>

#include "reports/html/quantity_text.hpp"
#include "reports/pages/claims/evidence_anchor.hpp"
#include "reports/pages/pages.hpp"

namespace vernier {
namespace {

/// The claims that a computation bears on.
Json claims_on(const std::string& evidence, const std::vector<ClaimDocument>& documents) {
  Json claims = Json::array();
  for (const auto& document : documents) {
    for (const auto& claim : document.claims) {
      if (std::ranges::find(claim.evidence, evidence) != claim.evidence.end()) {
        claims.push_back({{"id", claim.id}});
      }
    }
  }
  return claims;
}

Json evidence_content(const ReportData& data) {
  Json all = Json::array();
  for (const auto& [id, result] : data.evidence) {
    const auto* evidence = evidence_named(id);
    all.push_back({{"id", id},
                   {"anchor", evidence_anchor(id)},
                   {"computes", evidence->computes},
                   {"method", name_of(evidence->method)},
                   {"finding", name_of(result.finding)},
                   {"told", result.told},
                   {"claims", claims_on(id, data.claims)}});
  }
  return {{"count", count_text(static_cast<std::int64_t>(all.size()))}, {"computed", std::move(all)}};
}

}  // namespace

std::string evidence_anchor(const std::string& evidence) {
  std::string anchor = "evidence-" + evidence;
  std::ranges::replace(anchor, '/', '-');
  return anchor;
}

std::vector<FilledPage> evidence_pages(const ReportData& data) {
  return {{"claims-evidence.html", "The evidence for claims", "Evidence", "evidence", evidence_content(data),
           "claims.html", false}};
}

}  // namespace vernier
