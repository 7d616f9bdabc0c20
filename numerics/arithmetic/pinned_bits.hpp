#pragma once

#include <optional>
#include <string>
#include <vector>

#include "numerics/arithmetic/finding.hpp"
#include "numerics/contracts/pinned_ways.hpp"

namespace vernier {

/// A pinned stage whose way the bits do not show.
struct PartedStage {
  ArithmeticStage stage = ArithmeticStage::order;
  std::int8_t pinned = 0;
  std::vector<std::int8_t> shown;
};

/// How the bits of a table, or of the vectors of one tensor, keep to pinned ways.
struct PinnedBits {
  std::string tensors;  ///< "tables", "rotated"
  Format format = Format::binary32;
  std::size_t numbers = 0;      ///< stored; none where the case stores nothing that a pinned stage is of
  std::size_t unasked = 0;      ///< of them at positions that the tables have no row of
  Differences exceptions = {};  ///< of the computation with these ways that has fewest in a sample
  bool has_computation = true;  ///< whether the space has one with these ways
  std::vector<PartedStage> parted = {};

  bool is_kept() const { return numbers != 0 && unasked == 0 && exceptions.count == 0 && has_computation; }
};

/// Judges bits by a contract that pins ways: it is kept if a computation that takes them predicts every bit.
/// Stages that are not pinned are free, in each tensor by itself. The table first, then the vectors of each
/// tensor, which turn by the stored table where there is one.
std::vector<PinnedBits> judge_pinned(const StoredBits& bits, const ArithmeticWays& pinned);

}  // namespace vernier
