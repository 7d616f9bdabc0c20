#include <algorithm>

#include "reports/html/table.hpp"
#include "reports/pages/findings/report_finding.hpp"
#include "reports/pages/models/configuration.hpp"
#include "reports/pages/pages.hpp"

namespace vernier {
namespace {

Json finding_json(const ReportFinding& finding) {
  return {{"id", finding.id},
          {"headline", finding.headline},
          {"text", optional_text(finding.text)},
          {"has_picture", !finding.picture.empty()},
          {"picture", finding.picture},
          {"page", finding.page},
          {"link", finding.link}};
}

DataTable environment_table(const ReportData& data) {
  DataTable table{"What the numbers depend on", {{"What"}, {"Version"}}, {}};
  for (const auto& fact : data.environment) {
    table.rows.push_back({fact.name, fact.value});
  }
  return table;
}

/// A model to show the command with: the first that needs more than the usual table, else the first.
std::string example_of(const std::vector<FieldEncoding>& field) {
  const auto all = configurations(field);
  const auto found = std::ranges::find_if(all, [](const Configuration& one) {
    return one.model->verified && one.model->layers == "all" && need_of(*one.encoding) == Need::wide_phase;
  });
  return (found == all.end() ? all.front() : *found).model->id;
}

Json findings_content(const ReportData& data) {
  std::vector<ReportFinding> findings;
  for (const auto& maker : make_all(finding_makers)) {
    findings.push_back(made_by(maker, data));
  }
  findings = ranked(std::move(findings));
  Json others = Json::array();
  for (auto one = findings.begin() + 1; one != findings.end(); ++one) {
    others.push_back(finding_json(*one));
  }
  return {{"first", finding_json(findings.front())},
          {"others", std::move(others)},
          {"example", example_of(data.field)},
          {"environment", to_html(environment_table(data))}};
}

}  // namespace

Page<ReportData> findings_page() {
  return {"index.html", "Findings", "Findings", "findings", findings_content};
}

}  // namespace vernier
