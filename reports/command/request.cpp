
#include "numerics/asking/asked_through.hpp"
#include "numerics/asking/questions.hpp"
#include "numerics/processes/exchange.hpp"
#include "numerics/processes/rows.hpp"
#include "reference/support/refusal.hpp"
#include "reports/command/command.hpp"
#include "reports/command/common_options.hpp"
#include "reports/command/spec_option.hpp"
#include "reports/words/value_text.hpp"

namespace vernier {
namespace {

struct RequestArguments {
  ArgumentParser& command;
  const SpecOption& spec = command.given(add_spec_option);
  const std::string& dtype = command.given<std::string>("--dtype", "float32");
  const Words& roles = command.given<Words>("--roles");
  const std::string& positions = command.given<std::string>("--positions");
  const std::uint64_t& seed = command.given<std::uint64_t>("--seed", fresh_seed());
  const bool& quick = command.given<bool>("--quick");
  const std::string& output = command.given<std::string>("--output");
};

int run_request(const RequestArguments& arguments, std::ostream& out) {
  const auto encoding = read_encoding("request", arguments.spec);
  const auto options = with_asked(
      {.seed = arguments.seed, .roles = arguments.roles, .quick = arguments.quick, .by_hand = true},
      arguments.positions, arguments.dtype);
  std::vector<Request> requests;
  PositionCoverage coverage;
  for (const auto& question : questions_of(*encoding, options)) {
    requests.push_back(question.ways.front());
    coverage = question.coverage();
  }
  refuse_if(requests.empty(), "{}: scheme: found \"{}\", expected a scheme whose tensors can be requested",
            arguments.spec.source(), encoding->scheme());
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
  return declared(command, run_request);
}

}  // namespace vernier
