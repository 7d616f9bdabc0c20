#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "reference/numbers/position_range.hpp"

namespace vernier {

/// How a sample of positions lies.
struct SampleShape {
  std::size_t most = 0;      ///< how many rows at most, at least 16
  std::int64_t run = 1;      ///< neighbours that are asked for together
  bool in_few_runs = false;  ///< three runs in all: the start, the end, and one between them
};

/// Rows of a range, ascending, each once: all if they are few enough. Else a part from the start on, the
/// neighbours of powers of two, the last ones, some longer runs, and of the rest one run in each of equally
/// wide strata, at a place that the seed decides. So a fault in as many neighbours as a stratum and a run are
/// wide together is met whatever the seed, and one in fewer by some seed.
/// \param hard positions, the hardest first, that are met too, those in few runs apart: as many of the range
/// as an eighth of the rows
std::vector<std::int64_t> sampled_rows(const PositionRange& range, const SampleShape& shape,
                                       std::uint64_t seed, std::span<const std::int64_t> hard = {});

/// Which share of some positions is asked for.
struct PositionCoverage {
  std::uint64_t asked = 0;
  std::uint64_t of = 0;
  std::uint64_t largest_gap = 0;  ///< the most neighbours that are left out
};

/// \param rows ascending, each once, of `of` rows
PositionCoverage coverage_of(std::span<const std::int64_t> rows, std::uint64_t of);

}  // namespace vernier
