#include "numerics/cases/multi_axis_tensor.hpp"

#include <cassert>

#include "numerics/cases/table_tensor.hpp"
#include "reference/certified_table.hpp"

namespace vernier {
namespace {

/// The certified rows of one axis, all columns of the table as if they turned by its position.
class Axis {
 public:
  Axis(const TrigTable& table, std::span<const std::int64_t> positions)
      : positions_(positions),
        certified_(certified_table_for(table, positions)),
        truth_(certified_.columns()),
        partner_(certified_.columns()) {}

  void go_to(std::size_t row) {
    position_ = positions_[row];
    certified_.row(position_, truth_, partner_);
  }

  std::int64_t position() const { return position_; }
  const Enclosure& truth(std::size_t column) const { return truth_[column]; }
  Budget budget(const BudgetModel& model, std::size_t column) const {
    return model.at(position_, certified_.table().columns[column].pair, truth_[column].approximately(),
                    partner_[column].approximately());
  }

 private:
  std::span<const std::int64_t> positions_;
  CertifiedTable certified_;
  std::int64_t position_ = 0;
  std::vector<Enclosure> truth_;
  std::vector<Enclosure> partner_;
};

}  // namespace

ElementwiseReport audit_multi_axis(const MultiAxisTensor& tensor,
                                   std::span<const std::vector<std::int64_t>> by_axis) {
  const auto model = tensor.contract->bind(tensor.table.table, tensor.stored());
  std::vector<Axis> axes;
  for (const auto& positions : by_axis) {
    assert(positions.size() == tensor.rows());
    axes.emplace_back(tensor.table.table, positions);
  }
  ElementwiseReport report;
  for (std::size_t row = 0; row < tensor.rows(); ++row) {
    for (auto& axis : axes) {
      axis.go_to(row);
    }
    for (std::size_t column = 0; column < tensor.columns(); ++column) {
      const auto& axis = axes[static_cast<std::size_t>(tensor.table.axis[column])];
      const auto index = row * tensor.columns() + column;
      const auto budget = axis.budget(model, column);
      report.add(judged_element(index, tensor.tensor.number(index), axis.truth(column), budget.total()),
                 model.inconclusive(budget), axis.position(), tensor.table.table.columns[column].pair);
    }
  }
  return report;
}

}  // namespace vernier
