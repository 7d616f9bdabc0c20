#include "reference/head_rotation.hpp"

namespace vernier {

std::vector<std::size_t> HeadRotation::passed_through() const {
  std::vector<bool> turned(head_dim, false);
  for (const auto& dimension : rotated) {
    turned[dimension.out] = true;
  }
  std::vector<std::size_t> result;
  for (std::size_t i = 0; i < head_dim; ++i) {
    if (!turned[i]) {
      result.push_back(i);
    }
  }
  return result;
}

}  // namespace vernier
