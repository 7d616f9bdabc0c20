#pragma once

#include <cstddef>
#include <vector>

#include "numerics/asking/covering/boundary.hpp"
#include "numerics/asking/covering/composition.hpp"
#include "numerics/asking/covering/hypotheses.hpp"

namespace vernier {

/// What an answer showed.
struct Observation {
  Composition asked;
  std::vector<bool> is_wrong;
  std::vector<std::size_t> learned = {};

  bool has_wrong() const { return std::ranges::find(is_wrong, true) != is_wrong.end(); }
};

/// Whether a condition takes something out of what is wrong.
inline bool is_exception(const Atom& atom) {
  return atom.relation == Relation::unequal || atom.relation == Relation::not_multiple;
}

/// What the answers so far say of where an implementation is wrong.
class FaultKnowledge {
 public:
  /// \param composer draws which vectors are learned; it must outlive the knowledge
  explicit FaultKnowledge(Composer& composer) : composer_(&composer) {}

  const std::vector<Observation>& observations() const { return observations_; }
  /// The simplest explanation of them.
  const FaultHypothesis& leading() const { return explanations_.front(); }
  /// All that were found, and those with other bounds.
  const std::vector<FaultHypothesis>& hypotheses() const { return hypotheses_; }
  /// Simple conditions that may be one more of the leading hypothesis.
  const std::vector<Atom>& open() const { return open_; }
  std::vector<FaultHypothesis> with_other_bounds() const { return space_.with_other_bounds(leading()); }
  /// Whether no conjunction holds of all that is wrong and of nothing else.
  bool has_exceptions() const { return has_exceptions_; }
  /// Whether explanations were searched for since the last answer.
  bool is_searched() const { return is_searched_; }
  /// Whether questions were looked for that would show the open conditions.
  bool is_swept() const { return is_swept_; }

  const Observation& observe(const Composition& asked, const Marked& marked);
  /// \param is_anew whether to look for more explanations even if the leading one agrees with what is known
  void explain(bool is_anew);
  void set_swept() { is_swept_ = true; }
  /// No question was found that would show an open condition.
  void leave_out(const Atom& atom);
  /// Whether a condition is needed by the answers to several questions.
  bool is_needed(std::size_t condition) const;
  bool is_decided() const;

 private:
  void learn(Observation& observation, std::size_t vector);
  bool learn_contradictions();

  Composer* composer_;
  VersionSpace space_{[](const CoordinateTraits& one) { return one.coordinate != Coordinate::pair; }};
  std::vector<Observation> observations_;
  std::size_t checked_ = 0;  ///< observations that the leading hypothesis agrees with
  std::vector<FaultHypothesis> explanations_{{}};
  std::vector<FaultHypothesis> hypotheses_;
  bool is_searched_ = false;
  std::vector<Atom> open_;
  std::vector<Atom> unasked_;
  bool is_swept_ = false;
  bool has_exceptions_ = false;
};

}  // namespace vernier
