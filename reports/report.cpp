#include "reports/report.hpp"

#include <algorithm>
#include <set>
#include <string_view>

#include "reports/html/site.hpp"
#include "reports/pages/pages.hpp"
#include "reports/version.hpp"

namespace vernier {
namespace {

/// Of the report: some seconds. The page says how to draw more.
const rates::RatesOptions small_draw{
    .honest = 20, .faulty = 40, .longest = 256, .elements = 1024, .cases = 5};

const kill_matrix::KillOptions small_matrix{
    .drawn = {.longest = 256, .elements = 1024}, .mutants = 120, .honest = 30};

/// At which tolerances in use are judged.
constexpr std::int64_t most_positions_of_tolerances = 2048;

/// Shows how far it is, as all that follows.
rates::Rates rates_of(const PhaseListener& progress) {
  progress.begin("measuring how often the verdict is wrong",
                 static_cast<std::uint64_t>(small_draw.honest + small_draw.faulty));
  return rates::measure_rates(small_draw, [&](const rates::Drawn&) { progress.advance(1); });
}

kill_matrix::KillMatrix kills_of(const PhaseListener& progress) {
  progress.begin("counting which faults are caught",
                 static_cast<std::uint64_t>(small_matrix.mutants + small_matrix.honest));
  return kill_matrix::measure_kills(small_matrix, [&] { progress.advance(1); });
}

EvidenceResults evidence_of(const std::vector<ClaimDocument>& documents, const PhaseListener& progress) {
  std::set<std::string_view> named;
  for (const auto& document : documents) {
    for (const auto& claim : document.claims) {
      named.insert(claim.evidence.begin(), claim.evidence.end());
    }
  }
  progress.begin("computing the evidence of claims", std::max<std::size_t>(1, named.size()));
  EvidenceResults results;
  for (const auto& document : documents) {
    compute_evidence(document, results,
                     [&](const Evidence& /*next*/) { progress.advance(results.empty() ? 0 : 1); });
  }
  return results;
}

}  // namespace

void write_report(const ReportOptions& options) {
  require_writable(options.directory);
  ReportData data;
  data.tables = study_accuracy(options.positions, options.threads, options.progress);
  data.field = study_field(options.positions, options.threads, options.progress);
  if (!options.implementations.empty()) {
    data.comparison = study_implementations(options.implementations, options.positions, options.progress);
  }
  data.laws = study_laws(options.laws, options.progress);
  data.rates = rates_of(options.progress);
  data.kills = kills_of(options.progress);
  options.progress.begin("judging tolerances in use", 1);
  data.tolerances =
      judge_tolerances_in_use(std::min(most_positions_of_tolerances, options.positions), options.threads);
  options.progress.begin("computing the matrix of schemes and properties", 1);
  data.matrix = compute_matrix(options.laws);
  data.claims = claim_documents();
  data.evidence = evidence_of(data.claims, options.progress);
  data.environment = environment();
  options.progress.begin("writing the pages", 1);
  const auto pages = all_pages(data);
  write_site(options.directory, {"Vernier", std::string(version()), std::to_string(options.laws.seed)}, pages,
             search_entries(data, pages));
}

}  // namespace vernier
