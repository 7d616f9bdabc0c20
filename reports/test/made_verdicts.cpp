// Writes a verdict a way for a run to end, with hostile texts in it, in every form, for the checks of these
// forms, and the history of a report's implementations.

#include "reports/test/made_verdicts.hpp"

#include <iostream>
#include <limits>

#include "reference/support/input_error.hpp"
#include "reports/implementations/comparison.hpp"
#include "reports/outputs/output.hpp"
#include "reports/words/file.hpp"
#include "reports/words/program_end.hpp"

namespace {

/// Of a table that keeps its contract, one that breaks it, and one whose budget says nothing.
void write_history(const std::string& file) {
  std::vector<vernier::ComparedImplementation> judged(3);
  for (auto& one : judged) {
    one.name = one.found = one.encoding = vernier::hostile_text();
    one.spec = {{"scheme", "rope"}, {"head_dim", 8}};
    one.result.emplace();
  }
  judged[1].result->failing = 1;
  judged[1].result->greatest_budget_ratio = std::numeric_limits<double>::infinity();
  judged[2].result->inconclusive = 1;
  vernier::write_file(file, "", std::cout);
  vernier::write_file(file, vernier::history_text(file, vernier::history_entries(judged, "")), std::cout);
}

void write_all(const std::string& folder) {
  const auto verdicts = vernier::verdicts_of_all_conclusions(vernier::hostile_text());
  for (std::size_t i = 0; i < verdicts.size(); ++i) {
    for (const auto& output : vernier::outputs()) {
      const auto file = folder + "/made-" + std::to_string(i) + "." + std::string(output.name);
      vernier::write_file(file, output.render(verdicts[i]), std::cout);
    }
  }
  write_history(folder + "/made-report.jsonl");
}

int run(int argument_count, char** arguments) {
  if (argument_count != 2) {
    throw vernier::InputError("usage: vernier_made_verdicts FOLDER");
  }
  write_all(arguments[1]);
  return 0;
}

}  // namespace

int main(int argument_count, char** arguments) {
  return vernier::exit_code_of([&] { return run(argument_count, arguments); }, "vernier_made_verdicts",
                               std::cerr);
}
