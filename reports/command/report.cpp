#include <filesystem>
#include <functional>
#include <future>
#include <limits>
#include <utility>

#include "numerics/formats/unfinished_file.hpp"
#include "props/judging/check.hpp"
#include "reference/support/refusal.hpp"
#include "reference/support/threads.hpp"
#include "reports/command/command.hpp"
#include "reports/html/site.hpp"
#include "reports/implementations/comparison.hpp"
#include "reports/implementations/implementation_list.hpp"
#include "reports/report/pages/findings/findings.hpp"
#include "reports/report/pages/pages.hpp"
#include "reports/words/file.hpp"
#include "reports/words/progress.hpp"
#include "reports/words/value_text.hpp"
#include "reports/words/version.hpp"

namespace vernier {
namespace {

constexpr std::int64_t positions_of_a_quick_look = 4096;
constexpr std::int64_t all_positions = std::numeric_limits<std::int64_t>::max();

struct ReportArguments {
  ArgumentParser& command;
  const std::string& output = command.given<std::string>("--output");
  const std::string& single_file = command.given<std::string>("--single-file");
  const std::int64_t& most_positions = command.given<std::int64_t>("--positions", all_positions);
  const bool& is_quick = command.given<bool>("--quick");
  const std::string& implementations = command.given<std::string>("--implementations");
  const std::string& history = command.given<std::string>("--history");
  const std::string& label = command.given<std::string>("--label");
  const bool& is_quiet = command.given<bool>("--quiet");

  /// For the pages; empty: all are in the single file.
  std::filesystem::path folder() const { return output.empty() && single_file.empty() ? "report" : output; }
  /// Only positions below this are audited; the report then says so.
  std::int64_t positions() const { return is_quick ? positions_of_a_quick_look : most_positions; }
};

/// What may be wrong with inputs and places for outputs, before anything is computed.
void require_usable(const ReportArguments& arguments) {
  refuse_if(!arguments.history.empty() && arguments.implementations.empty(),
            "report: found --history without --implementations, expected both: a history is of them");
  // At position 0 all is exact: nothing could be drawn.
  refuse_if(arguments.most_positions < 2, "report: --positions: found {}, expected a number above 1",
            arguments.most_positions);
  refuse_if(arguments.is_quick && arguments.most_positions != all_positions,
            "report: found both --quick and --positions, expected one of them");
  if (!arguments.implementations.empty()) {
    std::ignore = read_implementation_list(arguments.implementations);
  }
  if (!arguments.history.empty()) {
    std::ignore = read_history(arguments.history);
  }
  if (!arguments.folder().empty()) {
    require_writable(arguments.folder());
  }
  for (const auto& file : {arguments.single_file, arguments.history}) {
    if (!file.empty()) {
      const UnfinishedFile probe(file);
    }
  }
}

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

/// Computes all that pages are written from. \param found told each finding as soon as it is known
ReportData computed(const ReportArguments& arguments, const CheckOptions& laws, const PhaseListener& progress,
                    const std::function<void(const std::string& headline)>& found) {
  const auto threads = available_threads();
  const auto positions = arguments.positions();
  ReportData data;
  ToldFindings findings(found);
  // First what most is found in.
  data.field = study_field(positions, threads, progress);
  data.grids = study_grids(threads, progress);
  findings.tell(data);
  if (!arguments.implementations.empty()) {
    data.comparison = study_implementations(arguments.implementations, positions, progress);
    findings.tell(data);
  }
  // Proofs in intervals are for one thread at a time (reference/numbers/interval.hpp): they go on beside the
  // studies below, which seldom need one.
  data.claims = claim_documents();
  auto proving = std::async(std::launch::async, prove, laws, std::cref(data.claims));
  data.tables = study_accuracy(positions, threads, progress);
  findings.tell(data);
  progress.begin("proving laws, properties and claims", 1);
  auto proofs = proving.get();
  data.laws = std::move(proofs.laws);
  data.matrix = std::move(proofs.matrix);
  data.evidence = std::move(proofs.evidence);
  findings.tell(data);
  data.record = recorded_cases();
  data.environment = environment();
  return data;
}

/// What was computed, as the pages that were asked for.
void write_pages(const ReportData& data, const ReportArguments& arguments, std::uint64_t seed) {
  const auto pages = all_pages(data);
  const SiteInfo info{"Vernier", std::string(version()), std::to_string(seed)};
  const auto index = search_entries(data, pages);
  if (const auto folder = arguments.folder(); !folder.empty()) {
    write_site(folder, info, pages, index);
  }
  if (!arguments.single_file.empty()) {
    write_site_in_one(arguments.single_file, info, pages, index);
  }
}

/// Appends to the history once the pages are written, so that a run that fails leaves no trace there.
void write_report(const ReportArguments& arguments, Progress& progress, std::ostream& out) {
  require_usable(arguments);
  const auto laws = options_from_environment();
  const auto phases = progress.listener();
  auto data = computed(arguments, laws, phases,
                       [&](const std::string& headline) { progress.say(out, headline + "."); });
  const auto runs = history_entries(data.comparison, arguments.label);
  if (!arguments.history.empty()) {
    data.history = read_history(arguments.history);
    data.history.insert(data.history.end(), runs.begin(), runs.end());
  }
  phases.begin("writing the pages", 1);
  write_pages(data, arguments, laws.seed);
  if (!arguments.history.empty()) {
    // Read once more: somebody may have appended to it meanwhile.
    write_whole(arguments.history, history_text(arguments.history, runs));
  }
}

int run_report(const ReportArguments& arguments, std::ostream& out) {
  {
    Progress progress(progress_place(arguments.is_quiet));
    write_report(arguments, progress, out);
  }
  if (const auto folder = arguments.folder(); !folder.empty()) {
    out << one_line((folder / "index.html").string()) << "\n";
  }
  if (!arguments.single_file.empty()) {
    out << one_line(arguments.single_file) << "\n";
  }
  return 0;
}

}  // namespace

Action declare_report(ArgumentParser& command) {
  return declared(command, run_report);
}

}  // namespace vernier
