#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace vernier {

/// `most` of the indices below `count`, evenly spread with both ends; all if there are no more. \pre most > 1
inline std::vector<std::size_t> spread_indices(std::size_t count, std::size_t most) {
  std::vector<std::size_t> result(std::min(count, most));
  for (std::size_t i = 0; i < result.size(); ++i) {
    result[i] = count <= most ? i : i * (count - 1) / (most - 1);
  }
  return result;
}

}  // namespace vernier
