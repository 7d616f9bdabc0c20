#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "reference/frequencies/frequencies.hpp"
#include "reference/keys/domain.hpp"
#include "reference/numbers/format.hpp"
#include "reference/schemes/real_positions.hpp"

namespace vernier {

/// Frequencies that a spec gives as numbers, of several axes that phases are sums over (mixed_axes.hpp): of
/// any sign, or zero.
struct LearnedFrequencies {
  NumberRows values;                            ///< a row an axis; a column a pair
  std::size_t heads = 1;                        ///< whose pairs stand one behind the other in each row
  std::optional<Format> format = std::nullopt;  ///< that all of them are numbers of

  /// "frequencies_dtype", the format that numbers are rounded to, as JSON has only decimals of what a tensor
  /// holds, and "frequencies". \param may_have_heads whether a row may be one of rows, one a head
  void keys(KeyVisitor& visit, bool may_have_heads = false);
  /// "2 axes of 128 frequencies in float32"
  std::string summary() const;

  std::size_t axes() const { return values.size(); }
  int pairs() const { return static_cast<int>(values.front().size()); }
  /// Those of one axis behind those of another, in radians a place. \param positions one an axis
  Frequencies joined(const std::vector<RealPositions>& positions) const;
};

/// \name Positions along axes that phases are sums over: each says its own in "axes", and the spec what none
/// says. All times their frequencies have the same power of pi, so that sums are exact.
/// @{
void visit_mixed_positions(KeyVisitor& visit, std::vector<RealPositions>& positions, std::size_t axes);
std::string summary_of_mixed(const std::vector<RealPositions>& positions);
/// @}

}  // namespace vernier
