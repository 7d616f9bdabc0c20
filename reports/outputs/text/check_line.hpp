#pragma once

#include <string>

#include "reports/verdict.hpp"

namespace vernier {

/// What became of a check, in a line that has the worst element where there is one: "FAIL  accuracy/cos:
/// ...". It may be too long for a line.
std::string check_line(const Check& check);

}  // namespace vernier
