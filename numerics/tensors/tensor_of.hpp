#pragma once

#include <cmath>
#include <cstddef>
#include <span>
#include <string>

#include "numerics/contracts/contract.hpp"
#include "numerics/elements/element_source.hpp"
#include "numerics/formats/tensor.hpp"
#include "reference/tables/tensor_definition.hpp"

namespace vernier {

/// A tensor that claims to hold what an encoding defines, and the contract that it is held to.
template <class Definition>
struct TensorOf {
  Definition table;
  Tensor tensor;  ///< of tables with rows [rows, columns], or so laid out; of a type and shape that fit the
                  ///< table
  const Contract* contract;  ///< never null, one that judges the table
  Overflow overflow =
      Overflow::undeclared;  ///< what becomes of sines beyond the greatest number of the format

  std::string role() const { return std::string(role_of(table)); }
  /// The format of the elements; of integers binary64, in which they are told.
  Format stored() const { return tensor.format().value_or(Format::binary64); }

  /// Of sines or of values: what the contract allows.
  auto model() const { return contract->bind(table, stored()); }
  /// The sines and cosines that contracts bound, of a plain table; else null.
  const TrigTable* bound_sines() const {
    if constexpr (requires { table.is_plain(); }) {
      return table.is_plain() ? &table.sines : nullptr;
    }
    return nullptr;
  }

  /// \name Of sines
  /// @{
  /// Whether some may be beyond the greatest number of the format, and what they become is declared.
  bool may_overflow() const {
    return overflow != Overflow::undeclared &&
           approximately(table.sines.amplitude) > traits(stored()).largest();
  }
  /// Whether an element is what becomes of numbers beyond the format, or may be.
  bool has_overflown(double element) const {
    return may_overflow() && !(std::fabs(element) < traits(stored()).largest());
  }
  /// @}

  /// \name Of tables with rows
  /// @{
  std::size_t rows() const { return tensor.elements() / columns(); }
  std::size_t columns() const { return columns_of(table); }
  /// \param out columns() elements
  void row(std::size_t row, std::span<double> out) const { tensor.numbers(row * columns(), out); }
  std::span<const std::byte> row_bytes(std::size_t row) const {
    const auto width = tensor.bytes().size() / rows();
    return tensor.bytes().subspan(row * width, width);
  }
  /// @}
};

/// A tensor of rows of values, of any type.
using ExactTensor = TensorOf<ExactTable>;
/// A tensor of rows of sines and cosines: of one position, of several, or with a scale; of a floating-point
/// type.
using TableTensor = TensorOf<TurnedTable>;

}  // namespace vernier
