#pragma once

#include <optional>
#include <string>

#include "reference/numbers/real.hpp"

namespace vernier {

/// `number` rounded to `places` decimal places, proved as in correctly_rounded: "0.84147098480789650665".
/// Nothing if undecided at the precision cap. \param places in [0, 1000]
std::optional<std::string> correctly_rounded_decimal(const Real& number, int places);

}  // namespace vernier
