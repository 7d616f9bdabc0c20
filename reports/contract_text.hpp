#pragma once

#include <string>

#include "numerics/contracts/contract.hpp"

namespace vernier {

/// What a contract means, its budget and, where it is that of computing in one format, what it lets pass by
/// design: several lines, for whoever wonders why a base that is hardly off conforms.
std::string contract_text(const Contract& contract);

}  // namespace vernier
