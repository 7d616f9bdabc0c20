#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "numerics/asking/covering/coordinates.hpp"
#include "numerics/asking/covering/covering_levels.hpp"
#include "numerics/asking/seeded_draws.hpp"

namespace vernier {

/// Chooses the positions of questions: many at edges, as faults begin there, others anywhere.
class PositionChoice {
 public:
  /// \param levels whose edges are those of Coordinate::position
  /// \param dice is kept
  PositionChoice(const DesignLimits& limits, const std::vector<Level>& levels, SeededDraws& dice);

  /// \pre from <= the last position
  std::int64_t any(std::int64_t from) const;
  /// One of the level; any if there is none.
  std::int64_t one_of(std::size_t level) const {
    return edges_[level].empty() ? any(start_) : dice_.of(edges_[level]);
  }
  /// Positions in this order, one of which is `focus`, if they can be: of few rows orders coincide.
  /// \pre rows is in rows_in(order)
  std::vector<std::int64_t> in_order(Order order, std::size_t rows, std::int64_t focus) const;

 private:
  std::vector<std::int64_t> scattered(std::size_t rows, std::int64_t focus) const;

  std::int64_t start_;
  std::int64_t end_;
  std::span<const std::int64_t> pool_;
  std::int64_t cheap_run_;
  SeededDraws& dice_;
  std::vector<std::vector<std::int64_t>> edges_;  ///< of each level
  std::vector<std::size_t> levels_with_edges_;
};

}  // namespace vernier
