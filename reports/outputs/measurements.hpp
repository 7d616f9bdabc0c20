#pragma once

#include <string>
#include <utility>
#include <vector>

#include "reports/verdict.hpp"

namespace vernier {

/// What a check measured, as names and values for a tool's key-value list: "worst used", "0.47". Numbers that
/// are not finite read "inf" and "nan".
std::vector<std::pair<std::string, std::string>> measurements(const Check& check);

}  // namespace vernier
