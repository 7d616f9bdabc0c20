#pragma once

#include "numerics/diagnosis/computation/prediction.hpp"

namespace vernier {

/// The control of an explanation. Some edits allow more than the declared computation does, and any that
/// moves phases may by luck predict what exceeds the budget a little. So no edit explains anything without
/// which, with the same allowance, no element clearly fails, unless it takes away a good part of the errors.
class Control {
 public:
  /// \param edited predicts the tensors; both outlive this
  Control(const Suspect& suspect, const Computation& edited, unsigned threads);

  /// Whether the edited computation predicts because it allows more than the declared one.
  bool is_called_for() const { return is_allowed_more_; }

  /// Whether the edits are needed that a computation leaves out. \param allows_noise whether it is allowed
  /// the errors of sines and cosines as well: not where they are what it leaves out \param may_follow_errors
  /// whether what is left out takes away honest errors as well as others
  bool is_needed_beside(const Computation& without, bool allows_noise, bool may_follow_errors) const;

 private:
  /// Which share of the squared errors of a computation the edited one takes away.
  double share_taken(const Computation& without) const;

  const Suspect& suspect_;
  const Computation& edited_;
  unsigned threads_;
  bool is_allowed_more_;
};

/// Whether what a finding is of may seem to be where phases are off by chance.
bool is_of_phases(const Finding& finding);

/// Whether an edited computation is needed beside damage: whether the declared one, if it is allowed as much,
/// leaves more elements that clearly fail.
bool is_needed_beside_damage(const Suspect& suspect, const Computation& edited, unsigned threads);

}  // namespace vernier
