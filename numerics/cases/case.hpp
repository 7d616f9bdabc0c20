#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "numerics/cases/bias_tensor.hpp"
#include "numerics/cases/bucket_tensor.hpp"
#include "numerics/cases/rotated_tensor.hpp"
#include "numerics/cases/scaled_tensor.hpp"
#include "numerics/cases/streamed_tensor.hpp"
#include "numerics/cases/table_tensor.hpp"
#include "numerics/cases/value_tensor.hpp"
#include "reference/encoding.hpp"

namespace vernier {

/// A spec and the tensors that somebody's implementation of it produced: checked against each other, ready to
/// be judged.
struct Case {
  std::string name;
  std::string producer;  ///< who made the tensors, in their own words; may be empty
  std::unique_ptr<Encoding> encoding;
  /// One a row of the tables, all copies of them; one a key of the biases; else one a row of the vectors.
  std::vector<std::int64_t> positions;
  std::vector<TableTensor> tables;      ///< the tensors that hold tables of the encoding
  std::vector<BiasTensor> biases = {};  ///< the tensors that hold slopes or biases of the encoding
  std::optional<BucketTensor> buckets = std::nullopt;
  std::vector<ValueTensor> values = {};       ///< the tensors that hold tables of values of the encoding
  std::vector<StreamedTensor> streamed = {};  ///< the tensors that hold tables by several positions
  /// Of those: the positions of each stream, one a row. `positions` are then the numbers of the rows'
  /// patches, or those of the first stream.
  std::vector<std::vector<std::int64_t>> streams = {};
  /// What the rows of the tables, of sines and of values, are copies of: batch, heads. Their tensors hold all
  /// copies, one after another.
  Shape leading = {};
  std::vector<RotatedTensor> rotated = {};  ///< the head vectors that were rotated: queries, keys
  std::vector<ScaledTensor> scaled = {};    ///< the tensors that hold scaled tables of the encoding
};

/// A tensor and what to call it in errors: a file, "the plug-in's cos".
struct NamedTensor {
  std::string source;
  Tensor tensor;
};

/// What a case is made of, wherever it came from.
struct CaseInput {
  std::string source;  ///< what to call the whole in errors: the case file, the spec file
  std::string name;
  std::string producer;
  std::map<std::string, NamedTensor, std::less<>> tensors;  ///< by role
  std::optional<std::string> contract;                      ///< for all tensors; else each format's default
  std::optional<NamedTensor> rotated_positions =
      {};  ///< of the vectors, where they are not those of the rows
};

/// The roles a tensor can have in a case: "cos", "encoding", "positions" ...
std::span<const std::string_view> tensor_roles();

/// Fits the tensors to the encoding. Leading dimensions of size 1 are dropped.
/// Positions are [T], or [..., T] with the leading dimensions of the tensors (positions_of_rows()); where
/// tokens have S positions (M-RoPE, axial RoPE), [T], [S, T] or [S, ..., T].
/// \throws InputError for a tensor of no shape or type that the encoding defines for its role, for positions
/// that are not integers within +-2^31, one a row or key, for buckets without as many relative positions, and
/// for a contract that is unknown or says nothing of a tensor
Case assemble_case(const CaseInput& parts, std::unique_ptr<Encoding> encoding);

}  // namespace vernier
