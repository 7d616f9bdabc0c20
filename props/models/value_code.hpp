#pragma once

#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "props/models/position_model.hpp"
#include "reference/tables/exact_table.hpp"

namespace vernier {

/// A table of exact factors, or of sines times such factors, as an absolute code scored by its dot product.
/// What is known of it is found by exact arithmetic on its rows: on all of them where the table is short,
/// else on the first few hundred, and then it says so.
class ValueCode final : public PositionModel {
 public:
  /// The table for a text of another length.
  using OfLength = std::function<ExactTable(std::int64_t length)>;

  struct Options {
    bool trained = false;  ///< its values are not in its definition, but come out of training
    OfLength of_length = nullptr;
  };

  explicit ValueCode(ExactTable table) : ValueCode(std::move(table), Options{}) {}
  ValueCode(ExactTable table, Options options);

  PositionWindow window() const override;
  IntervalVector code(std::int64_t position) const override;
  Interval score(std::int64_t query, std::int64_t key) const override { return code(query).dot(code(key)); }
  std::unique_ptr<PositionModel> at_length(std::int64_t length) const override {
    return options_.of_length ? std::make_unique<ValueCode>(options_.of_length(length)) : nullptr;
  }
  std::optional<Interval> bound() const override;
  std::optional<Interval> lipschitz() const override;
  std::optional<Justification> justification(std::string_view property) const override;

 private:
  using Row = std::vector<Rational>;

  bool all_rows_known() const {
    return table_.first_position && table_.last_position &&
           static_cast<std::int64_t>(rows_.size()) == *table_.last_position - *table_.first_position + 1;
  }
  bool is_zero() const;
  /// Whether the rows are those of an affine function of the position.
  bool is_affine() const;
  std::optional<Justification> uniqueness() const;
  std::optional<Justification> boundedness() const;
  Justification smoothness() const;
  /// What exact comparison of all rows with each other says, of a short table.
  std::optional<Justification> over_all_rows(std::string_view property) const;

  ExactTable table_;
  Options options_;
  std::int64_t first_ = 0;
  std::vector<Row> rows_;  ///< the factors of first_, first_ + 1 ...
  mutable std::map<std::int64_t, IntervalVector> codes_;
};

}  // namespace vernier
