#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "numerics/identification/pair_signal.hpp"
#include "reference/schemes/rope.hpp"

namespace vernier {

/// Vectors before and after a rotation: one row a position, positions ascending, head_dim elements each.
struct RotatedRows {
  std::vector<std::int64_t> positions;
  std::size_t head_dim = 0;
  std::vector<double> input;
  std::vector<double> rotated;
};

/// The rows that measurements look at: see rows_to_measure().
/// \param input, rotated [positions, head_dim], floating-point
RotatedRows rotated_rows(std::span<const std::int64_t> positions, const Tensor& input, const Tensor& rotated);

/// How many leading dimensions rotate: all but the last ones that come out as they went in, bit for bit, at
/// every position but 0.
int rotating_dimensions(const RotatedRows& rows);

/// What turns the inputs into the outputs, pair by pair: z = Y conj(X) / |X|^2, with pairs in this layout.
/// Inputs shorter than a twentieth of their median say too little and are left out.
/// \param rotating how many dimensions rotate, even
std::vector<PairSignal> rotation_signals(const RotatedRows& rows, RopeSpec::Layout layout, int rotating);

/// How far the points are from having one modulus: the median of ||z| / median |z| - 1|, over all pairs. Near
/// zero for the layout in which the vectors were rotated, of the order of one for another.
double modulus_spread(std::span<const PairSignal> signals);

}  // namespace vernier
