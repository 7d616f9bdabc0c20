#pragma once

#include <string>

#include "numerics/diagnosis/computation/prediction.hpp"

namespace vernier {

/// Where the elements are that a computation fails to predict, by all rows: a sentence.
/// \param threads how many may work
std::string where_the_rest_lies(const Suspect& suspect, const Computation& computation, unsigned threads);

}  // namespace vernier
