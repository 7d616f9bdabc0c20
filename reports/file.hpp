#pragma once

#include <ostream>
#include <string>
#include <string_view>

namespace vernier {

/// The name that stands for standard output.
inline constexpr std::string_view standard_output = "-";

/// Writes `bytes` to the file of this name, whole or not at all: under a temporary name beside it, then
/// renamed. "-" is `out`. What is not a regular file (a terminal, a pipe) is written to as it is. \throws
/// InputError if that cannot be done
void write_file(const std::string& name, std::string_view bytes, std::ostream& out);

}  // namespace vernier
