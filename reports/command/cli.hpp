#pragma once

#include <ostream>
#include <span>

namespace vernier {

struct Command;

/// Runs the `vernier` command. \param out standard output \return the exit code
/// \throws InputError for a command line that is no command, or bad input to one
int run_command_line(int argument_count, const char* const* arguments, std::ostream& out);

/// The same with other commands than `vernier` has.
int run_command_line(int argument_count, const char* const* arguments, std::ostream& out,
                     std::span<const Command> offered);

/// Reads a command line and does nothing of what it asks. \throws InputError for one that is no command
void require_command_line(int argument_count, const char* const* arguments);

}  // namespace vernier
