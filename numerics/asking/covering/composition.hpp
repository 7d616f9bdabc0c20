#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <random>
#include <vector>

#include "numerics/asking/covering/boundary.hpp"
#include "numerics/asking/covering/hypotheses.hpp"

namespace vernier {

/// Questions of one process, and a vector of the last one that meets what was asked for.
struct Composition {
  std::vector<QuestionPoint> sequence;
  Coordinates values;  ///< of the last question
  std::size_t focus = 0;
  std::size_t answered_before = 0;  ///< which question, counted from 1; 0: none

  /// A vector of the last question.
  VectorEvidence at(std::size_t vector) const;
};

Composition composition_of(std::vector<QuestionPoint> sequence, const BoundaryLimits& limits);

/// Draws questions that meet conditions and are random in everything else.
class Composer {
 public:
  Composer(const BoundaryLimits& limits, std::uint64_t seed) : limits_(&limits), bits_(seed) {}

  /// Nothing if no such question of at most so many vectors was found; conditions on the pair are left out.
  std::optional<Composition> compose(const Predicate& conditions, std::size_t most_vectors);

  /// The same questions but for one or two things.
  Composition neighbour(const Composition& known);

  std::int64_t below(std::int64_t count) {
    return static_cast<std::int64_t>(bits_() % static_cast<std::uint64_t>(count));
  }

 private:
  bool chance(std::int64_t percent) { return below(100) < percent; }
  std::int64_t spread(std::int64_t count);
  std::optional<std::int64_t> value(Coordinate coordinate, std::int64_t least, std::int64_t most);
  bool has(Coordinate coordinate) const {
    return std::ranges::find(conditions_, coordinate, &Atom::coordinate) != conditions_.end();
  }
  bool allows(Coordinate coordinate, std::int64_t value) const;
  std::vector<std::int64_t> positions(std::int64_t rows, Order order);
  std::optional<std::size_t> draw_sizes(QuestionPoint& question);
  bool draw_positions(QuestionPoint& question, std::size_t focus);
  void draw_kinds(QuestionPoint& question);
  QuestionPoint before(const QuestionPoint& question);

  const BoundaryLimits* limits_;
  std::mt19937_64 bits_;
  Predicate conditions_ = {};
  std::int64_t most_vectors_ = 0;
};

/// The condition turned into its opposite; nothing where any question shows some of its vectors.
Predicate opposite_of(Atom condition);

}  // namespace vernier
