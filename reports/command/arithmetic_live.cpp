#include "reports/command/arithmetic_live.hpp"

#include <algorithm>
#include <set>

#include "numerics/arithmetic/open_stages.hpp"
#include "numerics/asking/questions.hpp"
#include "numerics/processes/rows.hpp"
#include "reference/support/refusal.hpp"
#include "reports/words/interrupt.hpp"

namespace vernier {
namespace {

/// How many positions are asked for where none are given.
constexpr std::int64_t asked_by_default = 512;

/// The rotation of a question's vectors.
const HeadRotation* rotation_of(const std::vector<HeadRotation>& all, const Request& request) {
  const auto found = std::ranges::find_if(all, [&](const HeadRotation& one) {
    return std::ranges::any_of(request.wanted,
                               [&](const WantedTensor& wanted) { return wanted.role == one.role(); });
  });
  return found == all.end() ? nullptr : &*found;
}

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
StoredBits answer_of(LiveImplementation& program, const std::string& name, const AskedPrograms& option) {
  auto encoding = read_encoding("arithmetic", option.spec);
  QuestionsOption wanted{.positions = option.positions, .seed = 1};
  auto questions = read_questions_option(wanted, option.dtype);
  if (!questions.positions) {
    const auto last = last_probed_position(*encoding);
    const auto count = std::min(asked_by_default, last + 1);
    questions.positions = PositionRange{last % std::max<std::int64_t>(last / count, 1),
                                        std::max<std::int64_t>(last / count, 1), count};
  }
  const auto rotations = encoding->all<HeadRotation>();
  CaseInput parts{
      .source = name, .name = name, .producer = program.description(), .tensors = {}, .contract = {}};
  std::string reason;
  for (const auto& question : questions_of(*encoding, questions)) {
    for (auto request : question.ways) {
      const auto* rotation = rotation_of(rotations, request);
      if (request.input && rotation != nullptr) {
        request.input = designed(*request.input, *rotation, request.positions);
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
      if (request.input && rotation != nullptr) {
        parts.tensors.insert_or_assign(std::string(rotation->vectors().input),
                                       NamedTensor{name, *request.input});
      }
      break;
    }
  }
  refuse_if(parts.tensors.empty(), "{}: found no answer ({}), expected tables or rotated vectors", name,
            reason);
  return stored_bits(assemble_case(parts, std::move(encoding)));
}

}  // namespace

void add_asked_programs(ArgumentParser& command, AskedPrograms& option) {
  add_spec_option(command, option.spec);
  command.add("--plugin", option.live.plugin);
  command.add("--exec", option.live.command);
  command.add("--serve", option.live.server);
  command.add("--dtype", option.dtype);
  command.add("--positions", option.positions);
}

std::vector<StoredBits> answers_of(const AskedPrograms& option) {
  std::vector<std::pair<std::string, LiveOption>> programs;
  for (const auto member : {&LiveOption::plugin, &LiveOption::command, &LiveOption::server}) {
    if (const auto& text = option.live.*member; !text.empty()) {
      programs.emplace_back(text, LiveOption()).second.*member = text;
    }
  }
  refuse_if(programs.size() > 2, "arithmetic: found three programs to ask, expected one or two");
  std::vector<StoredBits> result;
  for (const auto& [name, live] : programs) {
    const auto program = make_implementation(live, stop_if_interrupted);
    result.push_back(answer_of(*program, name, option));
  }
  return result;
}

}  // namespace vernier
