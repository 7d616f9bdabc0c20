#include "numerics/cases/scaled_tensor.hpp"

#include <cassert>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include "numerics/cases/table_tensor.hpp"
#include "numerics/errors/scale_budget.hpp"
#include "reference/certified_scale.hpp"

namespace vernier {
namespace {

/// The rows of a scaled table, judged one after another.
class ScaledRowJudge {
 public:
  ScaledRowJudge(const ScaledTensor& tensor, std::span<const std::int64_t> positions)
      : tensor_(tensor),
        positions_(positions),
        model_(tensor.contract->bind(tensor.table.sines, tensor.stored())),
        errors_(model_, tensor.table.scale),
        sines_(certified_table_for(tensor.table.sines, positions)),
        scale_(tensor.table.scale),
        scales_(tensor.table.scale.ratios.size()),
        truth_(tensor.columns()),
        partner_(tensor.columns()) {}

  void row(std::size_t row, ElementwiseReport& report) {
    position_ = positions_[row];
    if (!tensor_.table.is_scale_alone) {
      sines_.row(position_, truth_, partner_);
    }
    for (std::size_t pair = 0; pair < scales_.size(); ++pair) {
      scales_[pair] = scale_.at(position_, static_cast<int>(pair));
    }
    for (std::size_t column = 0; column < tensor_.columns(); ++column) {
      judge(row * tensor_.columns() + column, column, report);
    }
  }

 private:
  void judge(std::size_t index, std::size_t column, ElementwiseReport& report) const {
    const int pair = tensor_.table.sines.columns[column].pair;
    const auto& scale = scales_[static_cast<std::size_t>(pair)];
    const double got = tensor_.tensor.number(index);
    if (!scale && scale_.is_growth(position_, pair)) {
      add_overflow(report);
      return;
    }
    if (!scale) {
      report.add(judged_element(index, got, {}, std::numeric_limits<double>::infinity()), true, position_,
                 pair);
      return;
    }
    const auto truth = tensor_.table.is_scale_alone ? *scale : truth_[column] * *scale;
    const ScaleAt at{scale->approximately(), errors_.at(position_, pair)};
    const double budget =
        tensor_.table.is_scale_alone ? budget_of_scale(at) : budget_of_sine(at, column, pair);
    const double whole = at.value * (tensor_.table.is_scale_alone ? 1 : model_.amplitude());
    if (!(std::fabs(truth.approximately()) + budget <= traits(tensor_.stored()).largest())) {
      add_overflow(report);
      return;
    }
    report.add(judged_element(index, got, truth, budget), !(budget <= whole / 4), position_, pair);
  }

  /// Whatever it is, infinity too.
  static void add_overflow(ElementwiseReport& report) {
    ++report.elements;
    ++report.inconclusive;
  }

  double budget_of_scale(const ScaleAt& at) const {
    const double computed = at.value * at.error;
    return computed + model_.storage(at.value + computed);
  }

  double budget_of_sine(const ScaleAt& at, std::size_t column, int pair) const {
    return scaled_budget(model_, position_, pair, truth_[column].approximately(),
                         partner_[column].approximately(), at, model_.parameters().compute)
        .total();
  }

  const ScaledTensor& tensor_;
  std::span<const std::int64_t> positions_;
  BudgetModel model_;
  ScaleErrors errors_;
  CertifiedTable sines_;
  CertifiedScale scale_;
  std::vector<std::optional<Enclosure>> scales_;  ///< one a pair
  std::int64_t position_ = 0;
  std::vector<Enclosure> truth_;
  std::vector<Enclosure> partner_;
};

}  // namespace

ElementwiseReport audit_scaled(const ScaledTensor& tensor, std::span<const std::int64_t> positions) {
  assert(positions.size() == tensor.rows());
  ScaledRowJudge judge(tensor, positions);
  ElementwiseReport report;
  for (std::size_t row = 0; row < tensor.rows(); ++row) {
    judge.row(row, report);
  }
  return report;
}

}  // namespace vernier
