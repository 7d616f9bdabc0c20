#pragma once

#include <complex>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "numerics/views/row_view.hpp"

namespace vernier {

/// What tensors hold of one pair: the points z = c + i s at some positions, each position once, ascending.
/// Whatever computed them, a pair of an encoding is one phasor, z = A exp(i (p w + phi)).
struct PairSignal {
  std::vector<std::int64_t> positions;
  std::vector<std::complex<double>> points;  ///< finite, one a position

  std::size_t size() const { return positions.size(); }
};

/// Some of the rows, ascending: one from each of `most` equal stretches, at another place in each, so that no
/// stride makes them all multiples of what an implementation divides positions by. All of them if there are
/// no more.
std::vector<std::size_t> spread_rows(std::size_t rows, std::size_t most);

/// The rows that measurements look at: all, in ascending order of their positions, if there are at most
/// `most`; else a dense run at the least positions, and others spread evenly and logarithmically, so that
/// distances of every size occur. Of equal positions one is taken. \return indices into `positions`
std::vector<std::size_t> rows_to_measure(std::span<const std::int64_t> positions, std::size_t most);

/// Where each pair of plain tables has its first cosine and sine; nothing of a pair without both.
std::vector<std::optional<PointLayout::Place>> first_points(const RowView& tables);

/// The points in these rows of every pair that has any, read row by row, as a column's elements lie far
/// apart; without those that are not finite, and without the row that is zero by definition.
std::vector<std::optional<PairSignal>> pair_signals(const RowView& tables,
                                                    std::span<const std::int64_t> positions,
                                                    std::span<const std::size_t> rows);

}  // namespace vernier
