#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "numerics/computation/prediction.hpp"
#include "numerics/tensors/spread_indices.hpp"

namespace vernier {

/// What a computation misses every element of the tensors by.
class Misses {
 public:
  /// A column of one of the tensors: what the computation makes of it, whatever another makes.
  struct Column {
    std::size_t tensor = 0;
    int pair = -1;  ///< none
    /// Of tables whether it holds a sine, of vectors whether it is the second dimension of its pair.
    bool is_second = false;
  };

  /// Looks at every element. \param of outlives this
  Misses(const Suspect& suspect, const Computation& of);

  /// The same, where no other elements are said to fail. \param elements as `element` counts them
  Misses within(const std::vector<bool>& elements) const;

  const Computation& computation() const { return computation_; }
  /// An element as the computation has it. \param column of all tensors
  const PredictedElement& at(std::size_t row, std::size_t column) const {
    return (*elements_)[element(row, column)];
  }
  bool fails(std::size_t row, std::size_t column) const { return fails_[element(row, column)]; }
  /// Whether an element of the pair fails that is not said to.
  bool leaves_out(std::size_t row, std::size_t pair) const;
  bool fails_in_row(std::size_t row) const;
  /// Whether an element of the pair fails.
  bool fails_in_pair(std::size_t row, std::size_t pair) const;
  /// The elements of a row stand one behind the other.
  std::size_t element(std::size_t row, std::size_t column) const { return row * columns_.size() + column; }
  /// The indices of all rows.
  std::vector<std::size_t> rows() const {
    return spread_indices(fails_.size() / columns_.size(), fails_.size());
  }
  /// Of all tensors, one behind the other.
  std::size_t column(const PredictedElement& one) const { return first_columns_[one.tensor] + one.column; }
  std::span<const Column> columns() const { return columns_; }
  /// The first column of a tensor.
  std::size_t first_column(std::size_t tensor) const { return first_columns_[tensor]; }

 private:
  const Computation& computation_;
  std::vector<std::size_t> first_columns_;                         ///< a tensor
  std::vector<Column> columns_;                                    ///< of all tensors
  std::vector<std::vector<std::size_t>> of_pair_;                  ///< the columns of each pair
  std::shared_ptr<const std::vector<PredictedElement>> elements_;  ///< of all rows
  std::vector<bool> fails_;
};

}  // namespace vernier
