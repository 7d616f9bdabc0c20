#pragma once

#include <span>
#include <vector>

#include "numerics/diagnosis/nearest_candidates.hpp"

namespace vernier {

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
  bool may_be_proved(Prediction some) const;
  const Candidate* single_of(const Finding& finding) const;

  const Suspect& suspect_;
  const std::vector<Candidate>& singles_;
  unsigned threads_;
  std::vector<std::size_t> more_rows_;      ///< than those of the screen
  std::vector<std::size_t> refusing_rows_;  ///< of these one alone refused a computation
  std::vector<Explanation> accepted_;
};

}  // namespace vernier
