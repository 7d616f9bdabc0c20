#pragma once

#include <cstddef>
#include <functional>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "numerics/formats/tensor.hpp"

namespace vernier {

/// How the rows of a tensor lie: the copies that its leading dimensions make, of `rows` each.
struct RowGrid {
  Shape leading;  ///< batch, heads; empty of one copy
  std::size_t rows = 0;
  std::string_view noun = "row";

  std::size_t copies() const {
    return std::accumulate(leading.begin(), leading.end(), std::size_t{1}, std::multiplies());
  }
  std::size_t all() const { return copies() * rows; }
  /// In its copy.
  std::size_t row(std::size_t index) const { return index % rows; }
  std::size_t leading_index(std::size_t index, std::size_t dimension) const;
};

/// Rows that a rule is of.
struct RowSet {
  std::vector<bool> has = {};  ///< one a row of all copies
  std::string rows = {};       ///< "rows 216 to 269"
  std::string positions = {};  ///< "positions of rows 216 to 269", "positions 4 to 9"
  std::string behind = {};     ///< of a rule that all positions have from one on: " from position 714 on"
  double bits = 0;
  bool is_one_row = false;
  bool has_every_row = false;  ///< of those copies that it is of
  bool is_whole = false;

  bool is_told_as_one() const { return is_one_row || rows.starts_with("every"); }
  /// Words of it: <hold> stands for "rows 3 to 9 hold", <positions>, <are> and <behind> for theirs, <their>
  /// for what the verb goes with.
  std::string in(std::string words) const;
};

/// Every row.
RowSet every_row(const RowGrid& grid);

/// What is known of a row of a set.
enum class Membership { no, yes, either };

/// The set that takes least to say: a product of sets of leading indices and of rows, each all, one, all but
/// one, a range, every n-th or a list. \param wanted one a row \param positions of the rows, by which they
/// are told where there is one copy, whose positions ascend; empty: by the row \return nothing where no such
/// set has all rows that it has to have and none that it must not
std::optional<RowSet> simplest_set(const RowGrid& grid, std::span<const Membership> wanted,
                                   std::span<const double> positions);

}  // namespace vernier
