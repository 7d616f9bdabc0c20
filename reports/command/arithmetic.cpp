// Which arithmetic predicts the stored bits of a case, or where two programs part.

#include <memory>

#include "numerics/tensors/case_file.hpp"
#include "reference/support/input_error.hpp"
#include "reports/command/arithmetic_live.hpp"
#include "reports/command/command.hpp"
#include "reports/words/arithmetic_words.hpp"
#include "reports/words/file.hpp"

namespace vernier {
namespace {

struct ArithmeticArguments {
  std::vector<std::string> files;
  AskedPrograms programs;
  bool whole_context = false;
  std::string contract;
  std::string json;
  bool verbose = false;
};

int run_arithmetic(const ArithmeticArguments& arguments, std::ostream& out) {
  const auto pinned = arguments.contract.empty() ? std::vector<PinnedWay>() : pinned_ways(arguments.contract);
  auto bits = arguments.programs.given() ? answers_of(arguments.programs) : std::vector<StoredBits>();
  for (const auto& file : arguments.files) {
    bits.push_back(stored_bits(read_case(file)));
  }
  if (bits.empty() || bits.size() > 2) {
    throw InputError("arithmetic: found {} cases and programs, expected one or two", bits.size());
  }
  ArithmeticReport report;
  for (std::size_t i = 0; i < bits.size(); ++i) {
    const auto asked = bits.size() - arguments.files.size();
    report.files.push_back(i < asked ? bits[i].name : arguments.files[i - asked]);
    report.findings.push_back(find_arithmetic(bits[i], {arguments.whole_context}));
  }
  if (bits.size() == 2) {
    report.comparison = compared(bits.front(), report.findings.front(), bits.back(), report.findings.back());
  }
  report.contract = arguments.contract;
  for (const auto& one : pinned.empty() ? std::vector<StoredBits>() : bits) {
    report.pinned.push_back(judge_pinned(one, pinned));
  }
  if (!arguments.json.empty()) {
    write_file(arguments.json, arithmetic_value(report).dump(2) + "\n", out);
  }
  if (arguments.json != standard_output) {
    out << arithmetic_text(report, arguments.verbose);
  }
  return report.exit_code();
}

}  // namespace

Action declare_arithmetic(ArgumentParser& command) {
  const auto arguments = std::make_shared<ArithmeticArguments>();
  command.add("CASE", arguments->files);
  add_asked_programs(command, arguments->programs);
  command.add("--whole-context", arguments->whole_context);
  command.add("--contract", arguments->contract);
  command.add("--json", arguments->json);
  command.add("--verbose", arguments->verbose);
  return [arguments](std::ostream& out) { return run_arithmetic(*arguments, out); };
}

}  // namespace vernier
