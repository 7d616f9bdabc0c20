#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include "numerics/asking/covering/coordinates.hpp"
#include "numerics/asking/covering/design_limits.hpp"
#include "numerics/asking/covering/predicate.hpp"

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

/// What the search for a boundary may ask, and how much of it.
struct BoundaryLimits : AskLimits {
  std::size_t most_questions = 120;  ///< sequences that are asked, each in a new process
  std::size_t most_vectors = 3'000'000;
};

/// Where an implementation is wrong.
struct Boundary {
  Predicate wrong_where;           ///< all vectors are wrong that it holds of, and no others
  Masking masked = Masking::none;  ///< vectors among them that are right all the same
  bool has_exceptions = false;     ///< further vectors among them are right, of which no rule was found
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
