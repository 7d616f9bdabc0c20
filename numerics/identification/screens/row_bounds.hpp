#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "numerics/identification/apart_from_phase.hpp"

namespace vernier {

/// What BinadeBounds gives at most to each of a row of numbers, for all of them at once.
class GreatestBounds {
 public:
  /// What bounds a number, and the pair that it is of.
  struct Source {
    const BinadeBounds* bounds;
    int pair;
  };

  /// \param sources one a number
  explicit GreatestBounds(std::span<const Source> sources);

  /// \param numbers as many as there are sources \param room receives the bounds
  std::span<const double> of(std::int64_t position, std::span<const double> numbers,
                             std::vector<double>& room) const;

 private:
  std::vector<double> table_;  ///< of each BinadeBounds: each binade of plain phases, then of reduced ones
  std::vector<std::int64_t> starts_;  ///< a number: where its bounds begin
  std::vector<double> reduced_from_;  ///< a number: from which |position| on its phase is reduced
};

}  // namespace vernier
