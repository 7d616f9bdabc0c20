#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "numerics/computation/prediction.hpp"
#include "numerics/diagnosis/damage.hpp"

namespace vernier {

std::string role_of(const Suspect& suspect, std::size_t tensor);

/// A tensor, and what a computation says of it.
class PredictedTensor {
 public:
  PredictedTensor() = default;
  PredictedTensor(const PredictedTensor&) = delete;
  PredictedTensor& operator=(const PredictedTensor&) = delete;
  virtual ~PredictedTensor() = default;

  virtual std::size_t rows() const = 0;
  virtual std::size_t width() const = 0;
  virtual Format stored() const = 0;
  virtual double at(std::size_t row, std::size_t column) const = 0;
  /// Calls `visit` with every element of a row, in their order.
  virtual void visit(std::size_t row, const Predictor::Visit& visit) const = 0;
  /// "row 33 (position 34)"
  virtual std::string row_words(std::size_t row) const = 0;
  /// Whether the row is zero by definition.
  virtual bool is_padding(std::size_t /*row*/) const { return false; }
  /// Whether it is made of others, some columns of which it passes through: what does not has a name of its
  /// own.
  virtual bool is_rotated() const { return false; }
};

/// The elements of one tensor that fail under a computation.
struct FailingTensor {
  /// By rows or columns.
  using Lines = std::map<std::size_t, std::vector<const PredictedElement*>>;

  /// \param failing at least one
  FailingTensor(const PredictedTensor& tensor, std::vector<const PredictedElement*> failing);

  const PredictedTensor& tensor;
  std::vector<const PredictedElement*> failing;
  Lines rows;
  Lines columns;

  /// Stands in sentences for the roles of the tensors that they are told of, until these are known.
  static constexpr std::string_view role = "<role>";
};

/// What a number of lines may at most be, to be called a few.
std::size_t a_few(std::size_t of);

/// The findings of several tensors, each sentence once, with the roles of the tensors it is told of.
std::vector<Finding> told_once(const std::vector<std::pair<std::string, Finding>>& by_role);

/// Tells of elements that are no numbers. \param first of them
void tell_no_numbers(const PredictedTensor& tensor, const PredictedElement& first, std::size_t count,
                     const std::string& role, Damage& damage);

/// Adds what overwrote the elements of one tensor to the damage, if it explains all that fail: whole rows or
/// columns that were never written, elements of no order, columns or rows that hold others, the row of
/// padding and beside it one of these. \return whether it does
bool explain(const FailingTensor& tensor, Damage& damage);

}  // namespace vernier
