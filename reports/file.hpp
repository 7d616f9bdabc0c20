#pragma once

#include <ostream>
#include <string>
#include <string_view>

namespace vernier {

/// The name that stands for standard output.
inline constexpr std::string_view standard_output = "-";

/// Writes `bytes` to the file of this name, whole or not at all (see UnfinishedFile). "-" is `out`. What is
/// not a regular file (a terminal, a pipe) is written to as it is. \throws InputError if that cannot be done
void write_file(const std::string& name, std::string_view bytes, std::ostream& out);

/// Sends on all that was written to standard output. \throws InputError if any of it was lost, as on a full
/// disk
void require_written(std::ostream& out);

}  // namespace vernier
