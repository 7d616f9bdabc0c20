#include "reports/report/report.hpp"

#include <limits>
#include <memory>

#include "props/judging/check.hpp"
#include "reference/support/input_error.hpp"
#include "reference/support/threads.hpp"
#include "reports/command/command.hpp"
#include "reports/words/progress.hpp"
#include "reports/words/value_text.hpp"

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
  if (!arguments.history.empty() && arguments.implementations.empty()) {
    throw InputError(
        "report: found --history without --implementations, expected both: a history is of them");
  }
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

}  // namespace

Action declare_report(ArgumentParser& command) {
  const auto arguments = std::make_shared<ReportArguments>();
  command.add("--output", arguments->folder);
  command.add("--single-file", arguments->single_file);
  command.add("--positions", arguments->positions);
  command.add("--quick", arguments->is_quick);
  command.add("--implementations", arguments->implementations);
  command.add("--history", arguments->history);
  command.add("--label", arguments->label);
  command.add("--quiet", arguments->is_quiet);
  return [arguments](std::ostream& out) { return run_report(*arguments, out); };
}

}  // namespace vernier
