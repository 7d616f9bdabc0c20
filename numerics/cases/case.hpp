#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "numerics/cases/case_tensors.hpp"
#include "reference/encoding.hpp"

namespace vernier {

/// A spec and the tensors that somebody's implementation of it produced: checked against each other, ready to
/// be judged.
struct Case {
  std::string name;
  std::string producer;  ///< who made the tensors, in their own words; may be empty
  std::unique_ptr<Encoding> encoding;
  /// One a row of the tables, all copies of them; one a key of the biases; else one a row of the vectors.
  /// They are places (position_map.hpp), as everywhere behind a case.
  std::vector<std::int64_t> positions;
  CaseTensors tensors = {};
  /// Of tables by several positions: those along each axis, one a row. `positions` are then the numbers of
  /// the rows' patches, or those along the first axis.
  std::vector<std::vector<std::int64_t>> positions_by_axis = {};
  /// Which of those rows are zeros by definition, whatever stands along their axes; empty where none is.
  std::vector<bool> zero_rows = {};
  /// The rows of its tables.
  SourceRows rows() const {
    return {.positions = positions, .by_axis = positions_by_axis, .zero_rows = zero_rows};
  }
  /// What the rows of the tables, of sines and of values, are copies of: batch, heads. Their tensors hold all
  /// copies, one after another.
  Shape leading = {};
  /// How its tensors of eight bits were stored, where it is said; the factor is in the amplitudes of their
  /// definitions.
  std::optional<Quantization> quantization = std::nullopt;

  /// The position of a row as it was given: "7", "0.5".
  std::string position_text(std::size_t row) const { return encoding->positions().text(positions[row]); }
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
  /// Of vectors, by their role, where they are not those of the rows.
  std::map<std::string, NamedTensor, std::less<>> positions_of_vectors = {};
  std::optional<Quantization> quantization = std::nullopt;  ///< of its tensors of sines and of vectors
};

/// The roles a tensor can have in a case: "cos", "encoding", "positions" ...
std::span<const std::string_view> tensor_roles();

/// Fits the tensors to the encoding. Leading dimensions of size 1 are dropped.
/// Positions are [T], or [..., T] with the leading dimensions of the tensors (positions_of_rows()); where
/// tokens have S positions (M-RoPE, axial RoPE), [T], [S, T] or [S, ..., T]. Those of a floating-point type
/// may be fractions, where the encoding takes them.
/// \throws InputError for a tensor of no shape or type that the encoding defines for its role, for positions
/// that are not numbers within +-2^31, one a row or key, for buckets without as many relative positions, and
/// for a contract that is unknown or says nothing of a tensor, and for a quantization of what has no format
/// of eight bits
Case assemble_case(const CaseInput& parts, std::unique_ptr<Encoding> encoding);

}  // namespace vernier
