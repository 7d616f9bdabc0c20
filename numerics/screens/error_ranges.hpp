#pragma once

#include <vector>

namespace vernier {

/// The relative errors of the frequency that are left to each pair by what is known so far.
struct ErrorRanges {
  std::vector<double> least;  ///< one a pair, at most what the contract allows
  std::vector<double> greatest;
};

}  // namespace vernier
