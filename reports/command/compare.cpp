#include <algorithm>
#include <iostream>

#include "reference/support/input_error.hpp"
#include "reference/support/mapped.hpp"
#include "reference/support/refusal.hpp"
#include "reports/command/command.hpp"
#include "reports/outputs/comparisons/comparison_outputs.hpp"
#include "reports/outputs/text/colours.hpp"
#include "reports/words/file.hpp"

namespace vernier {
namespace {

constexpr double one_percent = 0.01;

struct CompareArguments {
  ArgumentParser& command;
  const Words& files = command.given<Words>("VERDICT");
  const double& slack = command.given<double>("--slack", 1);
  const std::string& history = command.given<std::string>("--history");
  const std::string& label = command.given<std::string>("--label");
  const std::string& json = command.given<std::string>("--json");
  const std::string& html = command.given<std::string>("--html");
  const bool& verbose = command.given<bool>("--verbose");
};

/// Labelled by the files' names, or by their paths where names are the same.
std::vector<VerdictDocument> read_documents(const std::vector<std::string>& files) {
  refuse_if(files.size() < 2, "compare: found one verdict document, expected two or more");
  auto documents = mapped(files, [&](const auto& file) { return read_verdict_document(file); });
  const bool are_told_apart = std::ranges::all_of(documents, [&](const VerdictDocument& document) {
    return std::ranges::count(documents, document.label, &VerdictDocument::label) == 1;
  });
  for (auto& document : documents) {
    document.label = are_told_apart ? document.label : document.source;
  }
  return documents;
}

/// The runs of a case before one. \throws InputError where one was on another spec, beside what is wrong with
/// the file
RunHistory earlier_runs(const std::string& history, const RecordedRun& run) {
  auto runs = runs_of_case(read_history(history), run);
  for (const auto& earlier : runs) {
    require_same_spec(earlier, run);
  }
  return runs;
}

int run_compare(const CompareArguments& arguments, std::ostream& out) {
  const auto documents = read_documents(arguments.files);
  const auto with_first = compared_with_first(documents, arguments.slack * one_percent);
  ComparedVerdicts verdicts{.documents = documents, .with_first = with_first};
  if (!arguments.history.empty()) {
    RecordedRun run = documents.back();
    run.label = arguments.label.empty() ? run.label : arguments.label;
    verdicts.history = earlier_runs(arguments.history, run);
    write_file(arguments.history, history_text(arguments.history, {&run, 1}), out);
    verdicts.history.push_back(run);
  }
  if (!arguments.json.empty()) {
    write_file(arguments.json, comparison_json(verdicts), out);
  }
  if (!arguments.html.empty()) {
    write_file(arguments.html, comparison_page(verdicts), out);
  }
  if (arguments.json != standard_output && arguments.html != standard_output) {
    const auto text = comparison_text(verdicts, arguments.verbose);
    const bool is_coloured = &out == &std::cout && has_colours_on_standard_output();
    out << (is_coloured ? coloured_changes(text) : text);
  }
  return std::ranges::any_of(with_first, &VerdictComparison::got_worse) ? 1 : 0;
}

}  // namespace

Action declare_compare(ArgumentParser& command) {
  return declared(command, run_compare);
}

}  // namespace vernier
