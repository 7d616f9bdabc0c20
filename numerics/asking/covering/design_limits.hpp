#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "numerics/asking/covering/coordinates.hpp"

namespace vernier {

/// What an implementation can be asked.
struct AskLimits {
  std::int64_t start = 0;     ///< the first position that may be asked for
  std::int64_t end = 131071;  ///< the last one
  /// Positions that are cheap to judge, ascending; questions of other than consecutive positions take theirs
  /// from these. Not empty.
  std::span<const std::int64_t> pool = {};
  /// So many from the first one on are cheap as well: longer blocks lie there.
  std::size_t cheap_run = 0;
  std::size_t most_consecutive = 8'192;  ///< rows of consecutive positions, which are dearer to judge
  std::vector<std::int64_t> edges = {};  ///< positions of the spec's own: lengths at which something changes
  std::vector<ElementType> types = {ElementType::float32};  ///< the main one first
  bool has_passing_dimensions = false;
  bool takes_heads = true;      ///< vectors of several heads and batches
  bool takes_scattered = true;  ///< else consecutive positions only
  bool takes_own_positions = false;
  bool takes_strides = false;
  bool takes_not_finite = true;
  bool starts_afresh = true;  ///< processes can be started
  std::size_t most_vectors_of_question = 131'072;
  std::vector<QuestionPoint> refused = {};  ///< questions that are known to be refused
};

/// What a design may ask, and how much of it.
struct DesignLimits : AskLimits {
  bool keeps_process = true;           ///< else every question is the first of one
  std::size_t most_vectors = 600'000;  ///< of all questions
  std::size_t most_questions = 800;
  double vectors_of_question = 300;  ///< what a question costs beside its vectors, in vectors
  double vectors_of_start = 3'000;   ///< what a new process costs, likewise
};

}  // namespace vernier
