#pragma once

#include <functional>
#include <ostream>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reference/registry.hpp"
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
  /// One to three command lines to begin with, as a shell reads them.
  std::vector<std::string> examples;
};

/// All commands, as listed below.
std::span<const Command> commands();

/// Every command, in the order of the manual. A new one is a file here, which defines its function, and a
/// line here.
// clang-format off
VERNIER_REGISTRY(command_makers, Command,
    init_command,
    report_command,
    validate_command,
    certify_command,
    compare_command,
    request_command,
    value_command,
    table_command,
    vectors_command,
    sweep_command,
    merge_command,
    atlas_command,
    tolerance_command,
    spec_command,
    list_command,
    explain_command,
    completion_command,
    man_command);
// clang-format on

}  // namespace vernier
