#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "reference/numbers/position_range.hpp"
#include "reference/schemes/encoding.hpp"
#include "reports/exchange/vectors/vector_tensor.hpp"

namespace vernier {

/// So many consecutive rows are summed: the budgets of more would hide the fault of one.
inline constexpr std::size_t rows_per_sum = 64;

/// What all rows of a table of sines come to, in blocks, so that a fault of any one of them shows.
struct ContextSums {
  std::string role;
  Shape shape;  ///< [blocks, columns]; the last block may have fewer rows
  /// Of each block and column the sum of its certified float64 elements, exact and then rounded once.
  std::vector<double> sums;
  /// What the sum of an implementation's elements may be off by, added up in float64 in any order: the
  /// budgets of the elements, and (R + 1) M 2^-53 for magnitudes that come to M, with R = rows_per_sum in a
  /// last block of fewer rows too. 2 M 2^-53 is for the rounding of the certified elements and of their sum,
  /// (R - 1) M 2^-53 for the additions (Jeannerod and Rump, Improved error bounds for inner products in
  /// floating-point arithmetic, 2013). That the elements added are off by their budgets adds less than 2^-47
  /// of those, which is left out.
  Budgets budgets;
  /// By the name of a format the SHA-256 of all certified rows, little-endian: for those who claim to round
  /// correctly.
  std::map<std::string_view, std::string> digests;
};

/// Of every table of sines of an encoding, the first of each role.
std::vector<ContextSums> context_sums(const Encoding& encoding, const PositionRange& context);

}  // namespace vernier
