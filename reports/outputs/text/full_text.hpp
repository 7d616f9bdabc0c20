#pragma once

#include <string>

#include "reports/verdict/verdict.hpp"

namespace vernier {

/// The text with every check, below its first line. \param verdict with visible texts
std::string full_text_below(const Verdict& verdict);

}  // namespace vernier
