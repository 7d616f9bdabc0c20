#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "numerics/budgets/apart_from_phase.hpp"

namespace vernier {

/// What BinadeBounds gives to each of a row of numbers, at most or at least, for many of them at once.
class RowBounds {
 public:
  /// What bounds a number, and the pair that it is of.
  struct Source {
    const BinadeBounds* bounds;
    int pair;
  };

  /// \param sources one a number
  explicit RowBounds(std::span<const Source> sources,
                     double BinadeBounds::Bounds::*which = &BinadeBounds::Bounds::greatest);

  /// \param numbers one a source \param room receives the bounds
  std::span<const double> of(std::int64_t position, std::span<const double> numbers,
                             std::vector<double>& room) const;

 private:
  std::vector<double> table_;  ///< of each BinadeBounds: each binade of plain phases, then of reduced ones
  std::vector<std::int64_t> starts_;  ///< a number: where its bounds begin
  std::vector<double> reduced_from_;  ///< a number: from which |position| on its phase is reduced
};

}  // namespace vernier
