#pragma once

#include <vector>

#include "props/broken/broken.hpp"

namespace vernier {

/// \name Every broken implementation: a new one is a row of broken_tables.cpp or broken_rotations.cpp
/// @{
std::vector<Broken> broken_tables();
std::vector<Broken> broken_rotations();
/// @}

}  // namespace vernier
