#include "reports/cli.hpp"

#include <memory>
#include <span>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/core.h>

#include "reference/input_error.hpp"
#include "reference/word_list.hpp"
#include "reports/commands/command.hpp"
#include "reports/file.hpp"
#include "reports/nearest_names.hpp"
#include "reports/program_manual.hpp"
#include "reports/value_text.hpp"
#include "reports/version.hpp"

namespace vernier {
namespace {

constexpr auto program_description =
    "Verifies the positional encodings of Transformers against certified truth.";
constexpr auto exit_codes =
    "Exit codes: 0 conforms (compare: nothing got worse), 1 does not conform (compare: something got "
    "worse),\n"
    "2 usage or bad input, 3 the implementation crashed or timed out, 4 nothing checked or inconclusive,\n"
    "5 stale or expired waiver, 75 interrupted with the work saved, 130 interrupted.";

struct Declared {
  CLI::App* parser;
  Action action;
  CommandDescription description;
};

/// What stands below the options of a command.
std::string footer_of(const Command& command) {
  std::string text =
      std::string(exit_codes) + (command.examples.size() == 1 ? "\n\nExample:" : "\n\nExamples:");
  for (const auto& example : command.examples) {
    text += "\n  " + example;
  }
  return text;
}

/// Declares every command with its arguments.
std::vector<std::unique_ptr<Declared>> declare_all(CLI::App& app, std::span<const Command> offered) {
  std::vector<std::unique_ptr<Declared>> all;
  for (const auto& command : offered) {
    const std::string name(command.name);
    const std::string description(command.description);
    auto* parser = app.add_subcommand(name, description);
    parser->footer(footer_of(command));
    auto& declared = *all.emplace_back(std::make_unique<Declared>(
        parser, nullptr, CommandDescription{name, description, {}, command.examples}));
    ArgumentParser arguments(*parser, declared.description);
    declared.action = command.declare(arguments);
  }
  return all;
}

/// Every word that may stand after a command.
std::vector<std::string> option_names(const CLI::App& command) {
  std::vector<std::string> names;
  for (const auto* option : command.get_options()) {
    for (const auto& name : option->get_lnames()) {
      names.push_back("--" + name);
    }
    for (const auto& name : option->get_snames()) {
      names.push_back("-" + name);
    }
  }
  return names;
}

/// What was not expected, and what was most likely meant.
[[noreturn]] void refuse_superfluous(const CLI::App& app, std::span<const Command> offered) {
  const auto given = app.get_subcommands();
  if (given.empty()) {
    throw InputError("{} (see vernier --help)",
                     not_among(app.remaining().front(), names_of(offered, &Command::name)));
  }
  const auto& command = *given.front();
  const auto word = app.remaining(true).front();
  throw InputError("{}: {} (see vernier {} --help)", command.get_name(),
                   word.starts_with('-') && word.size() > 1
                       ? not_among(word.substr(0, word.find('=')), option_names(command))
                       : fmt::format("found \"{}\", expected nothing more", one_line(word)),
                   command.get_name());
}

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

/// Reads a command line. \return what it asks for
Action parse(int argument_count, const char* const* arguments, std::span<const Command> offered) {
  CLI::App app(program_description, "vernier");
  app.set_version_flag("--version", "vernier " + build_description());
  app.footer(exit_codes);
  app.require_subcommand(0, 1);
  const auto declared = declare_all(app, offered);
  require_values({arguments, static_cast<std::size_t>(argument_count)});
  try {
    app.parse(argument_count, arguments);
  } catch (const CLI::Success& asked) {
    // --help and --version: CLI11 reports them as exceptions, and knows what to print.
    std::ostringstream text;
    const int exit_code = app.exit(asked, text, text);
    return [text = text.str(), exit_code](std::ostream& out) {
      out << text;
      return exit_code;
    };
  } catch (const CLI::ExtrasError&) {
    refuse_superfluous(app, offered);
  } catch (const CLI::ParseError& error) {
    throw InputError("{} (see vernier --help)", error.what());
  }
  for (const auto& command : declared) {
    if (command->parser->parsed()) {
      return command->action;
    }
  }
  throw InputError("found no command, expected one of {} (see vernier --help)",
                   joined(offered, &Command::name));
}

}  // namespace

ProgramManual program_manual() {
  CLI::App app(program_description, "vernier");
  ProgramManual manual{program_description, exit_codes};
  for (auto& declared : declare_all(app, commands())) {
    manual.commands.push_back(std::move(declared->description));
  }
  return manual;
}

int run_command_line(int argument_count, const char* const* arguments, std::ostream& out) {
  return run_command_line(argument_count, arguments, out, commands());
}

int run_command_line(int argument_count, const char* const* arguments, std::ostream& out,
                     std::span<const Command> offered) {
  const int exit_code = parse(argument_count, arguments, offered)(out);
  require_written(out);
  return exit_code;
}

void require_command_line(int argument_count, const char* const* arguments) {
  parse(argument_count, arguments, commands());
}

}  // namespace vernier
