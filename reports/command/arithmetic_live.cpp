#include "reports/command/arithmetic_live.hpp"

#include <algorithm>
#include <set>

#include "numerics/arithmetic/open_stages.hpp"
#include "numerics/asking/questions.hpp"
#include "reference/support/input_error.hpp"
#include "reports/command/validate_options.hpp"
#include "reports/words/interrupt.hpp"

namespace vernier {
namespace {

/// How many positions are asked for where none are given.
constexpr std::int64_t asked_by_default = 512;

Tensor tensor_of_numbers(ElementType type, const Shape& shape, const std::vector<double>& numbers) {
  const auto width = traits(type).bytes;
  std::vector<std::byte> bytes;
  bytes.reserve(numbers.size() * width);
  for (const double number : numbers) {
    auto bits = encode_bits(*traits(type).format, number);
    for (std::size_t i = 0; i < width; ++i, bits >>= 8) {
      bytes.push_back(static_cast<std::byte>(bits & 0xff));
    }
  }
  return {type, shape, std::move(bytes)};
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
  return tensor_of_numbers(input.type(), input.shape(), numbers);
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
  if (parts.tensors.empty()) {
    throw InputError("{}: found no answer ({}), expected tables or rotated vectors", name, reason);
  }
  return stored_bits(assemble_case(parts, std::move(encoding)));
}

}  // namespace

void add_asked_programs(ArgumentParser& command, AskedPrograms& option) {
  add_spec_option(command, option.spec);
  command.add("--plugin", option.plugin);
  command.add("--exec", option.command);
  command.add("--serve", option.server);
  command.add("--dtype", option.dtype);
  command.add("--positions", option.positions);
}

std::vector<StoredBits> answers_of(const AskedPrograms& option) {
  std::vector<std::pair<std::string, LiveOption>> programs;
  const auto add = [&](const std::string& text, std::string LiveOption::*member) {
    if (!text.empty()) {
      programs.emplace_back(text, LiveOption());
      programs.back().second.*member = text;
    }
  };
  add(option.plugin, &LiveOption::plugin);
  add(option.command, &LiveOption::command);
  add(option.server, &LiveOption::server);
  if (programs.size() > 2) {
    throw InputError("arithmetic: found three programs to ask, expected one or two");
  }
  std::vector<StoredBits> result;
  for (const auto& [name, live] : programs) {
    const auto program = make_implementation(live, stop_if_interrupted);
    result.push_back(answer_of(*program, name, option));
  }
  return result;
}

}  // namespace vernier
