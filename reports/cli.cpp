#include "reports/cli.hpp"

#include <span>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>

#include "reference/input_error.hpp"
#include "reference/word_list.hpp"
#include "reports/commands/command.hpp"
#include "reports/file.hpp"
#include "reports/value_text.hpp"
#include "reports/version.hpp"

namespace vernier {
namespace {

constexpr auto exit_codes =
    "Exit codes: 0 conforms, 1 does not conform, 2 usage or bad input, 3 the implementation crashed or timed "
    "out,\n"
    "4 nothing checked or inconclusive, 5 stale or expired waiver, 130 interrupted.";

struct Declared {
  CLI::App* parser;
  Action action;
};

/// CLI11 takes the next word for the value of "--json=", which may be a file to be judged.
void require_values(std::span<const char* const> arguments) {
  for (const std::string_view argument : arguments) {
    if (argument == "--") {
      return;
    }
    if (argument.starts_with("--") && argument.find('=') == argument.size() - 1) {
      throw InputError("{}: found nothing, expected a value (see vernier --help)", one_line(argument));
    }
  }
}

int parse_and_run(int argument_count, const char* const* arguments, std::ostream& out) {
  CLI::App app("Verifies the positional encodings of Transformers against certified truth.", "vernier");
  app.set_version_flag("--version", "vernier " + std::string(version()));
  app.footer(exit_codes);
  app.require_subcommand(0, 1);
  std::vector<Declared> declared;
  for (const auto& command : commands()) {
    auto* parser = app.add_subcommand(std::string(command.name), std::string(command.description));
    parser->footer(exit_codes);
    ArgumentParser arguments_of_command(*parser);
    declared.push_back({parser, command.declare(arguments_of_command)});
  }
  require_values({arguments, static_cast<std::size_t>(argument_count)});
  try {
    app.parse(argument_count, arguments);
  } catch (const CLI::Success& asked) {
    // --help and --version: CLI11 reports them as exceptions, and knows what to print.
    return app.exit(asked, out, out);
  } catch (const CLI::ParseError& error) {
    throw InputError("{} (see vernier --help)", error.what());
  }
  for (const auto& [parser, action] : declared) {
    if (parser->parsed()) {
      return action(out);
    }
  }
  throw InputError("found no command, expected one of {} (see vernier --help)",
                   joined(commands(), &Command::name));
}

}  // namespace

int run_command_line(int argument_count, const char* const* arguments, std::ostream& out) {
  const int exit_code = parse_and_run(argument_count, arguments, out);
  require_written(out);
  return exit_code;
}

}  // namespace vernier
