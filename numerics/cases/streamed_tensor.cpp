#include "numerics/cases/streamed_tensor.hpp"

#include <cassert>

#include "numerics/cases/table_tensor.hpp"
#include "reference/certified_table.hpp"

namespace vernier {
namespace {

/// The certified rows of one stream, all columns of the table as if they turned by it.
class Stream {
 public:
  Stream(const TrigTable& table, std::span<const std::int64_t> positions)
      : positions_(positions),
        certified_(certified_table_for(table, positions)),
        truth_(certified_.columns()),
        partner_(certified_.columns()) {}

  void go_to(std::size_t row) {
    position_ = positions_[row];
    certified_.row(position_, truth_, partner_);
  }

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

ElementwiseReport audit_streamed(const StreamedTensor& tensor,
                                 std::span<const std::vector<std::int64_t>> streams) {
  const auto model = tensor.contract->bind(tensor.table.table, tensor.stored());
  std::vector<Stream> rows_of;
  for (const auto& positions : streams) {
    assert(positions.size() == tensor.rows());
    rows_of.emplace_back(tensor.table.table, positions);
  }
  ElementwiseReport report;
  for (std::size_t row = 0; row < tensor.rows(); ++row) {
    for (auto& stream : rows_of) {
      stream.go_to(row);
    }
    for (std::size_t column = 0; column < tensor.columns(); ++column) {
      const auto& stream = rows_of[static_cast<std::size_t>(tensor.table.streams[column])];
      const auto index = row * tensor.columns() + column;
      const auto budget = stream.budget(model, column);
      report.add(judged_element(index, tensor.tensor.number(index), stream.truth(column), budget.total()),
                 model.inconclusive(budget));
    }
  }
  return report;
}

}  // namespace vernier
