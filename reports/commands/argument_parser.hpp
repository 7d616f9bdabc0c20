#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "reports/program_manual.hpp"

namespace CLI {  // NOLINT(readability-identifier-naming)
class App;
class Option;
}  // namespace CLI

// How commands declare their arguments. Only argument_parser.cpp and cli.cpp know CLI11, whose headers take
// longer to compile than most commands.

namespace vernier {

/// An argument that a command declared, and what more there is to say of it.
class Argument {
 public:
  /// \param description of the command, whose last argument this is
  Argument(CLI::Option& option, CommandDescription& description)
      : option_(&option), description_(&description), index_(description.arguments.size() - 1) {}

  Argument& required();
  /// The manual shows the value that stands where none is given.
  Argument& shows_default();
  /// \param group the heading in the manual
  Argument& in_group(const std::string& group);
  /// \param lowest, highest int, unsigned or double; ends included
  template <class Number>
  Argument& between(Number lowest, Number highest);
  /// Several values in one word.
  Argument& separated_by(char delimiter);
  /// Given several times, one value each.
  Argument& one_at_a_time();
  Argument& only_with(const Argument& other);
  /// \param value what stands for its value in the manual: "FILE", "A:B"
  Argument& named(const std::string& value);
  /// It is one of these; who wrote another is told the nearest. \param choices at least one
  Argument& chosen_from(std::vector<std::string> choices);
  /// What it usually is, for shells to complete.
  Argument& usually(std::function<std::vector<std::string>()> choices);

 private:
  ArgumentDescription& description() { return description_->arguments[index_]; }

  CLI::Option* option_;
  CommandDescription* description_;
  std::size_t index_;
};

/// The arguments of one command.
class ArgumentParser {
 public:
  /// \param description gets what is declared; both outlive this
  ArgumentParser(CLI::App& command, CommandDescription& description)
      : command_(&command), description_(&description) {}

  /// \param name "--dtype", "-o,--output", or "CASE" for a positional one \param value what is read goes
  /// there; must live until the command line is read
  template <class Value>
  Argument add(const std::string& name, Value& value, const std::string& description);
  /// One without a value: given or not.
  Argument add_flag(const std::string& name, bool& value, const std::string& description);

 private:
  Argument described(CLI::Option& option, const std::string& name, const std::string& description);

  CLI::App* command_;
  CommandDescription* description_;
};

}  // namespace vernier
