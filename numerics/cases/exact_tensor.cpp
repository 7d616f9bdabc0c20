#include "numerics/cases/exact_tensor.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include "numerics/cases/table_tensor.hpp"
#include "reference/certified_table.hpp"

namespace vernier {
namespace {

/// What an element may be off by, and whether that proves anything.
struct Allowance {
  double budget;
  bool inconclusive;
};

/// The sines that a table's entries are multiplied by, certified, with what computing them may be off by.
class JudgedSines {
 public:
  JudgedSines(const ExactTensor& tensor, std::span<const std::int64_t> positions)
      : certified_(certified_table_for(*tensor.table.sines, positions)),
        model_(tensor.contract->bind(*tensor.table.sines, tensor.stored())),
        sine_(certified_.columns()),
        partner_(certified_.columns()) {}

  void go_to(std::int64_t position) {
    position_ = position;
    certified_.row(position, sine_, partner_);
  }

  const Enclosure& sine(std::size_t column) const { return sine_[column]; }

  /// The computed entry f' s' has |f' - f| <= e |f| and |s' - s| <= D, with e of the contract's budget for
  /// the factor, the rounding of the product included, and D the phase's and the trigonometry's part of the
  /// sine's: |f' s' - f s| <= |f s| e + |f| (1 + e) D. Storage rounds what that makes at most.
  /// \param got an element  \param truth f s
  Allowance allowance(const BiasBudget& of_factor, double factor, std::size_t column, double got,
                      const Enclosure& truth) const {
    const double sine = std::fabs(sine_[column].approximately());
    const double scale = std::fabs(factor);
    const auto budget = model_.at(position_, certified_.table().columns[column].pair,
                                  sine_[column].approximately(), partner_[column].approximately());
    const double sine_error = budget.phase + budget.trig;
    const double computed = scale * (sine * of_factor.relative + (1 + of_factor.relative) * sine_error);
    const BiasBudget of_product{of_factor.stored, 0, of_factor.storage_ulps, computed};
    return {of_product.of(got, truth), model_.inconclusive(budget)};
  }

 private:
  CertifiedTable certified_;
  BudgetModel model_;
  std::int64_t position_ = 0;
  std::vector<Enclosure> sine_;
  std::vector<Enclosure> partner_;
};

/// An integer beyond 64 bits is no entry of any table.
double element(const Tensor& tensor, std::size_t index) {
  if (tensor.format()) {
    return tensor.number(index);
  }
  const auto integer = tensor.integer(index);
  return integer ? static_cast<double>(*integer) : std::numeric_limits<double>::infinity();
}

Enclosure enclosure_of_factor(const Rational& factor) {
  const WorkingPrecision precision(ziv_first_precision);
  return enclosure_of(enclose(factor));
}

/// The greatest magnitude of a table of computed numbers.
double greatest_number(const ExactTable& table, std::span<const std::int64_t> positions) {
  double greatest = 0;
  for (const auto position : positions) {
    table.require(position);
    for (std::size_t column = 0; column < table.columns; ++column) {
      greatest = std::max(greatest, std::fabs(table.computed_entry(position, column).estimate));
    }
  }
  return greatest;
}

/// Judges the elements of a table of computed numbers. A sum may cancel: its budget, no small share of
/// itself, proves something as long as it is a small share of the greatest number.
ElementwiseReport audit_computed(const ExactTensor& tensor, std::span<const std::int64_t> positions) {
  const auto& table = tensor.table;
  const double greatest = greatest_number(table, positions);
  ElementwiseReport report;
  for (std::size_t row = 0; row < positions.size(); ++row) {
    for (std::size_t column = 0; column < table.columns; ++column) {
      const auto number = table.computed_entry(positions[row], column);
      const auto budget = tensor.contract->bind(number, tensor.stored());
      const auto truth = tight_enclosure(number.value);
      const auto index = row * table.columns + column;
      const double got = element(tensor.tensor, index);
      report.add(judged_element(index, got, truth, budget.of(got, truth)), budget.inconclusive_at(greatest));
    }
  }
  return report;
}

}  // namespace

ElementwiseReport audit_values(const ExactTensor& tensor, std::span<const std::int64_t> positions) {
  assert(tensor.contract->judges(tensor.table) && positions.size() == tensor.rows());
  if (tensor.table.computed) {
    return audit_computed(tensor, positions);
  }
  const auto& table = tensor.table;
  const auto budget = tensor.model();
  std::optional<JudgedSines> sines;
  if (table.sines) {
    sines.emplace(tensor, positions);
  }
  ElementwiseReport report;
  for (std::size_t row = 0; row < positions.size(); ++row) {
    const auto position = positions[row];
    table.require(position);
    if (sines) {
      sines->go_to(table.sine_position(position));
    }
    for (std::size_t column = 0; column < table.columns; ++column) {
      const auto index = row * table.columns + column;
      const auto factor = enclosure_of_factor(table.factor(position, column));
      const auto truth = sines ? factor * sines->sine(column) : factor;
      const double got = element(tensor.tensor, index);
      const auto allowed = sines ? sines->allowance(budget, factor.approximately(), column, got, truth)
                                 : Allowance{budget.of(got, truth), budget.inconclusive()};
      report.add(judged_element(index, got, truth, allowed.budget), allowed.inconclusive);
    }
  }
  return report;
}

}  // namespace vernier
