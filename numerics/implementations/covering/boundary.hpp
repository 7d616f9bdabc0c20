#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "numerics/implementations/covering/coordinates.hpp"
#include "numerics/implementations/covering/predicate.hpp"

namespace vernier {

/// A vector, or row of a table, that is wrong.
struct WrongVector {
  std::size_t index;             ///< as in the answer
  std::vector<bool> pairs = {};  ///< which pairs of it are wrong; empty: not told
};

/// What became of a question.
struct Marked {
  bool was_answered = false;            ///< in full; else nothing is known
  std::vector<WrongVector> wrong = {};  ///< ascending; all others are right
};

/// What the search for a boundary may ask, and of which values.
struct BoundaryLimits {
  std::int64_t start = 0;  ///< positions
  std::int64_t end = 131071;
  std::vector<std::int64_t> pool = {};                      ///< positions that are cheap to judge, ascending
  std::vector<ElementType> types = {ElementType::float32};  ///< that are answered, the main one first
  bool takes_heads = true;
  bool takes_scattered = true;
  bool takes_own_positions = false;
  bool takes_strides = false;
  bool has_not_finite = false;  ///< whether numbers that are not finite can be asked
  bool has_passing_dimensions = false;
  bool starts_afresh = true;
  std::size_t most_questions = 120;  ///< sequences that are asked, each in a new process
  std::size_t most_vectors = 1'000'000;
  std::size_t most_vectors_of_question = 131'072;
  /// A question that is refused, where one is known.
  std::optional<QuestionPoint> refused = std::nullopt;
};

/// Where an implementation is wrong.
struct Boundary {
  Predicate wrong_where;        ///< all vectors are wrong, and no others
  bool is_confirmed = false;    ///< by neighbours and by further questions; else it holds of what was asked
  bool is_reproducible = true;  ///< else the same questions in a new process were answered right
  std::vector<QuestionPoint> shortest;  ///< questions of a process, the last of which is answered wrong
  std::vector<QuestionPoint> nearest;   ///< the nearest that is answered right; empty if none is
  std::size_t questions = 0;            ///< sequences that were asked
};

/// Asks questions one after another in a new process (where there is one), and marks the answer to the last.
using AskSequence = std::function<Marked(const std::vector<QuestionPoint>&)>;

/// Shrinks a failure to the conjunction of conditions that describes it.
/// \param failing questions of one process in their order, the last of which was marked \param marked
Boundary find_boundary(const std::vector<QuestionPoint>& failing, const Marked& marked,
                       const BoundaryLimits& limits, const AskSequence& ask);

}  // namespace vernier
