#include "numerics/cases/multi_axis_tensor.hpp"

#include <cassert>

#include "numerics/cases/mixed_row.hpp"
#include "numerics/cases/table_tensor.hpp"
#include "reference/certified_table.hpp"

namespace vernier {
namespace {

/// The certified rows of one axis, all columns of the table as if they turned by its position.
class Axis {
 public:
  Axis(const TurnedTensor& tensor, std::size_t axis, std::span<const std::int64_t> positions)
      : positions_(positions),
        certified_(certified_table_for(tensor.table.of_axis(axis), positions)),
        model_(tensor.contract->bind(certified_.table(), tensor.stored())),
        truth_(certified_.columns()),
        partner_(certified_.columns()) {}

  void go_to(std::size_t row) {
    position_ = positions_[row];
    certified_.row(position_, truth_, partner_);
  }

  std::int64_t position() const { return position_; }
  const Enclosure& truth(std::size_t column) const { return truth_[column]; }
  /// None for what is zero by definition.
  Budget budget(std::size_t column) const {
    return certified_.table().is_zero(position_, column)
               ? Budget()
               : model_.at(position_, certified_.table().columns[column].pair, truth_[column].approximately(),
                           partner_[column].approximately());
  }
  bool is_inconclusive(const Budget& budget) const { return model_.inconclusive(budget); }

 private:
  std::span<const std::int64_t> positions_;
  CertifiedTable certified_;
  BudgetModel model_;
  std::int64_t position_ = 0;
  std::vector<Enclosure> truth_;
  std::vector<Enclosure> partner_;
};

/// Of a table whose columns turn by all axes.
ElementwiseReport audit_mixed(const TurnedTensor& tensor,
                              std::span<const std::vector<std::int64_t>> by_axis) {
  const auto& table = tensor.table.table;
  const auto& maps = tensor.table.positions.maps;
  MixedRow truth(table, maps, by_axis);
  const MixedBudget budgets(*tensor.contract, table, maps, tensor.stored());
  ElementwiseReport report;
  for (std::size_t row = 0; row < tensor.rows(); ++row) {
    truth.go_to(row);
    const auto model = budgets.of_row(truth.places());
    for (std::size_t column = 0; column < tensor.columns(); ++column) {
      const auto& [pair, component] = table.columns[column];
      const auto& sine = truth.sine(pair);
      const auto& cosine = truth.cosine(pair);
      const auto& value = component == Component::sine ? sine : cosine;
      const auto& partner = component == Component::sine ? cosine : sine;
      const auto budget = model.at(1, pair, value.approximately(), partner.approximately());
      const auto index = row * tensor.columns() + column;
      report.add(judged_element(index, tensor.tensor.number(index), value, budget.total()),
                 model.inconclusive(budget), truth.places().front(), pair);
    }
  }
  return report;
}

}  // namespace

ElementwiseReport audit_multi_axis(const TurnedTensor& tensor,
                                   std::span<const std::vector<std::int64_t>> by_axis,
                                   const std::vector<bool>& zero_rows) {
  if (mixes_axes(tensor.table)) {
    return audit_mixed(tensor, by_axis);
  }
  std::vector<Axis> axes;
  for (const auto& positions : by_axis) {
    assert(positions.size() == tensor.rows());
    axes.emplace_back(tensor, axes.size(), positions);
  }
  ElementwiseReport report;
  for (std::size_t row = 0; row < tensor.rows(); ++row) {
    const bool is_zero = !zero_rows.empty() && zero_rows[row];
    for (auto& axis : axes) {
      axis.go_to(row);
    }
    for (std::size_t column = 0; column < tensor.columns(); ++column) {
      const auto& axis = axes[static_cast<std::size_t>(tensor.table.axis[column])];
      const auto index = row * tensor.columns() + column;
      const auto budget = is_zero ? Budget() : axis.budget(column);
      report.add(judged_element(index, tensor.tensor.number(index),
                                is_zero ? Enclosure() : axis.truth(column), budget.total()),
                 axis.is_inconclusive(budget), axis.position(), tensor.table.table.columns[column].pair);
    }
  }
  return report;
}

}  // namespace vernier
