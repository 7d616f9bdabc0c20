#include "reports/validate.hpp"

#include <algorithm>
#include <thread>

#include "numerics/diagnosis.hpp"
#include "reports/checks/check_kind.hpp"

namespace vernier {
namespace {

void describe(Verdict& verdict, const Case& subject) {
  verdict.name = subject.name;
  verdict.producer = subject.producer;
  verdict.encoding = subject.encoding->summary();
  verdict.spec = subject.encoding->spec();
  for (const auto& tensor : subject.tables) {
    const auto& contract = *tensor.contract;
    verdict.contracts.push_back({tensor.role(), std::string(traits(tensor.tensor.type()).name),
                                 std::string(contract.id), std::string(contract.meaning),
                                 std::string(contract.budget)});
  }
  verdict.rows = subject.positions.size();
  if (!subject.positions.empty()) {
    const auto [least, greatest] = std::ranges::minmax(subject.positions);
    verdict.least_position = least;
    verdict.greatest_position = greatest;
  }
}

std::vector<std::string> diagnosis_of(const AuditedCase& audited) {
  std::vector<std::string> edits;
  const auto fails = [](const AuditReport& report) { return report.failing > 0; };
  if (std::ranges::any_of(audited.audits, fails)) {
    for (auto& finding : diagnose(audited.subject.tables, audited.subject.positions)) {
      edits.push_back(std::move(finding.edit));
    }
  }
  return edits;
}

}  // namespace

Verdict validate(const Case& subject, std::string reproduce) {
  const auto threads = std::max(1U, std::thread::hardware_concurrency());
  AuditedCase audited{subject, {}};
  for (const auto& tensor : subject.tables) {
    audited.audits.push_back(audit_tensor(tensor, tensor.table, subject.positions, threads));
  }
  Verdict verdict;
  describe(verdict, subject);
  for (const auto& kind : check_kinds()) {
    kind.judge(audited, verdict.checks);
  }
  verdict.diagnosis = diagnosis_of(audited);
  verdict.reproduce = std::move(reproduce);
  return verdict;
}

}  // namespace vernier
