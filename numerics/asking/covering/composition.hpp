#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "numerics/asking/covering/boundary.hpp"
#include "numerics/asking/covering/hypotheses.hpp"
#include "numerics/asking/covering/position_choice.hpp"

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

Composition composition_of(std::vector<QuestionPoint> sequence, const AskLimits& limits);

/// Draws questions that meet conditions and are random in everything else.
class Composer {
 public:
  /// \param limits outlive the composer
  Composer(const AskLimits& limits, std::uint64_t seed);
  Composer(const Composer&) = delete;
  Composer& operator=(const Composer&) = delete;

  /// A question, and the vector of it that is to meet the conditions; what was asked before is not looked at.
  struct Drawn {
    QuestionPoint question;
    std::size_t focus;
  };
  /// Nothing if no such question of at most so many vectors was found; conditions on the pair are left out.
  std::optional<Drawn> draw(const Predicate& conditions, std::size_t most_vectors);
  /// The same with the questions before it, which meet conditions on history.
  std::optional<Composition> compose(const Predicate& conditions, std::size_t most_vectors);

  /// The same questions but for one or two things.
  Composition neighbour(const Composition& known);

  SeededDraws& dice() { return dice_; }
  const PositionChoice& positions() const { return positions_; }

 private:
  std::int64_t below(std::int64_t count) { return dice_.between(0, count - 1); }
  bool chance(std::int64_t percent) { return below(100) < percent; }
  std::int64_t spread(std::int64_t count);
  std::optional<std::int64_t> number(Coordinate coordinate, std::int64_t least, std::int64_t most);
  std::optional<std::int64_t> kind(Coordinate coordinate, std::int64_t least, std::int64_t most);
  bool has(Coordinate coordinate) const {
    return std::ranges::find(conditions_, coordinate, &Atom::coordinate) != conditions_.end();
  }
  bool allows(Coordinate coordinate, std::int64_t value) const;
  std::optional<Order> draw_kinds(QuestionPoint& question);
  std::optional<std::size_t> draw_sizes(Order order, QuestionPoint& question);
  bool draw_positions(Order order, QuestionPoint& question, std::size_t& focus);
  QuestionPoint related(const QuestionPoint& other, std::size_t most_vectors);

  const AskLimits& limits_;
  SeededDraws dice_;
  PositionChoice positions_;
  Predicate conditions_ = {};
  std::int64_t most_vectors_ = 0;
};

/// The condition turned into its opposite; nothing where any question shows some of its vectors.
Predicate opposite_of(Atom condition);

}  // namespace vernier
