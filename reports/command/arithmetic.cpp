// Which arithmetic predicts the stored bits of a case, or where two programs part.

#include "numerics/tensors/case_file.hpp"
#include "reference/support/refusal.hpp"
#include "reports/command/arithmetic_live.hpp"
#include "reports/command/command.hpp"
#include "reports/command/common_options.hpp"
#include "reports/words/arithmetic_words.hpp"
#include "reports/words/file.hpp"

namespace vernier {
namespace {

struct ArithmeticArguments {
  ArgumentParser& command;
  const Words& files = command.given<Words>("CASE");
  const AskedPrograms& programs = command.given(add_asked_programs);
  const bool& whole_context = command.given<bool>("--whole-context");
  const std::string& contract = command.given<std::string>("--contract");
  const std::string& json = command.given<std::string>("--json");
  const bool& verbose = command.given<bool>("--verbose");
};

int run_arithmetic(const ArithmeticArguments& arguments, std::ostream& out) {
  const auto pinned = arguments.contract.empty() ? std::vector<PinnedWay>() : pinned_ways(arguments.contract);
  auto bits = arguments.programs.live.is_asked() ? answers_of(arguments.programs) : std::vector<StoredBits>();
  for (const auto& file : arguments.files) {
    bits.push_back(stored_bits(read_case(file)));
  }
  refuse_if(bits.empty() || bits.size() > 2, "arithmetic: found {} cases and programs, expected one or two",
            bits.size());
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
  write_findings(arguments.json, arithmetic_value(report).dump(2) + "\n",
                 arithmetic_text(report, arguments.verbose), out);
  return report.exit_code();
}

}  // namespace

Action declare_arithmetic(ArgumentParser& command) {
  return declared(command, run_arithmetic);
}

}  // namespace vernier
