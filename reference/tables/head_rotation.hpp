#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "reference/tables/trig_table.hpp"

namespace vernier {

/// What is computed of a rotation R with the amplitude A. Scales (PositionScale) belong to the amplitude.
enum class RotationOperation {
  forward,    ///< A R x
  transpose,  ///< A R^T x: what takes the gradient of A R x back
  inverse,    ///< R^T x / A: what takes A R x back
  shift       ///< R x, at a position d: what takes A R x at p to that at p + d, as caches move stored keys
};
/// Whether it turns as the encoding does.
constexpr bool turns_forward(RotationOperation operation) {
  return operation == RotationOperation::forward || operation == RotationOperation::shift;
}

/// Vectors that are made of others by a rotation, and what both are called in cases and requests.
struct VectorRole {
  std::string_view role;   ///< "rotated"
  std::string_view input;  ///< "input"
  bool is_of_keys;         ///< where keys are treated otherwise than queries
  bool is_gradient;        ///< the gradient of the input, of that of the output
};
/// Every role of vectors. A new one is a row of this table.
std::span<const VectorRole> vector_roles();
/// The role of this name, if vectors have it.
const VectorRole* vector_role_named(std::string_view role);

/// One dimension of a rotated head vector: y[out] = x[own] c + sign x[other] s, with c and s the cosine and
/// the sine of the pair's phase, times the amplitude and the scale.
struct RotatedDimension {
  std::size_t out = 0;
  std::size_t own = 0;
  std::size_t other = 0;
  int sign = 1;  ///< 1 or -1
  int pair = 0;  ///< whose phase it is

  bool operator==(const RotatedDimension&) const = default;
};

/// What a rotary encoding does to a head vector. The dimensions that are the `out` of no rotated one pass
/// through.
struct HeadRotation {
  TrigTable table;  ///< the cosine of every pair, a column each: their frequencies and the amplitude
  std::size_t head_dim = 0;
  std::vector<RotatedDimension> rotated;                   ///< each dimension at most once
  std::vector<std::pair<std::size_t, std::size_t>> pairs;  ///< the dimensions of each pair
  /// The axis along which each pair has the position that it turns by, or all_axes (mixed_axes.hpp); empty
  /// where tokens have one position.
  std::vector<int> axes = {};
  /// Where the places along each axis come from; empty where the table says so for all.
  std::vector<PositionMap> maps = {};
  std::optional<PositionScale> scale = std::nullopt;
  bool is_of_keys = false;   ///< where keys are treated otherwise than queries
  bool is_gradient = false;  ///< of what takes the gradient of the output back to that of the input
  /// What a spec calls by its name; a gradient has that of the map that it is the gradient of.
  RotationOperation operation = RotationOperation::forward;

  const PositionMap& map(std::size_t axis) const { return maps.empty() ? table.positions : maps[axis]; }
  const VectorRole& vectors() const;
  /// What the rotated vectors are called in cases and requests: "rotated", "rotated_k" of keys.
  std::string_view role() const { return vectors().role; }
  /// Whether it turns back what the encoding turns: a transpose, an inverse, the gradient of a forward one.
  bool turns_back() const { return turns_forward(operation) == is_gradient; }
  /// 1 where pairs turn counter-clockwise, -1 where they turn clockwise. \pre something rotates
  int direction() const { return -rotated.front().sign; }
  std::vector<std::size_t> passed_through() const;
  /// Whether it makes vectors of the same role and width, with as many positions and scales.
  bool makes_vectors_like(const HeadRotation& other) const {
    return role() == other.role() && head_dim == other.head_dim && axes.empty() == other.axes.empty() &&
           scale.has_value() == other.scale.has_value();
  }
};

/// The rotation as an operation has it. \pre its own is forward
HeadRotation with_operation(HeadRotation rotation, RotationOperation operation);
/// What the backward pass computes: the transpose of the map, whatever operation that is. Tables are
/// constants, so that vectors alone have gradients. \pre it is no gradient itself
HeadRotation gradient_of(HeadRotation rotation);

}  // namespace vernier
