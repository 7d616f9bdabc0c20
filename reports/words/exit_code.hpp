#pragma once

#include <functional>
#include <ostream>
#include <string_view>

namespace vernier {

/// The exit code of bad input, and of whatever else keeps a program from its work.
inline constexpr int exit_code_of_bad_input = 2;

/// Does a program's work. \return its exit code; of what it throws, the code for that, and a sentence on
/// `err` that begins with the program's name
int exit_code_of(const std::function<int()>& work, std::string_view program, std::ostream& err);

}  // namespace vernier
