#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <vector>

#include "numerics/computation/prediction.hpp"

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

/// The control of an explanation. Some edits allow more than the declared computation does, and any that
/// moves phases may by luck predict what exceeds the budget a little. So no edit explains anything without
/// which, with the same allowance, no element clearly fails, unless it takes away a good part of the errors.
/// Nor does that help what is allowed places that are rounded: a move by less than their rounding is none.
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

/// The candidates that explain the tensors: each predicts every element that proves something, enough do, and
/// the tensors need each of its edits.
class Acceptance {
 public:
  /// \param singles the declared computation with one edit each, as far as they were tried; may grow. Both
  /// outlive this
  Acceptance(const Suspect& suspect, const std::vector<Candidate>& singles, unsigned threads);

  /// Accepts those that explain. The likeliest first, as it saves the work of the others.
  void accept_all(std::span<const Candidate> candidates);
  /// Accepts what was judged elsewhere.
  void accept(Explanation explanation) { accepted_.push_back(std::move(explanation)); }

  const std::vector<Explanation>& accepted() const { return accepted_; }
  /// Whether nothing is accepted, or nothing as short as this: a shorter description may be found.
  bool is_worth_more_than(double bits) const;
  /// The control: whether the tensors need every edit of a candidate.
  bool needs_its_edits(const Candidate& candidate) const;

 private:
  void judge(const Candidate& candidate);
  bool is_outdone(const Candidate& candidate) const;
  const Prediction& declared();
  bool may_be_proved(Prediction some) const;
  const Candidate* single_of(const Finding& finding) const;

  const Suspect& suspect_;
  const std::vector<Candidate>& singles_;
  unsigned threads_;
  std::vector<std::size_t> more_rows_;      ///< than those of the screen
  std::vector<std::size_t> refusing_rows_;  ///< of these one alone refused a computation
  std::optional<Prediction> declared_;      ///< of all elements, once it is asked for
  std::vector<Explanation> accepted_;
};

}  // namespace vernier
