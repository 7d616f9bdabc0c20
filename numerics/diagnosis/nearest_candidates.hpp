#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "numerics/diagnosis/computation/prediction.hpp"

namespace vernier {

/// So long is a single edit with a usual number.
inline constexpr double likely_bits = 20;

/// A computation with the edits that lead to it, and how the screen found it.
struct Candidate {
  std::vector<Finding> findings;
  double bits = 0;
  Computation computation;
  Prediction screen = {};
  Stage stage = Stage::mapping;  ///< of the last edit
  bool is_known = false;         ///< from other tensors

  bool has(Stage one) const {
    return std::ranges::any_of(findings, [=](const Finding& finding) { return finding.kind->stage == one; });
  }

  double failing_share() const {
    return screen.conclusive == 0
               ? 1
               : static_cast<double>(screen.failing) / static_cast<double>(screen.conclusive);
  }
};

/// The few computations beside which a second edit is measured, the nearest to the tensors first: those whose
/// points turn with the points that are seen, whatever their lengths and angles, and those that leave the
/// fewest elements failing. \param rows to compare \param singles the declared computation with one edit
/// each; they outlive the result
std::vector<const Candidate*> nearest_candidates(const Suspect& suspect, std::span<const std::size_t> rows,
                                                 const Candidate& declared,
                                                 std::span<const Candidate> singles);

}  // namespace vernier
