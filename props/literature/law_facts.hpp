#pragma once

#include <string_view>

#include "props/literature/facts.hpp"

namespace vernier {

/// Adds the fact that a law holds on the reference, over its random cases.
void add_law(Facts& facts, std::string_view law);

}  // namespace vernier
