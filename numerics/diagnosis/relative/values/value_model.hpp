#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "numerics/computation/predicted_element.hpp"
#include "numerics/diagnosis/relative/edit_search.hpp"
#include "numerics/tensors/tensor_of.hpp"
#include "reference/schemes/encoding.hpp"

namespace vernier {

/// A computation of a table of values that may be faulty.
struct ValueModel {
  ExactTable table;
  std::vector<std::int64_t> positions;  ///< one a row
  /// That values are rounded to, before they are stored in a wider one.
  std::optional<Format> format = std::nullopt;

  /// In double precision: for estimates, never for a verdict. \pre the position has a row
  double estimate(std::size_t row, std::size_t column) const;
  bool has_rows() const;
};

/// What is to be explained.
struct ValueSubject {
  const ExactTensor& tensor;
  std::span<const std::int64_t> positions;
  const Encoding& encoding;
  std::vector<std::size_t> failing_rows;  ///< of the declared computation, by estimates

  ValueModel declared() const { return {tensor.table, {positions.begin(), positions.end()}}; }
  std::size_t rows() const { return tensor.rows(); }
  std::size_t columns() const { return tensor.columns(); }
  bool is(std::string_view scheme) const { return encoding.scheme() == scheme; }
  double at(std::size_t row, std::size_t column) const;
};
ValueSubject subject_of(const ExactTensor& tensor, std::span<const std::int64_t> positions,
                        const Encoding& encoding);

using ValueEdit = ModelEdit<ValueModel>;
using ValueEdits = ModelEdits<ValueModel>;

/// The order of edits of values.
namespace value_order {
inline constexpr int table = 0;
inline constexpr int columns = 1;
inline constexpr int positions = 2;
inline constexpr int amplitude = 3;
inline constexpr int storage = 4;
}  // namespace value_order

/// An element as a model has it, by estimates.
PredictedElement predicted_element(const ValueSubject& subject, const ValueModel& model, std::size_t row,
                                   std::size_t column);
/// Whether an estimate leaves it open that the model predicts an element.
bool may_predict(const ValueSubject& subject, const ValueModel& model, std::size_t row, std::size_t column);
/// The same of all elements of a row, were it that of the position. \param model is as before, afterwards
bool holds_row_of(const ValueSubject& subject, ValueModel& model, std::size_t row, std::int64_t position);
/// The proof.
Prediction predict(const ValueSubject& subject, const ValueModel& model);

/// The model with its columns in another order. \param source of each column, that which it holds
void reorder_columns(ValueModel& model, const std::vector<std::size_t>& source);
/// The model with another factor made of each.
void map_factors(ValueModel& model, std::function<Rational(const Rational& factor)> map);

ValueEdits value_edits(const ValueSubject& subject);

/// What the rows of position ids hold along each axis; empty of other tables, and where some axis follows no
/// rule.
std::vector<Explanation> rules_of_ids(const ValueSubject& subject);  // value_edits.cpp

}  // namespace vernier
