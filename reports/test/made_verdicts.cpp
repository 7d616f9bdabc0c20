// Writes a verdict a way for a run to end, with hostile texts in it, in every form, for the checks of these
// forms, and the history of a report's implementations.

#include "reports/test/made_verdicts.hpp"

#include <exception>
#include <iostream>
#include <limits>

#include "reports/implementations/comparison.hpp"
#include "reports/outputs/output.hpp"
#include "reports/words/file.hpp"

namespace {

/// Of a table that keeps its contract, one that breaks it, and one whose budget says nothing.
void write_history(const std::string& file) {
  std::vector<vernier::ComparedImplementation> judged(3);
  for (auto& one : judged) {
    one.name = one.found = one.encoding = vernier::hostile_text();
    one.spec = vernier::parse_json(R"({"scheme": "rope", "head_dim": 8})", file);
    one.result.emplace();
  }
  judged[1].result->failing = 1;
  judged[1].result->greatest_budget_ratio = std::numeric_limits<double>::infinity();
  judged[2].result->inconclusive = 1;
  vernier::write_file(file, "", std::cout);
  vernier::write_file(file, vernier::history_text(file, vernier::history_entries(judged, "")), std::cout);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    if (argc != 2) {
      std::cerr << "usage: " << *argv << " FOLDER\n";
      return 2;
    }
    const auto verdicts = vernier::verdicts_of_all_conclusions(vernier::hostile_text());
    for (std::size_t i = 0; i < verdicts.size(); ++i) {
      for (const auto& output : vernier::outputs()) {
        const auto file =
            std::string(argv[1]) + "/made-" + std::to_string(i) + "." + std::string(output.name);
        vernier::write_file(file, output.render(verdicts[i]), std::cout);
      }
    }
    write_history(std::string(argv[1]) + "/made-report.jsonl");
  } catch (const std::exception& error) {
    std::cerr << error.what() << "\n";
    return 2;
  }
}
