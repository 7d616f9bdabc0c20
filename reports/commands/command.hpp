#pragma once

#include <functional>
#include <ostream>
#include <span>
#include <string_view>

#include "reports/commands/argument_parser.hpp"

namespace vernier {

/// Does what a command line asked for. \param out standard output \return the exit code
using Action = std::function<int(std::ostream& out)>;

/// A subcommand of `vernier`.
struct Command {
  std::string_view name;
  std::string_view description;
  /// Declares the arguments; the action, which is called once they are read, owns them.
  Action (*declare)(ArgumentParser& command);
};

/// All commands, in the order of the manual. A new one is one file here and one line in command_registry.cpp.
std::span<const Command> commands();

Command report_command();    // report.cpp
Command validate_command();  // validate.cpp
Command request_command();   // request.cpp
Command table_command();     // table.cpp
Command sweep_command();     // sweep.cpp
Command spec_command();      // spec.cpp
Command list_command();      // list.cpp
Command explain_command();   // explain.cpp

}  // namespace vernier
