#include "reports/report.hpp"

#include <algorithm>
#include <memory>
#include <thread>

#include "props/check.hpp"
#include "reference/input_error.hpp"
#include "reports/commands/command.hpp"
#include "reports/progress.hpp"
#include "reports/value_text.hpp"

namespace vernier {
namespace {

constexpr int success = 0;

Action declare_report(ArgumentParser& command) {
  const auto options = std::make_shared<ReportOptions>();
  const auto positions = std::make_shared<std::int64_t>(0);
  const auto is_quiet = std::make_shared<bool>(false);
  options->directory = "report";
  command.add("-o,--output", options->directory, "the folder to write the pages to")
      .named("FOLDER")
      .shows_default();
  command.add(
      "--positions", *positions,
      "audit only this many positions of each table and draw fewer implementations, for a quick look; the "
      "report says so");
  command.add("--implementations", options->implementations,
              "a list of implementations to ask for their tables (JSON), for a page that compares them");
  command.add_flag("-q,--quiet", *is_quiet, "no progress on standard error");
  return [=](std::ostream& out) {
    if (*positions < 0) {
      throw InputError("report: --positions: found {}, expected a number above 0", *positions);
    }
    if (*positions > 0) {
      options->positions = *positions;
    }
    options->threads = std::max(1U, std::thread::hardware_concurrency());
    options->laws = options_from_environment();
    {
      Progress progress(progress_place(*is_quiet));
      options->progress = progress.listener();
      write_report(*options);
    }
    out << one_line((options->directory / "index.html").string()) << "\n";
    return success;
  };
}

}  // namespace

Command report_command() {
  return {"report",
          "Write the accuracy report: recipes, formats and laws, as HTML pages",
          declare_report,
          {"vernier report -o report", "vernier report -o quick --positions 500"}};
}

}  // namespace vernier
