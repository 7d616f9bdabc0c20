#include "reports/report/report.hpp"

#include <limits>

#include "props/judging/check.hpp"
#include "reference/support/refusal.hpp"
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
  ArgumentParser& command;
  const std::string& folder = command.given<std::string>("--output");
  const std::string& single_file = command.given<std::string>("--single-file");
  const std::int64_t& positions = command.given<std::int64_t>("--positions", all_positions);
  const bool& is_quick = command.given<bool>("--quick");
  const std::string& implementations = command.given<std::string>("--implementations");
  const std::string& history = command.given<std::string>("--history");
  const std::string& label = command.given<std::string>("--label");
  const bool& is_quiet = command.given<bool>("--quiet");
};

std::int64_t positions_of(const ReportArguments& arguments) {
  // At position 0 all is exact: nothing could be drawn.
  refuse_if(arguments.positions < 2, "report: --positions: found {}, expected a number above 1",
            arguments.positions);
  refuse_if(arguments.is_quick && arguments.positions != all_positions,
            "report: found both --quick and --positions, expected one of them");
  return arguments.is_quick ? positions_of_a_quick_look : arguments.positions;
}

void require_usable_history(const ReportArguments& arguments) {
  refuse_if(!arguments.history.empty() && arguments.implementations.empty(),
            "report: found --history without --implementations, expected both: a history is of them");
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
  return declared(command, run_report);
}

}  // namespace vernier
