#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace vernier {

/// What stands for the positions of every row along all axes: sum_a (p_a - least_a) B^a. With D the farthest
/// that two rows lie apart along any axis, two such differences are off by 2D at most. So two pairs of rows
/// are equally far apart in these numbers only where they are along every axis, if B > 2D. Nothing where 62
/// bits do not hold them, or there are no rows.
std::optional<std::vector<std::int64_t>> token_numbers(std::span<const std::vector<std::int64_t>> by_axis);

}  // namespace vernier
