#pragma once

#include <string>

#include "reports/verdict/verdict.hpp"

namespace vernier {

/// "; 4096 rows, positions 0 to 4095". Of slopes alone there are no rows to tell.
std::string rows_text(const Verdict& verdict);

/// The text with every check, below its first line. \param verdict with visible texts
std::string full_text_below(const Verdict& verdict);

/// "cos (float32) by float32, sin (float32) by float32"
std::string contracts_text(const Verdict& verdict);

}  // namespace vernier
