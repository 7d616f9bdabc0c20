#include "reports/command/cli.hpp"

#include <memory>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/core.h>

#include "reference/support/input_error.hpp"
#include "reference/support/refusal.hpp"
#include "reference/support/word_list.hpp"
#include "reports/command/command.hpp"
#include "reports/words/file.hpp"
#include "reports/words/nearest_names.hpp"
#include "reports/words/program_manual.hpp"
#include "reports/words/value_text.hpp"
#include "reports/words/version.hpp"

namespace vernier {
namespace {

std::string program_text(const char* key) {
  return command_texts().at(key);
}

struct DeclaredCommand {
  CLI::App* parser;
  Action action;
  CommandDescription description;
};

/// What stands below the options of a command.
std::string footer_of(const std::vector<std::string>& examples) {
  auto text = program_text("exit_codes") + (examples.size() == 1 ? "\n\nExample:" : "\n\nExamples:");
  for (const auto& example : examples) {
    text += "\n  " + example;
  }
  return text;
}

/// Declares every command with its arguments.
std::vector<std::unique_ptr<DeclaredCommand>> declare_all(CLI::App& app) {
  std::vector<std::unique_ptr<DeclaredCommand>> all;
  for (const auto& command : commands) {
    const std::string name(command.name);
    const auto& texts = command_texts().at("vernier").at(name);
    const std::string description = texts.at("description");
    const std::vector<std::string> examples = texts.at("examples");
    auto* parser = app.add_subcommand(name, description);
    parser->footer(footer_of(examples));
    auto& declared = *all.emplace_back(std::make_unique<DeclaredCommand>(
        parser, nullptr, CommandDescription{name, description, {}, examples}));
    ArgumentParser arguments(*parser, texts, declared.description);
    declared.action = [action = command.declare(arguments),
                       require_own_files = arguments.file_check()](std::ostream& out) {
      require_own_files();
      return action(out);
    };
    // Scripts pass it to every command. Help names it for those that show progress.
    if (parser->get_option_no_throw("--quiet") == nullptr) {
      parser->add_flag("-q,--quiet")->group("");
    }
  }
  return all;
}

/// Every word that may stand after a command, and that its help names.
std::vector<std::string> option_names(const CLI::App& command) {
  std::vector<std::string> names;
  for (const auto* option : command.get_options()) {
    if (option->get_group().empty()) {
      continue;
    }
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
[[noreturn]] void refuse_superfluous(const CLI::App& app) {
  const auto given = app.get_subcommands();
  if (given.empty()) {
    const auto word = app.remaining().front();
    throw InputError(
        "{} (see vernier --help)",
        not_among(word, word.starts_with('-') ? option_names(app) : names_of(commands, &Command::name)));
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
    refuse_if(argument.starts_with("--") && argument.find('=') == argument.size() - 1,
              "{}: found nothing, expected a value (see vernier --help)", one_line(argument));
  }
}

/// Reads a command line. \return what it asks for
Action parse(int argument_count, const char* const* arguments) {
  CLI::App app(program_text("description"), "vernier");
  app.set_version_flag("--version", "vernier " + build_description());
  app.footer(program_text("exit_codes"));
  app.require_subcommand(0, 1);
  const auto declared = declare_all(app);
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
    refuse_superfluous(app);
  } catch (const CLI::ParseError& error) {
    throw InputError("{} (see vernier --help)", error.what());
  }
  for (const auto& command : declared) {
    if (command->parser->parsed()) {
      return command->action;
    }
  }
  throw InputError("found no command, expected one of {} (see vernier --help)",
                   joined(commands, &Command::name));
}

}  // namespace

ProgramManual program_manual() {
  CLI::App app;
  ProgramManual manual{program_text("description"), program_text("exit_codes")};
  for (auto& declared : declare_all(app)) {
    manual.commands.push_back(std::move(declared->description));
  }
  return manual;
}

int run_command_line(int argument_count, const char* const* arguments, std::ostream& out) {
  const int exit_code = parse(argument_count, arguments)(out);
  require_written(out);
  return exit_code;
}

void require_command_line(int argument_count, const char* const* arguments) {
  parse(argument_count, arguments);
}

}  // namespace vernier
