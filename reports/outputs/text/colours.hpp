#pragma once

#include <string>

#include "reports/verdict/verdict.hpp"

namespace vernier {

/// Whether a text has colours where it goes. \param no_color, term what the environment says under NO_COLOR
/// (https://no-color.org) and TERM; null where it says nothing
bool has_colours(bool is_terminal, const char* no_color, const char* term);

/// The same of this process's standard output.
bool has_colours_on_standard_output();

/// The text of a verdict with the words of its outcome and of the statuses of checks coloured for a terminal:
/// green what conforms, red what does not, yellow what is not decided or waived.
std::string coloured(const std::string& text, const Verdict& verdict);

/// The text of a comparison with the words of changes coloured: green what got better, red what got worse,
/// yellow what is new or gone.
std::string coloured_changes(const std::string& text);

}  // namespace vernier
