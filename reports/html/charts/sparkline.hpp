#pragma once

#include <span>
#include <string>

namespace vernier {

/// Shares of a budget in the order of time as a small line, which is drawn without a script: from zero at the
/// bottom to twice the budget at the top, where greater ones and infinite ones lie too; the budget is a line
/// across. NaN, where a run has no share, interrupts the line. \param label what it shows, for who cannot see
/// it
std::string sparkline(std::span<const double> shares, const std::string& label);

}  // namespace vernier
