#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "numerics/diagnosis/candidates.hpp"
#include "numerics/diagnosis/regions/misses.hpp"
#include "numerics/diagnosis/stages/stage_edits.hpp"

namespace vernier {

/// What is looked for in regions alone: positions that rows hold by the pairs that fail, other components,
/// the frequencies of the pairs beside, and zeros.
/// \param of_failing what these pairs show in the rows in which they fail
Proposals edits_of_regions(const Suspect& suspect, const Misses& misses, const Recovery& of_failing);

/// What regions explain.
struct RegionAccount {
  /// Nothing where elements are left.
  std::optional<Explanation> explanation = std::nullopt;
  /// The elements that no part has, of all that fail; none where nothing was found.
  std::vector<bool> left = {};
};

/// Tensors that several computations made, each in a region of its own: some rows, some columns, or some
/// columns of some rows. Elsewhere `base` holds. The regions and computations are those that take least to
/// say, the largest first; every element of a region is predicted by its computation.
/// \param base whose computation misses are of \param candidates edits of it, which outlive this \param
/// threads how many may work
RegionAccount explained_by_regions(const Suspect& suspect, const Candidate& base, const Misses& misses,
                                   const std::vector<const Candidate*>& candidates, unsigned threads);

}  // namespace vernier
