#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "numerics/diagnosis/candidates.hpp"
#include "numerics/diagnosis/regions/misses.hpp"
#include "numerics/diagnosis/stages/stage_edits.hpp"

namespace vernier {

/// What is looked for in regions alone: positions that rows hold by the pairs that fail, other components,
/// the frequencies of the pairs beside, and zeros.
/// \param of_failing what these pairs show in the rows in which they fail
Proposals edits_of_regions(const Suspect& suspect, const Misses& misses, const Recovery& of_failing);

/// The edits of the base that show in the elements that fail.
using EditsOfFailing = std::function<std::vector<Candidate>(const Misses& misses)>;

/// Tensors that several computations made, each in a region of its own: some rows, some columns, or some
/// columns of some rows. Elsewhere `base` holds. The regions and computations are those that take least to
/// say, the largest first; every element of a region is predicted by its computation, and nothing is told
/// where one is left.
/// \param base whose computation misses are of \param candidates edits of it, which outlive this \param
/// edits of all that fails, and of parts of it \param threads how many may work
/// \return nothing where no such parts are found
std::optional<Explanation> explained_by_regions(const Suspect& suspect, const Candidate& base,
                                                const Misses& misses, std::span<const Candidate> candidates,
                                                const EditsOfFailing& edits, unsigned threads);

}  // namespace vernier
