#pragma once

#include <span>
#include <string>

#include "numerics/diagnosis/computation/prediction.hpp"

namespace vernier {

/// Where the elements are that a computation fails to predict, in pairs and positions of these rows: a
/// sentence.
std::string where_the_rest_lies(const Suspect& suspect, const Computation& computation,
                                std::span<const std::size_t> rows);

}  // namespace vernier
