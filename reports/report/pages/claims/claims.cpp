#include "reports/report/pages/claims/claims.hpp"

#include <algorithm>
#include <array>
#include <string>

#include <fmt/core.h>

#include "reference/support/counted.hpp"
#include "reports/html/table.hpp"
#include "reports/report/pages/page_texts.hpp"
#include "reports/report/pages/pages.hpp"
#include "reports/words/number_json.hpp"

namespace vernier {
namespace {

/// How claims of a verdict are shown: those that a reader should see first come first.
struct Shown {
  ClaimVerdict verdict;
  std::string_view heading;
  std::string_view meaning;
  std::string_view tone;
  std::string_view correction;  ///< what a correction is to such a claim
};

constexpr std::array shown_verdicts{
    Shown{ClaimVerdict::wrong, "False", "a computation contradicts it", "bad", "What is true"},
    Shown{ClaimVerdict::conditional, "Conditional", "true under a condition that the text leaves out",
          "neutral", "Condition"},
    Shown{ClaimVerdict::approximate, "Approximate", "nearly true", "neutral", "How nearly"},
    Shown{ClaimVerdict::correct, "True", "a computation bears it out", "good", "Note"},
    Shown{ClaimVerdict::definition, "Definitions", "a choice of names or formulas, carried out as stated",
          "good", "Note"},
    Shown{ClaimVerdict::not_checkable, "Not checkable here", "no computation decides it", "none", "Note"},
};

DataTable claims_summary(const std::vector<ClaimDocument>& documents) {
  auto table = described_table("claims/claims_summary");
  for (const auto& one : shown_verdicts) {
    table.columns.push_back({std::string(one.heading), true});
  }
  table.columns.push_back({"Read", false});
  for (const auto& document : documents) {
    std::vector<std::string> row{document.title, std::to_string(document.claims.size())};
    for (const auto& one : shown_verdicts) {
      row.push_back(std::to_string(std::ranges::count(document.claims, one.verdict, &Claim::verdict)));
    }
    row.push_back(document.is_text() && document.read.empty() ? "the whole text" : document.read);
    table.rows.push_back(std::move(row));
  }
  return table;
}

/// "line 23", "lines 28-46", "equation (5)"; nothing where no document has it.
std::string place_of(const Claim& claim) {
  if (!claim.place.empty()) {
    return ", " + claim.place;
  }
  if (claim.lines.empty()) {
    return "";
  }
  const bool several = claim.lines.find_first_of(",-") != std::string::npos;
  return std::string(several ? ", lines " : ", line ") + claim.lines;
}

/// Computes it again, and nothing else. GoogleTest's names have letters, digits and underscores.
std::string command_of(std::string evidence) {
  std::ranges::replace_if(
      evidence, [](char c) { return c == '/' || c == '-'; }, '_');
  return fmt::format("build/release/bin/props_test --gtest_filter='*/{}'", evidence);
}

Json evidence_content(const Claim& claim, const EvidenceResults& results) {
  Json computations = Json::array();
  for (const auto& id : claim.evidence) {
    if (const auto found = results.find(id); found != results.end()) {
      const auto* evidence = evidence_named(id);
      computations.push_back({{"computes", evidence->computes},
                              {"finding", name_of(found->second.finding)},
                              {"method", name_of(evidence->method)},
                              {"told", found->second.told},
                              {"command", command_of(id)}});
    }
  }
  return computations;
}

Json claim_content(const ClaimDocument& document, const Claim& claim, const Shown& how,
                   const EvidenceResults& results) {
  const auto told = [](const std::string& sentence) { return Json{{"sentence", sentence}}; };
  return {{"id", claim.id},
          {"text", document.name},
          {"title", document.title},
          {"kind", claim.kind},
          {"place", place_of(claim)},
          {"statement", claim.statement},
          {"hypothesis", optional_text(claim.hypothesis)},
          {"verdict", name_of(claim.verdict)},
          {"tone", how.tone},
          {"label", how.correction},
          {"correction", optional_text(claim.correction)},
          {"needs", optional_text(claim.needs)},
          {"evidence", evidence_content(claim, results)},
          {"disagreements", array_json(disagreements(claim, results), told)}};
}

/// All claims of a verdict, text after text.
Json group_content(const ReportData& data, const Shown& how) {
  Json claims = Json::array();
  for (const auto& document : data.claims) {
    for (const auto& claim : document.claims) {
      if (claim.verdict == how.verdict) {
        claims.push_back(claim_content(document, claim, how, data.evidence));
      }
    }
  }
  auto id = std::string(name_of(how.verdict));
  std::ranges::replace(id, ' ', '-');
  return {{"id", "verdict-" + id},
          {"heading", how.heading},
          {"verdict", name_of(how.verdict)},
          {"meaning", how.meaning},
          {"tone", how.tone},
          {"count", claims.size()},
          {"is_open", how.verdict == ClaimVerdict::wrong},
          {"claims", std::move(claims)}};
}

}  // namespace

Json claims_content(const ReportData& data) {
  Json groups = Json::array();
  const auto text = [](const ClaimDocument& document) -> Json {
    return {{"name", document.name}, {"title", document.title}};
  };
  for (const auto& how : shown_verdicts) {
    auto group = group_content(data, how);
    if (!group["claims"].empty()) {
      groups.push_back(std::move(group));
    }
  }
  const ClaimCounts counts(data.claims);
  return {{"headline", headline_of(counts)},       {"own", counts.own},
          {"computed", computed_text(counts)},     {"whole", counts.whole},
          {"partly", counts.texts - counts.whole}, {"texts", array_json(data.claims, text)},
          {"groups", std::move(groups)},           {"summary", to_html(claims_summary(data.claims))}};
}

ClaimCounts::ClaimCounts(const std::vector<ClaimDocument>& documents) {
  for (const auto& document : documents) {
    if (document.is_text()) {
      ++texts;
      whole += document.claims.front().lines.empty() ? 0 : 1;
      statements += document.claims.size();
      const auto of = [&document](ClaimVerdict verdict) {
        return static_cast<std::size_t>(std::ranges::count(document.claims, verdict, &Claim::verdict));
      };
      wrong += of(ClaimVerdict::wrong);
      open += of(ClaimVerdict::not_checkable);
    } else {
      own += document.claims.size();
    }
  }
}

std::string headline_of(const ClaimCounts& counts) {
  const auto open = counts.open == 0 ? ""
                                     : fmt::format(", and {} {} not checkable", counts.open,
                                                   counts.open == 1 ? "is" : "are");
  return fmt::format("{} of {} statements of {} {} false{}",
                     counts.wrong == 0 ? "None" : std::to_string(counts.wrong), counts.statements,
                     counted(counts.texts, "widely read text", "widely read texts"),
                     counts.wrong <= 1 ? "is" : "are", open);
}

std::string computed_text(const ClaimCounts& counts) {
  return counts.open == 0 ? "Each was computed."
                          : fmt::format("{} of the {} were computed; no computation decides the others.",
                                        counts.statements - counts.open, counts.statements);
}

}  // namespace vernier
