#pragma once

#include <string>
#include <vector>

#include "reference/readers/rotation_difference.hpp"

namespace vernier {

/// What a difference of rotations does to angles and scores, a clause each; none where there is none.
/// \param is_fault whether the first is right: "too large", else "as large"
std::vector<std::string> consequences_of(const RotationDifference& rotation, bool is_fault);

}  // namespace vernier
