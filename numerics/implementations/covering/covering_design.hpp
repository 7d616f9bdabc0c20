#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "numerics/implementations/covering/coordinates.hpp"

namespace vernier {

/// What an implementation can be asked, and how much of it.
struct DesignLimits {
  std::int64_t start = 0;                ///< the first position that may be asked for
  std::int64_t end = 131071;             ///< the last one
  std::vector<std::int64_t> edges = {};  ///< positions of the spec's own: lengths at which something changes
  /// Positions that are cheap to judge, ascending; questions of other than consecutive positions take theirs
  /// from these and from edges among them.
  std::span<const std::int64_t> pool = {};
  bool has_vectors = true;  ///< else tables: no heads, no numbers that are not finite
  bool has_passing_dimensions = false;
  bool takes_heads = true;
  bool takes_scattered = true;  ///< else consecutive positions only
  bool takes_own_positions = false;
  bool takes_strides = false;
  bool takes_not_finite = true;
  bool starts_afresh = true;                                ///< processes can be started
  bool keeps_process = true;                                ///< else every question is the first of one
  std::vector<ElementType> types = {ElementType::float32};  ///< the main one first
  std::size_t most_vectors = 283'000;                       ///< of all questions
  std::size_t most_vectors_of_question = 131'072;
  std::size_t most_consecutive = 8'192;  ///< rows of consecutive positions, which are dearer to judge
  std::size_t most_questions = 540;
  double vectors_of_question = 300;  ///< what a question costs beside its vectors, in vectors
  double vectors_of_start = 3'000;   ///< what a new process costs, likewise
};

/// Chooses questions one at a time, greedily, so that pairs of levels of two coordinates are met for little:
/// AETG (D. Cohen et al. 1997) with the cost of a question as its weight, and with pools of processes that
/// remember. Every question is generic but for what it is chosen for: positions differ from row indices and
/// from those of neighbours, unless its order says otherwise.
class CoveringDesign {
 public:
  CoveringDesign(DesignLimits limits, std::uint64_t seed);

  /// The next question; nothing once the limits are reached.
  std::optional<QuestionPoint> next();
  /// Tells what became of it: what was not answered meets nothing, and what is refused is not asked again
  /// where that was the likely reason (heads, strides, a type, scattered positions).
  void was_answered(const QuestionPoint& question);
  void was_refused(const QuestionPoint& question);
  /// Nothing that costs more than this share of what is left is asked for from now on: for whoever is slow.
  void limit_to(std::size_t most_vectors, std::size_t most_questions);

  /// Pairs of levels that can be met, and those that were.
  std::size_t goals() const;
  std::size_t met() const;
  /// What was left out, as coordinates, the most valuable first: "more than 8192 rows with 33 heads".
  std::vector<std::string> left_out(std::size_t most) const;
  /// The values of a coordinate that were met, as words: "1 to 65537"
  std::string met_values(Coordinate coordinate) const;
};

}  // namespace vernier
