#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "numerics/diagnosis/candidates.hpp"
#include "numerics/diagnosis/stages/stage_edits.hpp"

namespace vernier {

/// What the declared computation misses every element by.
class Misses {
 public:
  struct Miss {
    double error = -1;   ///< absolute; negative of an element that it predicts
    double allowed = 0;  ///< its budget
  };

  /// Looks at every element.
  explicit Misses(const Suspect& suspect);

  const Miss& of(const PredictedElement& one) const { return all_[one.row * pairs_.size() + column(one)]; }
  /// The pair that the declared computation makes of an element, whatever another makes of it.
  std::size_t pair(const PredictedElement& one) const { return pairs_[column(one)]; }
  /// Whether it misses an element of the pair. \param pair that many as there are: the elements without one
  bool fails(std::size_t row, std::size_t pair) const { return fails_[row * width_ + pair]; }
  /// Of pairs, and one for what has none.
  std::size_t width() const { return width_; }

 private:
  std::size_t column(const PredictedElement& one) const { return first_columns_[one.tensor] + one.column; }

  std::size_t width_;
  std::vector<std::size_t> first_columns_;  ///< of all tensors, a tensor
  std::vector<std::size_t> pairs_;          ///< one a column of all tensors
  std::vector<Miss> all_;
  std::vector<bool> fails_;
};

/// What is looked for in regions alone: positions that rows hold by the pairs that fail, and zeros.
/// \param of_failing what these pairs show in the rows in which they fail
Proposals edits_of_regions(const Suspect& suspect, const Misses& misses, const Recovery& of_failing);

/// Tensors that several computations made, each in a region of its own: some rows, some pairs, or some pairs
/// of some rows. Elsewhere the declared computation holds. The regions and computations are those that take
/// least to say, the largest first; every element of a region is predicted by its computation, and nothing
/// is told where one is left.
/// \param candidates edits of the declared computation, which outlive this \param threads how many may work
/// \return nothing where no such parts are found
std::optional<Explanation> explained_by_regions(const Suspect& suspect, const Misses& misses,
                                                const std::vector<const Candidate*>& candidates,
                                                unsigned threads);

}  // namespace vernier
