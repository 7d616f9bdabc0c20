#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "numerics/asking/covering/composition.hpp"
#include "numerics/asking/covering/covering_levels.hpp"
#include "numerics/asking/covering/design_limits.hpp"

namespace vernier {

/// Chooses questions one at a time, greedily, so that pairs of levels of two coordinates are met for little:
/// AETG (D. Cohen et al. 1997) with the cost of a question as its weight, and with processes that remember.
/// Positions differ from row indices and from those of neighbours, unless the order of a question says
/// otherwise. Once all pairs are met it meets them again, with other values of the levels.
class CoveringDesign {
 public:
  CoveringDesign(DesignLimits limits, std::uint64_t seed);
  CoveringDesign(const CoveringDesign&) = delete;
  CoveringDesign& operator=(const CoveringDesign&) = delete;

  /// The next question; nothing once the limits are reached. \pre what became of the last one was told
  std::optional<QuestionPoint> next();
  /// Tells what became of it: what was not answered meets nothing, and what is refused is not asked again
  /// where that was the likely reason (heads, strides, a type, scattered positions).
  void was_answered(const QuestionPoint& question);
  void was_refused(const QuestionPoint& question);
  /// No more than these are asked from now on: for whoever is slow.
  void limit_to(std::size_t most_vectors, std::size_t most_questions);

  /// What was left out, as coordinates, the most valuable first: "with 8193 rows or more with 33 heads or
  /// more".
  std::vector<std::string> left_out(std::size_t most) const;
  /// The values of a coordinate that were met, as words: "1 to 65537"
  std::string met_values(Coordinate coordinate) const;

 private:
  using Levels = std::vector<std::size_t>;
  using WantedLevels = std::span<const std::size_t>;
  /// Two levels that a question can have.
  struct Goal {
    std::array<std::size_t, 2> levels;
    std::size_t least;      ///< vectors of a question
    bool is_met = false;    ///< by an answer
    bool is_wanted = true;  ///< since all were met last
  };

  void add_goals();
  bool is_usable(std::size_t level) const { return answered_[level] > 0 || refused_[level] < 2; }
  bool is_unproven(std::size_t level) const;
  /// All that are left but those of landmarks.
  std::size_t vectors_to_spare() const;
  std::size_t level_from(Coordinate coordinate, std::int64_t low) const;
  void add_likely(Predicate& conditions);
  Predicate conditions_after(const std::set<Coordinate>& history) const;
  bool take_positions(bool are_shuffled, QuestionPoint& question);
  /// One with the wanted levels.
  std::optional<QuestionPoint> question_with(WantedLevels wanted, std::size_t most_vectors);
  std::optional<QuestionPoint> best_question(const std::vector<WantedLevels>& wanted,
                                             std::size_t most_vectors);
  std::optional<QuestionPoint> question_to_refuse();
  Levels levels_met(const QuestionPoint& question) const;
  void was_asked(const QuestionPoint& question, bool is_refused);

  DesignLimits limits_;
  std::vector<Level> levels_;
  Composer composer_;
  SeededDraws& dice_;
  std::vector<Goal> goals_;
  std::vector<std::size_t> goal_at_;  ///< of two levels
  std::vector<Levels> landmarks_;     ///< of large questions that are asked once each

  std::size_t vectors_left_;
  std::size_t questions_left_;
  AskedBefore before_;

  std::vector<std::size_t> answered_;  ///< of each level
  std::vector<std::size_t> refused_;   ///< of each level, where it alone was never answered
  bool is_cautious_ = false;           ///< at most one level of a question was never answered
  std::size_t refused_in_a_row_ = 0;
  std::map<Coordinate, std::set<std::int64_t>> values_;  ///< that were answered
};

}  // namespace vernier
