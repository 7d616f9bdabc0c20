#include "reports/report/report.hpp"

#include <algorithm>
#include <functional>
#include <future>
#include <span>
#include <utility>

#include "numerics/formats/unfinished_file.hpp"
#include "props/broken/broken.hpp"
#include "reports/html/site.hpp"
#include "reports/implementations/comparison.hpp"
#include "reports/implementations/implementation_list.hpp"
#include "reports/report/pages/findings/findings.hpp"
#include "reports/report/pages/pages.hpp"
#include "reports/words/version.hpp"

namespace vernier {
namespace {

/// What is proved in intervals.
struct Proofs {
  std::vector<LawStudy> laws;
  std::vector<ComputedRow> matrix;
  EvidenceResults evidence;
};

Proofs prove(const CheckOptions& options, const std::vector<ClaimDocument>& claims) {
  Proofs proofs{study_laws(options, {}), compute_matrix(options), {}};
  for (const auto& document : claims) {
    compute_evidence(document, proofs.evidence);
  }
  return proofs;
}

/// What may be wrong with inputs and places for outputs, before anything is computed.
void require_usable(const ReportOptions& options) {
  if (!options.implementations.empty()) {
    std::ignore = read_implementation_list(options.implementations);
  }
  if (!options.history.empty()) {
    std::ignore = read_history(options.history.string());
  }
  if (!options.folder.empty()) {
    require_writable(options.folder);
  }
  for (const auto& file : {options.single_file, options.history}) {
    if (!file.empty()) {
      const UnfinishedFile probe(file);
    }
  }
}

/// What was computed, as the pages that were asked for.
void write_pages(const ReportData& data, const ReportOptions& options) {
  options.progress.begin("writing the pages", 1);
  const auto pages = all_pages(data);
  const SiteInfo info{"Vernier", std::string(version()), std::to_string(options.laws.seed)};
  const auto index = search_entries(data, pages);
  if (!options.folder.empty()) {
    write_site(options.folder, info, pages, index);
  }
  if (!options.single_file.empty()) {
    write_site_in_one(options.single_file, info, pages, index);
  }
}

/// Reads the file once more: somebody may have appended to it meanwhile.
void append_to_history(const std::filesystem::path& file, const RunHistory& runs) {
  const auto text = history_text(file.string(), runs);
  UnfinishedFile history(file);
  history.append(std::as_bytes(std::span(text)));
  history.finish();
}

}  // namespace

void write_report(const ReportOptions& options) {
  require_usable(options);
  ReportData data;
  ToldFindings findings(options.found);
  // First what most is found in.
  data.field = study_field(options.positions, options.threads, options.progress);
  data.grids = study_grids(options.threads, options.progress);
  findings.tell(data);
  if (!options.implementations.empty()) {
    data.comparison = study_implementations(options.implementations, options.positions, options.progress);
    findings.tell(data);
  }
  // Proofs in intervals are for one thread at a time (reference/numbers/interval.hpp): they go on beside the
  // studies below, which seldom need one.
  data.claims = claim_documents();
  auto proving = std::async(std::launch::async, prove, options.laws, std::cref(data.claims));
  data.tables = study_accuracy(options.positions, options.threads, options.progress);
  findings.tell(data);
  options.progress.begin("proving laws, properties and claims", 1);
  auto proofs = proving.get();
  data.laws = std::move(proofs.laws);
  data.matrix = std::move(proofs.matrix);
  data.evidence = std::move(proofs.evidence);
  findings.tell(data);
  data.record = recorded_cases();
  data.environment = environment();
  const auto runs = history_entries(data.comparison, options.label);
  if (!options.history.empty()) {
    data.history = read_history(options.history.string());
    data.history.insert(data.history.end(), runs.begin(), runs.end());
  }
  write_pages(data, options);
  if (!options.history.empty()) {
    append_to_history(options.history, runs);
  }
}

bool LawStudy::as_it_should_be() const {
  const auto all = [](const std::vector<LawResult>& results, CheckStatus status) {
    return std::ranges::all_of(results, [&](const LawResult& result) { return result.status == status; });
  };
  return all(honest, CheckStatus::holds) && all(broken, CheckStatus::fails);
}

std::vector<LawStudy> study_laws(const CheckOptions& options, const PhaseListener& progress) {
  std::vector<LawStudy> studies;
  const auto honest = subjects();
  progress.begin("trying the laws", laws().size());
  for (const auto& law : laws()) {
    LawStudy study{&law, {}, {}};
    for (const auto& subject : honest) {
      if (applies(law, subject)) {
        study.honest.push_back(run_law(law, subject, options));
      }
    }
    for (const auto& broken : broken_implementations()) {
      if (std::ranges::count(broken.caught_by, law.id) > 0) {
        study.broken.push_back(run_law(law, broken.target, options));
      }
    }
    studies.push_back(std::move(study));
    progress.advance(1);
  }
  return studies;
}

}  // namespace vernier
