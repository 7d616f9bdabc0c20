#include <algorithm>
#include <iostream>
#include <memory>

#include "reference/input_error.hpp"
#include "reports/commands/command.hpp"
#include "reports/commands/own_files.hpp"
#include "reports/comparisons/comparison_outputs.hpp"
#include "reports/file.hpp"
#include "reports/outputs/text/colours.hpp"

namespace vernier {
namespace {

constexpr double one_percent = 0.01;

struct CompareArguments {
  std::vector<std::string> files;
  double slack = 1;
  std::string json;
  std::string html;
  std::string history;
  std::string label;
  bool verbose = false;
};

void require_own_outputs(const CompareArguments& arguments) {
  const std::vector<FileArgument> outputs{{"--json", arguments.json}, {"--html", arguments.html}};
  std::vector<FileArgument> inputs;
  for (const auto& file : arguments.files) {
    inputs.push_back({"VERDICT", file});
  }
  auto read_only = inputs;
  read_only.push_back({"--history", arguments.history});
  require_own_files(outputs, read_only);
  require_own_files(std::vector<FileArgument>{{"--history", arguments.history}}, inputs);
}

/// Labelled by the files' names, or by their paths where names are the same.
std::vector<VerdictDocument> read_documents(const std::vector<std::string>& files) {
  if (files.size() < 2) {
    throw InputError("compare: found one verdict document, expected two or more");
  }
  std::vector<VerdictDocument> documents;
  for (const auto& file : files) {
    documents.push_back(read_verdict_document(file));
  }
  const bool are_told_apart = std::ranges::all_of(documents, [&](const VerdictDocument& one) {
    return std::ranges::count(documents, one.label, &VerdictDocument::label) == 1;
  });
  for (auto& document : documents) {
    document.label = are_told_apart ? document.label : document.file;
  }
  return documents;
}

/// The runs of a case before one. \param source of that one's spec, for the sentence \throws InputError where
/// one was on another spec, beside what is wrong with the file
RunHistory earlier_runs(const std::string& history, const HistoryEntry& run, const std::string& source) {
  auto runs = runs_of_case(read_history(history), run);
  for (const auto& earlier : runs) {
    require_same_spec(earlier.spec, earlier.source, run.spec, source);
  }
  return runs;
}

int run_compare(const CompareArguments& arguments, std::ostream& out) {
  require_own_outputs(arguments);
  if (arguments.json == standard_output && arguments.html == standard_output) {
    throw InputError("compare: found two outputs to '-', expected at most one to standard output");
  }
  const auto documents = read_documents(arguments.files);
  const auto with_first = compared_with_first(documents, arguments.slack * one_percent);
  ComparedVerdicts verdicts{.documents = documents, .with_first = with_first};
  if (!arguments.history.empty()) {
    const auto& last = documents.back();
    const auto run = history_entry(last, arguments.label);
    verdicts.history = earlier_runs(arguments.history, run, last.file);
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

Action declare_compare(ArgumentParser& command) {
  const auto arguments = std::make_shared<CompareArguments>();
  command
      .add("VERDICT", arguments->files,
           "two or more verdict documents (validate --json) on one encoding; each is compared with the first")
      .named("FILE")
      .required();
  command.add("--slack", arguments->slack, "by how many percent a figure may differ and count as the same")
      .named("PERCENT")
      .between(0.0, 1e6)
      .shows_default();
  command
      .add("--history", arguments->history,
           "append the key figures of the last verdict to this file of JSON lines, and show the trend of its "
           "case")
      .named("FILE");
  command
      .add("--label", arguments->label,
           "what the history calls the run: a commit, a date; default the name of the verdict's file")
      .named("WORD");
  command.add("--json", arguments->json, "write the comparison as JSON to a file, '-' for standard output")
      .named("FILE");
  command.add("--html", arguments->html, "write it as one self-contained page, '-' for standard output")
      .named("FILE");
  command.add_flag("-v,--verbose", arguments->verbose, "the text with every check and every figure");
  return [arguments](std::ostream& out) { return run_compare(*arguments, out); };
}

}  // namespace

Command compare_command() {
  return {"compare",
          "Say which checks and figures got worse or better from one verdict to another",
          declare_compare,
          {"vernier compare before.json after.json",
           "vernier compare numpy.json pytorch.json jax.json --html libraries.html",
           "vernier compare main.json branch.json --history history.jsonl --label 3f2c81d"}};
}

}  // namespace vernier
