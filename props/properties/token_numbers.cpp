#include "props/properties/token_numbers.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace vernier {
namespace {

/// What stands for the positions of every row along all axes: sum_a (p_a - least_a) B^a. With D the farthest
/// that two rows lie apart along any axis, two such differences are off by 2D at most. So two pairs of rows
/// are equally far apart in these numbers only where they are along every axis, if B > 2D. Nothing where 62
/// bits do not hold them.
std::optional<std::vector<std::int64_t>> numbers_of_tokens(
    std::span<const std::vector<std::int64_t>> by_axis) {
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

}  // namespace

bool take_tokens(TurnView& view, std::span<const PositionMap> maps,
                 std::span<const std::vector<std::int64_t>> by_axis) {
  auto numbers = by_axis.front().empty() ? std::nullopt : numbers_of_tokens(by_axis);
  if (!numbers) {
    return false;
  }
  view.position = [numbers = *std::move(numbers)](std::size_t row, int) { return numbers[row]; };
  view.token = [maps, by_axis](std::size_t row) {
    std::string text;
    for (std::size_t axis = 0; axis < maps.size(); ++axis) {
      text += (axis == 0 ? "" : ", ") + maps[axis].text(by_axis[axis][row]);
    }
    return text;
  };
  return true;
}

}  // namespace vernier
