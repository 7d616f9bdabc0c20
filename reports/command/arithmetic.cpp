// Which arithmetic predicts the stored bits of a case, or where two programs part.

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "numerics/arithmetic/open_stages.hpp"
#include "numerics/arithmetic/stored_bits.hpp"
#include "numerics/asking/questions.hpp"
#include "numerics/processes/rows.hpp"
#include "numerics/tensors/case_file.hpp"
#include "reference/support/mapped.hpp"
#include "reference/support/refusal.hpp"
#include "reports/command/command.hpp"
#include "reports/command/common_options.hpp"
#include "reports/command/spec_option.hpp"
#include "reports/command/validate_options.hpp"
#include "reports/words/arithmetic_words.hpp"
#include "reports/words/file.hpp"
#include "reports/words/program_end.hpp"

namespace vernier {
namespace {

struct ArithmeticArguments {
  ArgumentParser& command;
  const Words& files = command.given<Words>("CASE");
  const SpecOption& spec = command.given(add_spec_option);  ///< of the programs, as what follows
  const ProgramsOption programs{command};
  const std::string& dtype = command.given<std::string>("--dtype");
  const std::string& positions = command.given<std::string>("--positions");
  const bool& whole_context = command.given<bool>("--whole-context");
  const std::string& contract = command.given<std::string>("--contract");
  const std::string& json = command.given<std::string>("--json");
  const bool& verbose = command.given<bool>("--verbose");
};

/// How many positions are asked for where none are given.
constexpr std::int64_t asked_by_default = 512;

/// The input with designed numbers in the dimensions that turn.
Tensor designed(const Tensor& input, const HeadRotation& rotation, const Tensor& positions) {
  std::vector<double> numbers(input.elements());
  input.numbers(0, numbers);
  const auto width = input.shape().back();
  std::uint64_t number = 0;
  for (std::size_t row = 0; row < numbers.size() / width; ++row) {
    const auto position = static_cast<double>(*positions.integer(row % positions.elements()));
    std::set<int> seen;
    for (const auto& first : rotation.rotated) {
      if (!seen.insert(first.pair).second) {
        continue;
      }
      const double phase = position * rotation.table.frequencies.approximate(first.pair);
      const auto made = designed_input(number++, *input.format(), *input.format(),
                                       {std::sin(phase), std::cos(phase)}, first.sign);
      numbers[row * width + first.own] = made.x0;
      numbers[row * width + first.other] = made.x1;
    }
  }
  return number_tensor(input.type(), input.shape(), numbers);
}

/// Asks one program everything, and makes a case of what it answers.
StoredBits answer_of(LiveImplementation& program, const std::string& name,
                     const ArithmeticArguments& arguments) {
  auto encoding = read_encoding("arithmetic", arguments.spec);
  auto questions = with_asked({}, arguments.positions, arguments.dtype);
  if (!questions.positions) {
    const auto last = last_probed_position(*encoding);
    const auto count = std::min(asked_by_default, last + 1);
    questions.positions = PositionRange{last % std::max<std::int64_t>(last / count, 1),
                                        std::max<std::int64_t>(last / count, 1), count};
  }
  CaseInput parts{
      .source = name, .name = name, .producer = program.description(), .tensors = {}, .contract = {}};
  std::string reason;
  for (const auto& question : questions_of(*encoding, questions)) {
    for (auto request : question.ways) {
      const auto* vectors = vector_role_named(request.wanted.front().role);
      if (vectors != nullptr) {
        request.input = designed(*request.input, *encoding->rotation(vectors->is_of_keys), request.positions);
      }
      auto response = program.ask(request);
      if (!response.is_answered()) {
        reason = response.reason;
        continue;
      }
      parts.tensors.insert_or_assign("positions", NamedTensor{name, request.positions});
      for (auto& [role, tensor] : response.tensors) {
        parts.tensors.insert_or_assign(role, NamedTensor{name, std::move(tensor)});
      }
      if (vectors != nullptr) {
        parts.tensors.insert_or_assign(std::string(vectors->input), NamedTensor{name, *request.input});
      }
      break;
    }
  }
  refuse_if(parts.tensors.empty(), "{}: found no answer ({}), expected tables or rotated vectors", name,
            reason);
  return stored_bits(assemble_case(parts, std::move(encoding)));
}

/// What each answered, by the program: tables and vectors at one set of positions, which reaches beyond 65504
/// where the context does. The vectors are the same for all, and made to tell rotations apart: one in three
/// nearly cancels, one in three is next to a tie.
/// \throws InputError for a program that answers neither
std::vector<StoredBits> answers_of(const ArithmeticArguments& arguments) {
  const auto programs = arguments.programs.given();
  refuse_if(programs.size() > 2, "arithmetic: found three programs to ask, expected one or two");
  return mapped(programs, [&](const GivenOption& program) {
    return answer_of(*make_implementation(program, stop_if_interrupted), program.second, arguments);
  });
}

int run_arithmetic(const ArithmeticArguments& arguments, std::ostream& out) {
  const auto pinned = arguments.contract.empty() ? no_arithmetic : pinned_ways(arguments.contract);
  auto bits = answers_of(arguments);
  for (const auto& file : arguments.files) {
    bits.push_back(stored_bits(read_case(file)));
  }
  refuse_if(bits.empty() || bits.size() > 2, "arithmetic: found {} cases and programs, expected one or two",
            bits.size());
  ArithmeticReport report;
  for (std::size_t i = 0; i < bits.size(); ++i) {
    const auto asked = bits.size() - arguments.files.size();
    report.files.push_back(i < asked ? bits[i].name : arguments.files[i - asked]);
    report.findings.push_back(find_arithmetic(bits[i], arguments.whole_context));
  }
  if (bits.size() == 2) {
    report.comparison = compared(bits.front(), report.findings.front(), bits.back(), report.findings.back());
  }
  report.contract = arguments.contract;
  for (const auto& one : pinned == no_arithmetic ? std::vector<StoredBits>() : bits) {
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
