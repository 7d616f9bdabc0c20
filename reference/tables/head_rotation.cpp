#include "reference/tables/head_rotation.hpp"

#include <algorithm>
#include <array>
#include <cassert>

namespace vernier {
namespace {

constexpr std::array<VectorRole, 4> roles{{
    {"rotated", "input", false, false},
    {"rotated_k", "input_k", true, false},
    {"input_gradient", "output_gradient", false, true},
    {"input_gradient_k", "output_gradient_k", true, true},
}};

/// Each dimension takes the other's product with the sine of the other: of a pair that turns by one phase
/// that is the sine with the other sign.
void transpose(HeadRotation& rotation) {
  for (auto& dimension : rotation.rotated) {
    assert(dimension.out == dimension.own);
    dimension.sign = -dimension.sign;
  }
}

}  // namespace

std::span<const VectorRole> vector_roles() {
  return roles;
}

const VectorRole* vector_role_named(std::string_view role) {
  const auto found = std::ranges::find(roles, role, &VectorRole::role);
  return found == roles.end() ? nullptr : &*found;
}

const VectorRole& HeadRotation::vectors() const {
  return *std::ranges::find_if(roles, [&](const VectorRole& one) {
    return one.is_of_keys == is_of_keys && one.is_gradient == is_gradient;
  });
}

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

HeadRotation with_operation(HeadRotation rotation, RotationOperation operation) {
  assert(rotation.operation == RotationOperation::forward && !rotation.is_gradient);
  rotation.operation = operation;
  if (!turns_forward(operation)) {
    transpose(rotation);
  }
  if (operation == RotationOperation::shift) {
    rotation.table.amplitude = 1;  // what is moved has it already
    if (rotation.scale) {
      rotation.scale->centre = 0;  // z^((p + d - c)/B) is z^((p - c)/B) z^(d/B)
    }
  }
  if (operation == RotationOperation::inverse) {
    rotation.table.amplitude = rotation.table.amplitude.reciprocal();
    if (rotation.scale) {
      rotation.scale->is_reciprocal = !rotation.scale->is_reciprocal;
    }
  }
  return rotation;
}

HeadRotation gradient_of(HeadRotation rotation) {
  assert(!rotation.is_gradient);
  rotation.is_gradient = true;
  transpose(rotation);
  return rotation;
}

}  // namespace vernier
