#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "numerics/tensors/bias_tensor.hpp"
#include "numerics/tensors/bucket_tensor.hpp"
#include "numerics/tensors/rotated_tensor.hpp"
#include "numerics/tensors/table_tensor.hpp"
#include "numerics/tensors/tensor_of.hpp"
#include "reference/schemes/encoding.hpp"

namespace vernier {

/// The tensors of a case, each of the kind that its definition has.
class CaseTensors {
 public:
  /// Those of one kind: `all<TableTensor>()`.
  template <class Kind>
  const std::vector<Kind>& all() const {
    return std::get<std::vector<Kind>>(by_kind_);
  }
  template <class Kind>
  std::vector<Kind>& all() {
    return std::get<std::vector<Kind>>(by_kind_);
  }
  template <class Kind>
  bool has() const {
    return !all<Kind>().empty();
  }
  /// The tables of one position and without a scale: all of a case or none, as they are of one encoding.
  const std::vector<TableTensor>& plain_tables() const {
    static const std::vector<TableTensor> none;
    const auto& tables = all<TableTensor>();
    return tables.empty() || tables.front().table.is_plain() ? tables : none;
  }
  template <class Kind>
  void add(Kind tensor) {
    all<Kind>().push_back(std::move(tensor));
  }

  /// Calls `visit` with every tensor, kind by kind.
  template <class Visit>
  void for_each(const Visit& visit) const {
    std::apply([&](const auto&... kinds) { (std::ranges::for_each(kinds, visit), ...); }, by_kind_);
  }
  /// The same with those that the contracts of sines bound: plain tables, vectors, frequencies of pairs.
  template <class Visit>
  void for_each_of_sines(const Visit& visit) const {
    for_each([&](const auto& tensor) {
      if constexpr (requires { tensor.bound_sines(); }) {
        if (tensor.bound_sines() != nullptr) {
          visit(tensor);
        }
      }
    });
  }
  bool empty() const {
    return std::apply([](const auto&... kinds) { return (kinds.empty() && ...); }, by_kind_);
  }

 private:
  std::tuple<std::vector<TableTensor>, std::vector<ExactTensor>, std::vector<RotatedTensor>,
             std::vector<BiasTensor>, std::vector<BucketTensor>>
      by_kind_;
};

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
