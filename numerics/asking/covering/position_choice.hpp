#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <utility>
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
  PositionChoice(const AskLimits& limits, const std::vector<Level>& levels, SeededDraws& dice);

  std::int64_t any() const { return dice_.of(pool_); }
  /// One of those that are cheap to judge; nothing if it is of none.
  std::optional<std::int64_t> cheap(const std::function<bool(std::int64_t)>& is_wanted) const;
  /// The rows that positions of this order can have, and show it.
  std::pair<std::int64_t, std::int64_t> rows_in(Order order) const;
  /// Positions in this order, one of which is `focus`, if they can be: of few rows orders coincide.
  /// \pre rows is in rows_in(order)
  std::vector<std::int64_t> in_order(Order order, std::size_t rows, std::int64_t focus) const;

 private:
  std::vector<std::int64_t> scattered(std::size_t rows, std::int64_t focus) const;

  std::int64_t start_;
  std::int64_t end_;
  std::int64_t cheap_run_;
  std::int64_t most_consecutive_;
  SeededDraws& dice_;
  std::span<const std::int64_t> pool_;
  std::vector<std::vector<std::int64_t>> edges_;  ///< those of a level each; none is empty
};

}  // namespace vernier
