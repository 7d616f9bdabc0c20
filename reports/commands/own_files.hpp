#pragma once

#include <span>
#include <string>

namespace vernier {

/// A file that the command line names. Empty: none; "-": standard output.
struct FileArgument {
  std::string option;  ///< "--json"
  std::string name;
};

/// Makes sure that each output is a file of its own: neither another output, which it would replace, nor an
/// input. What is no regular file (a terminal, /dev/null) may be given twice. \throws InputError naming both
void require_own_files(std::span<const FileArgument> outputs, std::span<const FileArgument> inputs);

}  // namespace vernier
