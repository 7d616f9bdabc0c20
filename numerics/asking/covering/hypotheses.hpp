#pragma once

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <unordered_set>
#include <vector>

#include "numerics/asking/covering/predicate.hpp"

namespace vernier {

/// A vector that was judged, or that may be asked for.
struct VectorEvidence {
  Coordinates values;
  std::bitset<masking_count> masked;  ///< by which
  bool is_masked(Masking masking) const { return masked[static_cast<std::size_t>(masking)]; }
};

/// Where an implementation may be wrong.
struct FaultHypothesis {
  Predicate predicate;
  Masking masking = Masking::none;
  double cost = 0;  ///< how long it is to say, in bits

  friend bool operator==(const FaultHypothesis&, const FaultHypothesis&) = default;
  bool predicts_wrong(const VectorEvidence& vector) const {
    return !vector.is_masked(masking) && holds(predicate, vector.values);
  }
};

/// How long a condition is to say, in bits.
double cost_of(const Atom& atom);

/// \name The hypothesis with one more condition, or without one of its own
/// @{
FaultHypothesis with(FaultHypothesis hypothesis, const Atom& atom);
FaultHypothesis without(FaultHypothesis hypothesis, std::size_t condition);
/// @}

/// The conditions that hold of every vector known to be wrong, and which of the right ones each excludes.
class VersionSpace {
 public:
  /// \param is_considered of which coordinates conditions may be
  explicit VersionSpace(const std::function<bool(const CoordinateTraits&)>& is_considered);

  /// \param is_surprise whether a right vector had been expected to be wrong: also exceptions may explain it
  void add(const VectorEvidence& vector, bool is_wrong, bool is_surprise);

  /// Whether it predicts all that is known.
  bool agrees(const FaultHypothesis& hypothesis) const;
  /// Those that hold of nothing that is right but by masking, the simplest first; empty if none was found.
  std::vector<FaultHypothesis> explanations() const;
  /// One that holds of little that is right, for where none holds of nothing.
  FaultHypothesis attempt() const;
  /// The same explanation with bounds between those that the evidence decides.
  std::vector<FaultHypothesis> with_other_bounds(const FaultHypothesis& explanation) const;

  /// Of vectors that are right; more are not kept.
  using Vectors = std::bitset<1024>;
  struct Candidate {
    Atom atom;
    double cost;  ///< how long it is to say, in bits
    Vectors excluded;
  };
  /// The simplest first.
  const std::vector<Candidate>& candidates() const { return candidates_; }

 private:
  struct Covering;
  /// Of those that are right.
  template <class Meets>
  Vectors right_that(const Meets& meets) const {
    Vectors result;
    for (std::size_t i = 0; i < right_.size(); ++i) {
      result[i] = meets(right_[i]);
    }
    return result;
  }
  void consider(const Atom& atom);
  void consider_remainders(Coordinate coordinate, std::int64_t x, Relation relation);
  void add_others(const FaultHypothesis& incomplete, std::vector<FaultHypothesis>& found) const;
  void cover(const FaultHypothesis& chosen, const Vectors& remaining, Covering& covering) const;

  std::vector<Coordinate> considered_;
  std::vector<VectorEvidence> wrong_, right_;
  std::vector<Candidate> candidates_;
  std::unordered_set<std::uint64_t> known_;  ///< conditions that were considered
};

}  // namespace vernier
