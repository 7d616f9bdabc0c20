#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "numerics/formats/tensor.hpp"
#include "numerics/recipes/under_test.hpp"
#include "reference/numbers/format.hpp"
#include "reference/numbers/position_range.hpp"

namespace vernier {

/// Rows of a table under test, read a few at a time. Safe to call from several threads.
class RowsUnderTest {
 public:
  RowsUnderTest() = default;
  RowsUnderTest(const RowsUnderTest&) = delete;
  RowsUnderTest& operator=(const RowsUnderTest&) = delete;
  virtual ~RowsUnderTest() = default;

  /// The format of the elements' values.
  virtual Format stored() const = 0;
  /// Whether elements are given as doubles, whatever their format.
  virtual bool widened() const = 0;
  /// The elements of rows [first, first + count), row after row, aligned for their type.
  /// \param scratch room that they may be put into
  virtual const std::byte* rows(std::int64_t first, std::size_t count,
                                std::vector<double>& scratch) const = 0;
};

/// Rows that an implementation makes, of these positions.
class MadeRows final : public RowsUnderTest {
 public:
  MadeRows(const TableUnderTest& implementation, const PositionRange& positions)
      : implementation_(implementation), positions_(positions) {}

  Format stored() const override { return implementation_.stored(); }
  bool widened() const override { return true; }
  const std::byte* rows(std::int64_t first, std::size_t count, std::vector<double>& scratch) const override;

 private:
  const TableUnderTest& implementation_;
  PositionRange positions_;
};

/// Rows of a tensor: where they lie, or as doubles if they are of a format of eight bits.
class TensorRows final : public RowsUnderTest {
 public:
  /// \param tensor of a floating-point type, [rows, columns] \param first_row what is row 0 here
  TensorRows(const Tensor& tensor, std::size_t first_row);

  Format stored() const override { return *tensor_.format(); }
  bool widened() const override { return traits(stored()).is_storage_only(); }
  const std::byte* rows(std::int64_t first, std::size_t count, std::vector<double>& scratch) const override;

 private:
  Tensor tensor_;
  std::size_t first_row_;
  std::size_t row_bytes_;
};

}  // namespace vernier
