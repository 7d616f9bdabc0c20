#include <memory>

#include "numerics/asking/asked_through.hpp"
#include "numerics/asking/questions.hpp"
#include "numerics/processes/exchange.hpp"
#include "numerics/processes/rows.hpp"
#include "reference/support/input_error.hpp"
#include "reports/command/command.hpp"
#include "reports/command/common_options.hpp"
#include "reports/command/spec_option.hpp"
#include "reports/words/value_text.hpp"

namespace vernier {
namespace {

struct RequestArguments {
  SpecOption spec;
  QuestionsOption questions;
  std::string dtype = "float32";
  std::vector<std::string> roles;
  std::string output;
};

int run_request(const RequestArguments& arguments, std::ostream& out) {
  const auto encoding = read_encoding("request", arguments.spec);
  auto options = read_questions_option(arguments.questions, arguments.dtype);
  options.roles = arguments.roles;
  options.by_hand = true;
  std::vector<Request> requests;
  PositionCoverage coverage;
  for (const auto& question : questions_of(*encoding, options)) {
    requests.push_back(question.ways.front());
    coverage = question.coverage();
  }
  if (requests.empty()) {
    throw InputError("{}: scheme: found \"{}\", expected a scheme whose tensors can be requested",
                     arguments.spec.source(), encoding->scheme());
  }
  const auto request = with_length(merged(requests), encoding->sequence_length());
  write_request(request, arguments.output);
  out << one_line(arguments.output) << ": asks for ";
  for (const auto& wanted : request.wanted) {
    out << (&wanted == request.wanted.data() ? "" : ", ") << wanted.role << " " << to_string(wanted.shape)
        << " " << traits(wanted.type).name;
  }
  out << " at " << counted(rows_of(request), "position", "positions");
  if (coverage.asked < coverage.of) {
    out << " of " << coverage.of << ", drawn by the seed " << options.seed;
  }
  out << "\n";
  return 0;
}

}  // namespace

Action declare_request(ArgumentParser& command) {
  const auto arguments = std::make_shared<RequestArguments>();
  add_spec_option(command, arguments->spec);
  command.add("--dtype", arguments->dtype);
  command.add("--roles", arguments->roles);
  command.add("--positions", arguments->questions.positions);
  add_questions_options(command, arguments->questions);
  command.add("--output", arguments->output);
  return [arguments](std::ostream& out) { return run_request(*arguments, out); };
}

}  // namespace vernier
