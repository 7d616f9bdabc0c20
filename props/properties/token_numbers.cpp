#include "props/properties/token_numbers.hpp"

#include <algorithm>
#include <cmath>

namespace vernier {
std::optional<std::vector<std::int64_t>> token_numbers(std::span<const std::vector<std::int64_t>> by_axis) {
  if (by_axis.front().empty()) {
    return std::nullopt;
  }
  constexpr double most = 0x1p62;
  std::vector<std::int64_t> least;
  std::int64_t farthest = 0;
  for (const auto& positions : by_axis) {
    const auto [low, high] = std::ranges::minmax(positions);
    least.push_back(low);
    farthest = std::max(farthest, high - low);
  }
  const auto base = 2 * farthest + 1;
  if (std::pow(static_cast<double>(base), static_cast<double>(by_axis.size())) > most) {
    return std::nullopt;
  }
  std::vector<std::int64_t> result(by_axis.front().size());
  for (std::size_t axis = by_axis.size(); axis-- > 0;) {
    for (std::size_t row = 0; row < result.size(); ++row) {
      result[row] = result[row] * base + (by_axis[axis][row] - least[axis]);
    }
  }
  return result;
}

}  // namespace vernier
