#pragma once

#include <ostream>

namespace vernier {

/// Runs the `vernier` command. \param out standard output \return the exit code
/// \throws InputError for a command line that is no command, or bad input to one
int run_command_line(int argument_count, const char* const* arguments, std::ostream& out);

/// Reads a command line and does nothing of what it asks. \throws InputError for one that is no command
void require_command_line(int argument_count, const char* const* arguments);

}  // namespace vernier
