#include <algorithm>
#include <array>
#include <string>

#include "reports/html/table.hpp"
#include "reports/pages/pages.hpp"

namespace vernier {
namespace {

constexpr std::array verdicts{ClaimVerdict::correct, ClaimVerdict::conditional, ClaimVerdict::approximate,
                              ClaimVerdict::wrong,   ClaimVerdict::definition,  ClaimVerdict::not_checkable};

DataTable summary(const std::vector<ClaimDocument>& documents) {
  DataTable table{"Claims by document and verdict", {{"Document"}, {"Claims", true}}, {}};
  for (const auto verdict : verdicts) {
    table.columns.push_back({std::string(name_of(verdict)), true});
  }
  for (const auto& document : documents) {
    std::vector<std::string> row{document.title, std::to_string(document.claims.size())};
    for (const auto verdict : verdicts) {
      row.push_back(std::to_string(std::ranges::count(document.claims, verdict, &Claim::verdict)));
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

/// An id that HTML and addresses accept: "evidence-shift-matrix".
std::string anchor_of(const std::string& evidence) {
  std::string anchor = "evidence-" + evidence;
  std::ranges::replace(anchor, '/', '-');
  return anchor;
}

/// The style of the verdict's mark.
std::string_view mark_of(ClaimVerdict verdict) {
  switch (verdict) {
    case ClaimVerdict::correct:
    case ClaimVerdict::definition:
      return "status-pass";
    case ClaimVerdict::wrong:
      return "status-fail";
    case ClaimVerdict::conditional:
    case ClaimVerdict::approximate:
      return "status-inconclusive";
    case ClaimVerdict::not_checkable:
      break;
  }
  return "status-skipped";
}

/// What a correction is to its claim.
std::string_view correction_label(ClaimVerdict verdict) {
  switch (verdict) {
    case ClaimVerdict::wrong:
      return "What is true";
    case ClaimVerdict::conditional:
      return "Condition";
    case ClaimVerdict::approximate:
      return "How nearly";
    case ClaimVerdict::correct:
    case ClaimVerdict::definition:
    case ClaimVerdict::not_checkable:
      break;
  }
  return "Note";
}

/// What a template shows if there is anything to show.
Json optional_text(const std::string& text) {
  return text.empty() ? Json(false) : Json(text);
}

/// "line 23", "lines 28-46"; nothing where no document has it.
std::string place_of(const Claim& claim) {
  if (claim.lines.empty()) {
    return "";
  }
  const bool several = claim.lines.find_first_of(",-") != std::string::npos;
  return std::string(several ? ", lines " : ", line ") + claim.lines;
}

Json evidence_content(const Claim& claim, const EvidenceResults& results) {
  Json all = Json::array();
  for (const auto& id : claim.evidence) {
    const auto found = results.find(id);
    if (found != results.end()) {
      all.push_back({{"id", id},
                     {"anchor", anchor_of(id)},
                     {"finding", name_of(found->second.finding)},
                     {"method", name_of(evidence_named(id)->method)}});
    }
  }
  return all;
}

Json claim_content(const Claim& claim, const EvidenceResults& results) {
  Json disagreeing = Json::array();
  for (const auto& sentence : disagreements(claim, results)) {
    disagreeing.push_back({{"sentence", sentence}});
  }
  return {{"id", claim.id},
          {"kind", claim.kind},
          {"place", place_of(claim)},
          {"statement", claim.statement},
          {"verdict", name_of(claim.verdict)},
          {"mark", mark_of(claim.verdict)},
          {"label", correction_label(claim.verdict)},
          {"correction", optional_text(claim.correction)},
          {"needs", optional_text(claim.needs)},
          {"evidence", evidence_content(claim, results)},
          {"disagreements", disagreeing}};
}

Json documents_content(const ReportData& data) {
  Json documents = Json::array();
  for (const auto& document : data.claims) {
    Json claims = Json::array();
    for (const auto& claim : document.claims) {
      claims.push_back(claim_content(claim, data.evidence));
    }
    documents.push_back({{"name", document.name}, {"title", document.title}, {"claims", claims}});
  }
  return documents;
}

Json computed_content(const EvidenceResults& results) {
  Json all = Json::array();
  for (const auto& [id, result] : results) {
    const auto* evidence = evidence_named(id);
    all.push_back({{"id", id},
                   {"anchor", anchor_of(id)},
                   {"computes", evidence->computes},
                   {"method", name_of(evidence->method)},
                   {"finding", name_of(result.finding)},
                   {"told", result.told}});
  }
  return all;
}

Json claims_content(const ReportData& data) {
  std::size_t claims = 0;
  for (const auto& document : data.claims) {
    claims += document.claims.size();
  }
  return {{"count", std::to_string(claims)},
          {"summary", to_html(summary(data.claims))},
          {"documents", documents_content(data)},
          {"computed", computed_content(data.evidence)}};
}

}  // namespace

Page<ReportData> claims_page() {
  return {"claims.html", "Claims and their evidence", "Claims", "claims", claims_content};
}

}  // namespace vernier
