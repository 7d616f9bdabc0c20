#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "reference/encoding.hpp"
#include "reference/position_range.hpp"
#include "reports/vectors/vector_tensor.hpp"

namespace vernier {

/// What all rows of a table of sines come to, so that a fault of any one of them shows.
struct ContextSums {
  std::string role;
  /// Of each column the sum of its certified float64 elements, exact and then rounded once.
  std::vector<double> sums;
  /// What the sum of an implementation's elements may be off by, added up in float64 in any order: the
  /// budgets of the elements, and T (T + 1) 2^-53 A for T rows of amplitude A. T 2^-54 A is the rounding of
  /// the certified elements, and each of the T - 1 additions rounds a sum of at most T A by 2^-53 of itself.
  Budgets budgets;
  /// By the name of a format the SHA-256 of the certified rows, little-endian: for those who claim to round
  /// correctly.
  std::map<std::string_view, std::string> digests;
};

/// Of every table of sines of an encoding, the first of each role. \throws InputError as RoundedTable does
std::vector<ContextSums> context_sums(const Encoding& encoding, const PositionRange& context);

}  // namespace vernier
