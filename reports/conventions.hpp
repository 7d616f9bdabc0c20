#pragma once

#include <vector>

#include "numerics/cases/case.hpp"
#include "reports/verdict.hpp"

namespace vernier {

/// What the tables and rotated vectors of a case show of the choices that implementations make differently:
/// layout, order and sense of the components, direction, amplitude, first position, base, the format of the
/// frequencies. Found from the tensors alone, as far as they tell; what they do not tell is left out.
std::vector<Convention> conventions_of(const Case& subject);

}  // namespace vernier
