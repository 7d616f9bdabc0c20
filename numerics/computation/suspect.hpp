#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "numerics/computation/computation.hpp"
#include "numerics/computation/spec_changes.hpp"
#include "numerics/decoding/row_set.hpp"
#include "numerics/tensors/case.hpp"
#include "numerics/tensors/rotated_tensor.hpp"
#include "reference/schemes/encoding.hpp"

namespace vernier {

/// Tensors of sines and cosines, or vectors rotated by them, that one computation made, and what that is said
/// to be.
class Suspect {
 public:
  /// One of the tensors.
  struct Table {
    std::string role;
    const Tensor* tensor;
    const Contract* contract;
    std::optional<std::int64_t> zero_position;  ///< of a table by one position: that of padding
    bool is_scale_alone = false;                ///< it holds what others grow by, not sines and cosines
    std::size_t width() const { return tensor->shape().back(); }
    Format stored() const { return *tensor->format(); }
  };

  /// The tables of a case, by one position or by several, or scaled. \pre it has some, and outlives this
  static Suspect of_tables(const Case& subject);
  /// \param vectors that the encoding rotates; both outlive this
  static Suspect of_vectors(const Encoding& encoding, const RotatedTensor& vectors);

  const Encoding& encoding() const { return *encoding_; }
  std::span<const Table> tables() const { return tables_; }
  /// Null of tables.
  const RotatedTensor* vectors() const { return vectors_; }
  /// Whether it is something else than vectors rotated forward: faults of these have names of their own.
  bool has_operation() const;
  std::size_t tensors() const { return vectors_ != nullptr ? 1 : tables_.size(); }
  std::string roles() const;
  /// Whether pairs are scaled by the position.
  bool grows() const { return !declared_.growth.empty(); }
  /// Of all copies.
  std::size_t rows() const { return positions_.front().size(); }
  const RowGrid& grid() const { return grid_; }
  /// Whether a row of a table is zero by definition; none of vectors is.
  bool is_zero_row(std::size_t tensor, std::size_t row) const;
  /// The elements of a row of one tensor.
  std::size_t width(std::size_t tensor) const;
  /// Of all tensors together.
  std::size_t width() const;
  /// The positions along each axis, one a row; at least one axis.
  const std::vector<std::vector<std::int64_t>>& positions() const { return positions_; }
  /// Of the positions along each axis.
  std::vector<PositionMap> maps() const { return maps_of(*encoding_); }
  /// Whether the positions along every axis are integers, by which pairs turn as they are.
  bool places_are_positions() const;
  /// Whether those along any axis are shifted.
  bool has_offset() const;
  Format stored(std::size_t tensor) const {
    return vectors_ != nullptr ? vectors_->stored() : tables_[tensor].stored();
  }

  /// How results are stored, where the case says it.
  const std::optional<Quantization>& quantization() const { return quantization_; }

  /// What the encoding declares.
  const Computation& declared() const { return declared_; }
  /// What an edited spec would declare of the same tensors; nothing if it is no spec, or its tensors have
  /// another shape. \param patch JSON patch (RFC 6902) of the spec
  std::optional<Computation> declared_by(const OrderedJson& patch) const;
  /// The frequencies of the same computation alone, to an ulp or two: a small part of the work.
  std::optional<std::vector<double>> frequencies_by(const OrderedJson& patch) const;
  /// The same by another spec of the scheme, or by what is none.
  std::optional<std::vector<double>> frequencies_of(const OrderedJson& spec) const;

  /// What another spec of the scheme declares of the same tensors.
  struct OtherSpec {
    SpecChange change;
    Computation computation;
    bool has_other_columns = false;  ///< pairs lie otherwise in columns, or turn along other axes
  };
  /// Those by which elements have other values, of as many pairs.
  const std::vector<OtherSpec>& other_specs() const;

  /// Of all elements that are numbers.
  struct Magnitudes {
    double least = std::numeric_limits<double>::infinity();  ///< of those that are not zero
    bool has_zeros = false;
  };
  Magnitudes magnitudes() const;

 private:
  Suspect();

  /// Takes the rows for those of so many copies. \pre it has positions
  void take_copies(const Shape& leading);

  std::vector<PositionMap> maps_of(const Encoding& encoding) const;

  /// What of a computation is wanted.
  enum class Part { all, frequencies };

  bool has_its_rows(const Encoding& other) const;
  std::optional<std::vector<double>> frequencies_of(const Encoding& other) const;
  std::optional<Computation> declaration_of(const Encoding& encoding) const;
  std::optional<Computation> computation_of(const Encoding& encoding) const;
  std::optional<Computation> rotation_of(const Encoding& encoding, Part part) const;
  std::optional<Computation> tables_of(const Encoding& encoding, Part part) const;

  const Encoding* encoding_ = nullptr;
  bool has_scaled_tables_ = false;
  std::vector<Table> tables_;
  const RotatedTensor* vectors_ = nullptr;
  RowGrid grid_;
  std::vector<std::vector<std::int64_t>> positions_;
  std::vector<bool> zero_rows_;  ///< of tables by several positions; empty: none
  std::optional<Quantization> quantization_;
  Computation declared_;
  /// Many edits ask for the same patches, and a spec takes its time to be read.
  struct Asked;
  std::shared_ptr<Asked> asked_;
};

}  // namespace vernier
