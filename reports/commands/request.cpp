#include <array>
#include <memory>

#include "numerics/implementations/asked_through.hpp"
#include "numerics/implementations/exchange.hpp"
#include "numerics/implementations/questions.hpp"
#include "numerics/implementations/rows.hpp"
#include "reference/input_error.hpp"
#include "reports/commands/command.hpp"
#include "reports/commands/dtype_option.hpp"
#include "reports/commands/own_files.hpp"
#include "reports/commands/questions_option.hpp"
#include "reports/commands/spec_option.hpp"
#include "reports/value_text.hpp"

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
  require_own_files(std::array{FileArgument{"--output", arguments.output}},
                    std::array{FileArgument{"--spec", arguments.spec.file}});
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
    throw InputError("{}: scheme: found \"{}\", expected a scheme of which tensors can be asked for",
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

Action declare_request(ArgumentParser& command) {
  const auto arguments = std::make_shared<RequestArguments>();
  add_spec_option(command, arguments->spec, "a spec file, or a model's config.json");
  command
      .add("--dtype", arguments->dtype,
           "the type to answer in: float64, float32, float16, bfloat16 or a float8 type; buckets are int64")
      .named("TYPE")
      .usually(stored_formats)
      .shows_default();
  command.add("--roles", arguments->roles, "only these tensors: cos,sin,rotated ...; default all")
      .named("ROLES")
      .separated_by(',');
  command
      .add("--positions", arguments->questions.positions,
           "A:B or A:B:STEP, B not included; numbers may be written 2^N; default the whole context, or "
           "a sample of it where files would be larger than 256 MiB")
      .named("A:B");
  add_questions_options(command, arguments->questions, "Options");
  command.add("-o,--output", arguments->output, "the file to write, .safetensors").named("FILE").required();
  return [arguments](std::ostream& out) { return run_request(*arguments, out); };
}

}  // namespace

Command request_command() {
  return {"request",
          "Write what to ask an implementation that runs elsewhere (vernier validate --response judges it)",
          declare_request,
          {"vernier request --model llama-2-7b-hf -o request.safetensors",
           "vernier request --spec config.json --dtype bfloat16 --positions 0:4096 -o request.safetensors"}};
}

}  // namespace vernier
