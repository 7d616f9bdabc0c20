#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <vector>

#include "reference/tables/trig_table.hpp"

namespace vernier {

/// Where a row has one component of each pair.
struct Plane {
  std::vector<std::optional<std::size_t>> columns;  ///< by pair; none where the row has no such element
  std::size_t present = 0;                          ///< how many have one
  /// The column of pair 0 if those of all pairs follow it, one by one.
  std::optional<std::size_t> run;
};

/// Columns of a table, each component of a pair at most once: by component, sine and cosine.
using Layer = std::array<Plane, 2>;

/// The columns of a table in as few layers as they can be: a RoPE table that repeats its cosines for both
/// halves of a head has two. Columns that are zero by definition are in none.
std::vector<Layer> layers_of(const TrigTable& table);

}  // namespace vernier
