// Which arithmetic predicts the stored bits of a case, or where two programs part.

#include <memory>

#include "numerics/tensors/case_file.hpp"
#include "reference/support/input_error.hpp"
#include "reports/command/command.hpp"
#include "reports/words/arithmetic_words.hpp"
#include "reports/words/file.hpp"

namespace vernier {
namespace {

struct ArithmeticArguments {
  std::vector<std::string> files;
  bool whole_context = false;
  std::string json;
  bool verbose = false;
};

int run_arithmetic(const ArithmeticArguments& arguments, std::ostream& out) {
  if (arguments.files.empty() || arguments.files.size() > 2) {
    throw InputError("arithmetic: found {} cases, expected one or two", arguments.files.size());
  }
  ArithmeticReport report{.files = arguments.files, .findings = {}};
  std::vector<StoredBits> bits;
  for (const auto& file : arguments.files) {
    bits.push_back(stored_bits(read_case(file)));
    report.findings.push_back(find_arithmetic(bits.back(), {arguments.whole_context}));
  }
  if (bits.size() == 2) {
    report.comparison = compared(bits.front(), report.findings.front(), bits.back(), report.findings.back());
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
  command.add("--whole-context", arguments->whole_context);
  command.add("--json", arguments->json);
  command.add("--verbose", arguments->verbose);
  return [arguments](std::ostream& out) { return run_arithmetic(*arguments, out); };
}

}  // namespace vernier
