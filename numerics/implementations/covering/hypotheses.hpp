#pragma once

#include <cstdint>
#include <functional>
#include <random>
#include <unordered_set>
#include <vector>

#include "numerics/implementations/covering/predicate.hpp"

namespace vernier {

/// A predicate that may be where an implementation is wrong.
struct FaultHypothesis {
  Predicate predicate;
  double weight = 1;  ///< how simple it is
};

/// The conditions that hold of every vector known to be wrong, and which of the right ones each excludes.
class VersionSpace {
 public:
  /// \param is_considered of which coordinates conditions may be
  explicit VersionSpace(const std::function<bool(const CoordinateTraits&)>& is_considered);

  /// \param is_surprise whether a right vector had been expected to be wrong: also exceptions may explain it
  void add(const Coordinates& vector, bool is_wrong, bool is_surprise);

  /// Conjunctions of them that hold of nothing that is right, the simplest first; empty if none was found.
  std::vector<FaultHypothesis> explanations(std::mt19937_64& bits) const;
  /// Conjunctions that hold of little that is right, for where none holds of nothing.
  std::vector<FaultHypothesis> attempts() const;
  /// The same explanation with bounds between those that the evidence decides.
  std::vector<FaultHypothesis> widened(const FaultHypothesis& explanation) const;

  struct Candidate {
    Atom atom;
    double weight;               ///< how simple it is
    std::vector<bool> excluded;  ///< of the right vectors
  };
  /// The simplest first.
  const std::vector<Candidate>& candidates() const { return candidates_; }

 private:
  void consider(const Atom& atom);
  void consider_remainders(Coordinate coordinate, std::int64_t x, Relation relation);
  void cover(const Predicate& chosen, const std::vector<std::size_t>& remaining, std::size_t most,
             std::mt19937_64& bits, std::size_t& steps, std::vector<Predicate>& found) const;

  std::vector<Coordinate> considered_;
  std::vector<Coordinates> wrong_, right_;
  std::vector<Candidate> candidates_;
  std::unordered_set<std::uint64_t> known_;  ///< conditions that were considered
};

}  // namespace vernier
