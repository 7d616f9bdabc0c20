#pragma once

#include <string>
#include <vector>

#include "numerics/implementations/child_process.hpp"
#include "numerics/implementations/response.hpp"

namespace vernier {

/// Where the first question finds nothing that can be run, the fault is of who wrote the command, and says
/// nothing of any implementation. \param words that were started, placeholders as they were written
/// \param output what was written \throws InputError if nothing was run that could answer
void require_runnable(const std::vector<std::string>& words, const ChildEnd& end, const std::string& output);

/// What a command says that ended without an answer: exit code 77 says that it does not do what it is asked,
/// all else is a crash.
Response failure_of(const ChildEnd& end, const std::string& output);

/// The clause, with what was written before. \param output third-party text
std::string with_output(std::string clause, const std::string& output);

}  // namespace vernier
