#include "reports/validate.hpp"

#include <algorithm>
#include <iterator>
#include <thread>

#include <oneapi/tbb/parallel_for.h>

#include "numerics/diagnosis.hpp"
#include "numerics/mapped_file.hpp"
#include "numerics/rotated_diagnosis.hpp"
#include "reports/checks/check_kind.hpp"
#include "reports/conventions.hpp"

namespace vernier {
namespace {

ContractUse contract_use(const std::string& role, ElementType stored, const Contract& contract) {
  return {role, std::string(traits(stored).name), std::string(contract.id), std::string(contract.meaning),
          std::string(contract.budget)};
}

void describe(Verdict& verdict, const Case& subject) {
  verdict.name = subject.name;
  verdict.producer = subject.producer;
  verdict.encoding = subject.encoding->summary();
  verdict.spec = subject.encoding->spec();
  for (const auto& tensor : subject.tables) {
    verdict.contracts.push_back(contract_use(tensor.role(), tensor.tensor.type(), *tensor.contract));
  }
  for (const auto& values : subject.values) {
    verdict.contracts.push_back(contract_use(values.role(), values.tensor.type(), *values.contract));
  }
  for (const auto& tensor : subject.streamed) {
    verdict.contracts.push_back(contract_use(tensor.role(), tensor.tensor.type(), *tensor.contract));
  }
  for (const auto& bias : subject.biases) {
    verdict.contracts.push_back(contract_use(bias.table.role, bias.tensor.type(), *bias.contract));
  }
  for (const auto& tensor : subject.scaled) {
    verdict.contracts.push_back(contract_use(tensor.role(), tensor.tensor.type(), *tensor.contract));
  }
  for (const auto& vectors : subject.rotated) {
    verdict.contracts.push_back(contract_use(vectors.role(), vectors.rotated.type(), *vectors.contract));
  }
  if (subject.buckets) {
    verdict.contracts.push_back(contract_use("buckets", subject.buckets->stored, *subject.buckets->contract));
  }
  const auto& positions = subject.buckets ? subject.buckets->relative_positions : subject.positions;
  verdict.rows = positions.size();
  if (!positions.empty()) {
    const auto [least, greatest] = std::ranges::minmax(positions);
    verdict.least_position = least;
    verdict.greatest_position = greatest;
  }
}

/// What explains the tensors that fail. Where a case has tables and rotated vectors, each edit says which of
/// them it explains.
std::vector<std::string> diagnosis_of(const AuditedCase& audited, unsigned threads) {
  std::vector<std::string> edits;
  const bool both = !audited.rotated.empty() && !audited.audits.empty();
  const auto append = [&](const std::vector<Finding>& findings, std::string_view of_what) {
    for (const auto& finding : findings) {
      edits.push_back((both ? std::string(of_what) + ": " : std::string()) + finding.edit);
    }
  };
  const auto fails = [](const AuditReport& report) { return report.failing > 0; };
  if (std::ranges::any_of(audited.audits, fails)) {
    append(diagnose(audited.subject.tables, audited.subject.positions), "the tables");
  }
  for (std::size_t i = 0; i < audited.rotated.size(); ++i) {
    if (audited.rotated[i].elements.failing > 0 || audited.rotated[i].changed.count > 0) {
      append(diagnose_rotated(audited.subject.rotated[i], threads), "the rotated vectors");
    }
  }
  return edits;
}

}  // namespace

Verdict validate(const Case& subject, std::string reproduce) {
  const auto threads = std::max(1U, std::thread::hardware_concurrency());
  AuditedCase audited{subject, std::vector<AuditReport>(subject.tables.size())};
  // Side by side, so that what one does on a single core does not keep the others idle.
  oneapi::tbb::parallel_for(std::size_t{0}, subject.tables.size(), [&](std::size_t i) {
    const auto& tensor = subject.tables[i];
    audited.audits[i] = audit_tensor(tensor, tensor.table, subject.positions, threads);
  });
  for (const auto& vectors : subject.rotated) {
    audited.rotated.push_back(audit_rotated(vectors, threads));
  }
  const auto kinds = check_kinds();
  std::vector<std::vector<Check>> checks(kinds.size());
  oneapi::tbb::parallel_for(std::size_t{0}, kinds.size(),
                            [&](std::size_t i) { kinds[i].judge(audited, checks[i]); });
  Verdict verdict;
  describe(verdict, subject);
  for (auto& of_kind : checks) {
    std::ranges::move(of_kind, std::back_inserter(verdict.checks));
  }
  verdict.conventions = conventions_of(subject);
  verdict.diagnosis = diagnosis_of(audited, threads);
  require_unchanged_files();
  verdict.reproduce = std::move(reproduce);
  return verdict;
}

}  // namespace vernier
