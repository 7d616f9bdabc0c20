#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "reference/position_scale.hpp"
#include "reference/trig_table.hpp"

namespace vernier {

/// One dimension of a rotated head vector: y[out] = x[own] c + sign x[other] s, with c and s the cosine and
/// the sine of the pair's phase, times the amplitude and the scale.
struct RotatedDimension {
  std::size_t out = 0;
  std::size_t own = 0;
  std::size_t other = 0;
  int sign = 1;  ///< 1 or -1
  int pair = 0;  ///< whose phase it is
};

/// What a rotary encoding does to a head vector. The dimensions that are the `out` of no rotated one pass
/// through.
struct HeadRotation {
  TrigTable table;  ///< the cosine of every pair, a column each: their frequencies and the amplitude
  std::size_t head_dim = 0;
  std::vector<RotatedDimension> rotated;                   ///< each dimension at most once
  std::vector<std::pair<std::size_t, std::size_t>> pairs;  ///< the dimensions of each pair
  /// The axis along which each pair has the position that it turns by; empty where tokens have one position.
  std::vector<int> axes = {};
  std::optional<PositionScale> scale = std::nullopt;
  bool is_of_keys = false;  ///< where keys are treated otherwise than queries

  /// What the rotated vectors are called in cases and requests: "rotated", or "rotated_k" of keys.
  std::string_view role() const { return is_of_keys ? "rotated_k" : "rotated"; }
  /// 1 where pairs turn counter-clockwise, -1 where they turn clockwise. \pre something rotates
  int direction() const { return -rotated.front().sign; }
  std::vector<std::size_t> passed_through() const;
};

}  // namespace vernier
