#pragma once

#include <optional>
#include <vector>

#include "numerics/diagnosis/candidates.hpp"

namespace vernier {

/// Of each row, of which pairs the declared computation misses an element.
std::vector<std::vector<bool>> failing_pairs(const Suspect& suspect);

/// Tensors that several computations made, each in a region of its own: some rows, some pairs, or some pairs
/// of some rows. Elsewhere the declared computation holds. The regions and computations are those that take
/// least to say, the largest first; every element of a region is predicted by its computation, and nothing
/// is told where one is left.
/// \param candidates edits of the declared computation, which outlive this \param threads how many may work
/// \return nothing where no such parts are found
std::optional<Explanation> explained_by_regions(const Suspect& suspect,
                                                const std::vector<const Candidate*>& candidates,
                                                unsigned threads);

}  // namespace vernier
