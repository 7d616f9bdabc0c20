#include "reports/report.hpp"

#include <algorithm>
#include <limits>
#include <memory>

#include "props/check.hpp"
#include "reference/input_error.hpp"
#include "reference/threads.hpp"
#include "reports/commands/command.hpp"
#include "reports/commands/own_files.hpp"
#include "reports/progress.hpp"
#include "reports/value_text.hpp"

namespace vernier {
namespace {

constexpr std::int64_t positions_of_a_quick_look = 4096;
constexpr std::int64_t all_positions = std::numeric_limits<std::int64_t>::max();
constexpr auto usual_folder = "report";

struct ReportArguments {
  std::string folder;
  std::string single_file;
  bool is_quick = false;
  std::int64_t positions = all_positions;
  std::string implementations;
  std::string history;
  std::string label;
  bool is_quiet = false;
};

std::int64_t positions_of(const ReportArguments& arguments) {
  // At position 0 all is exact: nothing could be drawn.
  if (arguments.positions < 2) {
    throw InputError("report: --positions: found {}, expected a number above 1", arguments.positions);
  }
  if (arguments.is_quick && arguments.positions != all_positions) {
    throw InputError("report: found both --quick and --positions, expected one of them");
  }
  return arguments.is_quick ? positions_of_a_quick_look : arguments.positions;
}

void require_usable_history(const ReportArguments& arguments) {
  if (arguments.history.empty()) {
    return;
  }
  if (arguments.implementations.empty()) {
    throw InputError(
        "report: found --history without --implementations, expected both: a history is of them");
  }
  const std::vector<FileArgument> outputs{{"--history", arguments.history},
                                          {"--single-file", arguments.single_file}};
  require_own_files(outputs, std::vector<FileArgument>{{"--implementations", arguments.implementations}});
}

int run_report(const ReportArguments& arguments, std::ostream& out) {
  require_usable_history(arguments);
  const bool is_alone = arguments.folder.empty() && !arguments.single_file.empty();
  ReportOptions options{.folder = arguments.folder.empty() && !is_alone ? usual_folder : arguments.folder,
                        .single_file = arguments.single_file,
                        .positions = positions_of(arguments),
                        .implementations = arguments.implementations,
                        .history = arguments.history,
                        .label = arguments.label,
                        .threads = available_threads(),
                        .laws = options_from_environment()};
  {
    Progress progress(progress_place(arguments.is_quiet));
    options.progress = progress.listener();
    options.found = [&](const std::string& headline) { progress.say(out, headline + "."); };
    write_report(options);
  }
  if (!options.folder.empty()) {
    out << one_line((options.folder / "index.html").string()) << "\n";
  }
  if (!options.single_file.empty()) {
    out << one_line(options.single_file.string()) << "\n";
  }
  return 0;
}

Action declare_report(ArgumentParser& command) {
  const auto arguments = std::make_shared<ReportArguments>();
  command
      .add(
          "-o,--output", arguments->folder,
          "the folder to write the pages to, new, empty or with a report to replace; default report, or none "
          "with --single-file")
      .named("FOLDER");
  command
      .add("--single-file", arguments->single_file,
           "a file to write all pages into, which can be sent and opened anywhere")
      .named("FILE");
  command.add(
      "--positions", arguments->positions,
      "audit only this many positions of each table and draw fewer implementations, for a quick look; the "
      "report says so");
  command.add_flag("--quick", arguments->is_quick, "the same as --positions 4096");
  command.add("--implementations", arguments->implementations,
              "a list of implementations to ask for their tables (JSON), for a page that compares them");
  command
      .add("--history", arguments->history,
           "append what was found of each implementation to this file of JSON lines, and show their trends")
      .named("FILE");
  command
      .add("--label", arguments->label,
           "what the history calls the run: a commit, a date; default each implementation's own version")
      .named("WORD");
  command.add_flag("-q,--quiet", arguments->is_quiet, "no progress on standard error");
  return [arguments](std::ostream& out) { return run_report(*arguments, out); };
}

}  // namespace

Command report_command() {
  return {"report",
          "Write the accuracy report: recipes, formats and laws, as HTML pages",
          declare_report,
          {"vernier report -o report", "vernier report --quick --single-file quick.html"}};
}

}  // namespace vernier
