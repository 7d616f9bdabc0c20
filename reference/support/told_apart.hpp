#pragma once

#include <string>
#include <utility>

namespace vernier {

/// Two numbers with as many significant digits as tell them apart, if any do, and no fewer than `digits`:
/// {"0.25", "0.5"}, {"1", "1.00000004"}.
std::pair<std::string, std::string> told_apart(double a, double b, int digits);

/// "0.25, not 0.5", told apart.
std::string one_not_other(double found, double meant, int digits);

}  // namespace vernier
