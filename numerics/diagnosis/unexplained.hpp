#pragma once

#include <span>
#include <string>

#include "numerics/computation/prediction.hpp"

namespace vernier {

/// Where the elements are that a computation fails to predict, by all rows: a sentence.
/// \param threads how many may work
std::string where_the_rest_lies(const Suspect& suspect, const Computation& computation, unsigned threads);

/// What rows of sines and cosines hold that follow no rule: the positions of the first few, or else the
/// frequencies that pairs turn at; empty where neither can be read. \param frequencies that were recovered
std::string what_is_held(const Suspect& suspect, std::span<const RecoveredFrequency> frequencies);

}  // namespace vernier
