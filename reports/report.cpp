#include "reports/report.hpp"

#include <algorithm>
#include <iterator>

#include "reports/html/site.hpp"
#include "reports/pages/manual.hpp"
#include "reports/pages/pages.hpp"
#include "reports/version.hpp"

namespace vernier {
namespace {

/// Of the report: some seconds. The page says how to draw more.
const rates::RatesOptions small_draw{
    .honest = 20, .faulty = 40, .longest = 256, .elements = 1024, .cases = 5};

const kill_matrix::KillOptions small_matrix{
    .drawn = {.longest = 256, .elements = 1024}, .mutants = 120, .honest = 30};

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
  options.progress("measuring how often the verdict is wrong");
  data.rates = rates::measure_rates(small_draw, [](const rates::Drawn&) {});
  options.progress("counting which faults are caught");
  data.kills = kill_matrix::measure_kills(small_matrix, [] {});
  options.progress("computing the matrix of schemes and properties");
  data.matrix = compute_matrix(options.laws);
  data.claims = claim_documents();
  for (const auto& document : data.claims) {
    compute_evidence(document, data.evidence, [&](const Evidence& evidence) {
      options.progress(std::string("computing evidence: ") + std::string(evidence.id));
    });
  }
  data.environment = environment();
  options.progress("writing the pages");
  auto filled = fill<ReportData>(make_all(page_makers), data);
  std::ranges::move(manual_pages(), std::back_inserter(filled));
  write_site(options.directory,
             {"Vernier accuracy report", std::string(version()), std::to_string(options.laws.seed)}, filled);
}

}  // namespace vernier
