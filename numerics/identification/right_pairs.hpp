#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "numerics/audit/audit_report.hpp"
#include "numerics/identification/trigonometry_audit.hpp"

namespace vernier {

/// The pairs of a tensor of which its audit says already, of some rows, that every element is the sine or
/// cosine of its own phase, and that none is the worst such element of the tensor.
///
/// For a pair in a band of positions, let g be the greatest error that its audit has found, e the most that a
/// phase is off from the true one, p w, A the amplitude, and L and H the least and the greatest of limits. A
/// sine moves by no more than its phase, so that every element of the pair in the band uses at most
/// r = (g + A e) / L of its limit, and some element at least s = (g - A e) / H. With r <= 1 and r below the s
/// of another pair or band they hold neither a failing element nor the worst.
///
/// What e is, is known of phases that are products of the position and a frequency, and 0 where that is 1. Of
/// tensors with an element that is no number, with a row of zeros or with positions that were rounded, no
/// pair is told.
class RightPairs {
 public:
  /// \param audit of all rows of the tensor \param knowledge, attribution as audit_trigonometry() takes them
  RightPairs(const TensorPart& tensor, std::span<const std::int64_t> positions, const AuditReport& audit,
             std::span<const PhaseKnowledge> knowledge, const Attribution* attribution);

  /// Of rows with these positions, which are some of the tensor's: one entry a pair.
  std::vector<bool> of(std::span<const std::int64_t> positions) const;

 private:
  /// Of |position|.
  struct Band {
    std::int64_t first;
    std::int64_t last;
    std::vector<double> most;  ///< r of each pair
  };

  std::size_t pairs_;
  double right_below_ = 0;   ///< which r is right
  std::vector<Band> bands_;  ///< none where no pair is told
};

}  // namespace vernier
