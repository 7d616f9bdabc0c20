#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

#include "numerics/asking/covering/coordinates.hpp"
#include "numerics/asking/covering/covering_levels.hpp"

namespace vernier {

/// Numbers at random that are the same with every standard library.
class SeededDraws {
 public:
  explicit SeededDraws(std::uint64_t seed) : engine_(seed) {}
  /// Less than `end`. \pre end > 0
  std::size_t below(std::size_t end) { return static_cast<std::size_t>(engine_() % end); }
  bool one_in(std::size_t times) { return below(times) == 0; }
  /// \pre low <= high
  std::int64_t between(std::int64_t low, std::int64_t high) {
    return low + static_cast<std::int64_t>(below(static_cast<std::size_t>(high - low) + 1));
  }
  template <class T>
  const T& of(const std::vector<T>& values) {
    return values[below(values.size())];
  }
  template <class Values>
  void shuffle(Values&& values) {
    for (std::size_t i = values.size(); i > 1; --i) {
      std::swap(values[i - 1], values[below(i)]);
    }
  }

 private:
  std::mt19937_64 engine_;
};

/// Chooses the positions of questions: many at edges, as faults begin there, others anywhere.
class PositionChoice {
 public:
  /// \param levels whose edges are those of Coordinate::position
  /// \param dice is kept
  PositionChoice(const DesignLimits& limits, const std::vector<Level>& levels, SeededDraws& dice);

  /// \pre from <= the last position
  std::int64_t any(std::int64_t from) const;
  /// One of the level; any if there is none.
  std::int64_t one_of(std::size_t level) const;
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
