#pragma once

#include <optional>
#include <vector>

#include "numerics/elements/element_source.hpp"
#include "numerics/elements/turned_row.hpp"
#include "numerics/errors/scale_budget.hpp"

namespace vernier {

/// What contracts allow to the sines and cosines of turned rows, before they are scaled.
class TurnedBudgets {
 public:
  /// \throws InputError where the contract says nothing of the table's frequencies
  TurnedBudgets(const Contract& contract, const TurnedTable& table, Format stored);

  void go_to(const TurnedRow& row);
  /// Of a column of the row. \param place of it in this model
  const BudgetModel& model(std::size_t column) const {
    return of_row_ ? *of_row_ : models_[axes_.empty() ? 0 : static_cast<std::size_t>(axes_[column])];
  }
  std::int64_t place(const TurnedRow& row, std::size_t column) const {
    return of_row_ ? 1 : row.place(column);
  }

 private:
  std::vector<int> axes_;            ///< of columns; empty where there is one axis or columns turn by all
  std::vector<BudgetModel> models_;  ///< one an axis
  std::optional<MixedBudget> mixed_;
  std::optional<BudgetModel> of_row_;  ///< of mixed axes
};

/// Tables of sines and cosines, of one position a row or of several, with a scale or without. An element
/// proves nothing where its budget is too large for the amplitude times the scale, or where the scale is
/// beyond 2^+-400; where it may be beyond the greatest number of the format any value may be the right one.
class TurnedSource final : public ElementSource {
 public:
  TurnedSource(TurnedTable table, const SourceRows& rows);

  std::string_view role() const override { return table_.sines.role; }
  Shape shape() const override { return {rows_, table_.sines.columns.size()}; }
  bool bind(const Contract& contract, Format stored) override;
  void go_to(std::size_t row) override;
  Real exact(std::size_t column) const override;
  std::optional<Enclosure> truth(std::size_t column) const override;
  ElementPlace place(std::size_t column) const override { return {row_.place(column), row_.pair(column)}; }
  std::string name(std::size_t column) const override;
  AllowedElement allowed(std::size_t column, std::optional<double> got) const override;
  bool has_pairs() const override { return true; }

 private:
  /// By definition.
  bool is_zero(std::size_t column) const;
  void only_round(const BudgetModel& model, std::optional<double> got, AllowedElement& element) const;

  TurnedTable table_;
  std::size_t rows_;
  TurnedRow row_;
  Format stored_ = Format::binary64;
  std::optional<TurnedBudgets> budgets_;
  std::optional<ScaleErrors> errors_;
};

}  // namespace vernier
