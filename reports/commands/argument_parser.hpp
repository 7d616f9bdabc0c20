#pragma once

#include <string>

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
  explicit Argument(CLI::Option& option) : option_(&option) {}

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

 private:
  CLI::Option* option_;
};

/// The arguments of one command.
class ArgumentParser {
 public:
  explicit ArgumentParser(CLI::App& command) : command_(&command) {}

  /// \param name "--dtype", "-o,--output", or "CASE" for a positional one \param value what is read goes
  /// there; must live until the command line is read
  template <class Value>
  Argument add(const std::string& name, Value& value, const std::string& description);
  /// One without a value: given or not.
  Argument add_flag(const std::string& name, bool& value, const std::string& description);

 private:
  CLI::App* command_;
};

}  // namespace vernier
