#include <ostream>
#include <string>

#include "reference/support/text_file.hpp"
#include "reports/command/command.hpp"
#include "reports/report/pages/pages.hpp"
#include "reports/words/file.hpp"

namespace vernier {
namespace {

constexpr auto how_to_survey =
    "A survey runs in Python, where the libraries are installed:\n"
    "  pip install vernier-*.whl    # the wheel of a release, or of make wheel\n"
    "  python3 -m vernier survey transformers --json survey.json --html survey.html\n"
    "It builds every positional encoding of the library and judges it by its own configuration.\n";

struct SurveyArguments {
  ArgumentParser& command;
  const std::string& file = command.given<std::string>("SURVEY");
  const std::string& html = command.given<std::string>("--html", std::string(standard_output));
};

int run_survey(const SurveyArguments& arguments, std::ostream& out) {
  if (arguments.file.empty()) {
    out << how_to_survey;
    return 0;
  }
  write_file(arguments.html, survey_page(read_text(arguments.file), arguments.file), out);
  return 0;
}

}  // namespace

Action declare_survey(ArgumentParser& command) {
  return declared(command, run_survey);
}

}  // namespace vernier
