#include "reports/report/pages/findings/findings.hpp"

#include <algorithm>
#include <span>
#include <tuple>

#include "reference/support/mapped.hpp"
#include "reports/html/table.hpp"
#include "reports/report/pages/models/configuration.hpp"
#include "reports/report/pages/page_texts.hpp"
#include "reports/report/pages/pages.hpp"
#include "reports/words/number_json.hpp"

namespace vernier {
namespace {

Json finding_content(const ReportFinding& finding) {
  return {{"id", finding.id},           {"headline", finding.headline}, {"text", optional_text(finding.text)},
          {"picture", finding.picture}, {"page", finding.page},         {"link", finding.link}};
}

DataTable environment_table(const ReportData& data) {
  return filled_table("findings/environment", data.environment, [](const auto& fact) -> TableRow {
    return {fact.name, fact.value};
  });
}

/// A model to show the command with: the first that needs more than the usual table, else the first.
std::string example_of(const std::vector<FieldEncoding>& field) {
  const auto all = configurations(field);
  const auto found = std::ranges::find_if(all, [](const Configuration& one) {
    return one.model->verified && one.model->layers == "all" && need_of(*one.encoding) == Need::wide_phase;
  });
  return (found == all.end() ? all.front() : *found).model->id;
}

}  // namespace

Json findings_content(const ReportData& data) {
  const auto findings =
      ranked(mapped(finding_makers(), [&](const ReportFindingMaker& maker) { return made_by(maker, data); }));
  return {{"first", finding_content(findings.front())},
          {"others", array_json(std::span(findings).subspan(1), finding_content)},
          {"example", example_of(data.field)},
          {"environment", to_html(environment_table(data))}};
}

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
  auto untold = mapped(
      pointers_to(finding_makers(),
                  [&](const auto& maker) { return !told_.contains(maker.id) && maker.is_known(data); }),
      [&](const auto* maker) { return made_by(*maker, data); });
  for (const auto& finding : ranked(std::move(untold))) {
    if (!finding.missing) {
      told_.insert(finding.id);
      listener_(finding.headline);
    }
  }
}

}  // namespace vernier
