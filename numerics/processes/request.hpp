#pragma once

#include <optional>
#include <string>
#include <vector>

#include "numerics/formats/tensor.hpp"
#include "reference/json/json.hpp"

namespace vernier {

/// A tensor that an implementation is asked to compute.
struct WantedTensor {
  std::string role;  ///< what it holds, as in a case: "encoding", "cos", "sin", "rotated", "bias" ...
  ElementType type = ElementType::float32;
  Shape shape;  ///< [T, width] of tables; that of the input of rotated vectors; as in a case of others
};

/// What a live implementation is asked: tensors of one encoding, at some positions.
struct Request {
  OrderedJson spec;  ///< with all defaults written out
  /// int64: [T], one a row or key; [S, T] where tokens have S positions; relative ones for buckets; [B, T]
  /// for vectors [B, ..., T, head_dim], of whoever says that they take them. They count in the spec's
  /// `position_unit`, if it has one; whoever says that they take real positions is told numbers of a
  /// floating-point type, and no unit (Retold).
  Tensor positions;
  /// The vectors to rotate, [..., T, head_dim], of the type that is wanted; only for the roles of vectors:
  /// of "rotated_k" they are keys, of "input_gradient" the gradient of the output.
  std::optional<Tensor> input = std::nullopt;
  std::vector<WantedTensor> wanted;  ///< at least one
  /// How many elements lie between the rows of the input and of what is wanted, and again between groups of
  /// rows, where an implementation that says that it takes strides shares memory with Vernier. The tensors
  /// here and in the answer are dense all the same.
  std::size_t padding = 0;
};

}  // namespace vernier
