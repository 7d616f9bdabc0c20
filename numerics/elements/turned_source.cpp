#include "numerics/elements/turned_source.hpp"

#include <cmath>
#include <utility>

#include <fmt/core.h>

#include "numerics/errors/rounding_budget.hpp"
#include "reference/input_error.hpp"
#include "reference/mixed_axes.hpp"
#include "reference/refined.hpp"

namespace vernier {

TurnedBudgets::TurnedBudgets(const Contract& contract, const TurnedTable& table, Format stored) {
  if (mixes_axes(table)) {
    mixed_.emplace(contract, table.sines, table.axes->positions.maps, stored);
    return;
  }
  axes_ = table.axes ? table.axes->of_columns : std::vector<int>();
  for (std::size_t axis = 0; axis < table.position_count(); ++axis) {
    models_.push_back(contract.bind(table.of_axis(axis), stored));
  }
}

void TurnedBudgets::go_to(const TurnedRow& row) {
  if (mixed_) {
    of_row_ = mixed_->of_row(row.places());
  }
}

TurnedSource::TurnedSource(TurnedTable table, const SourceRows& rows)
    : table_(std::move(table)),
      rows_(table_.axes ? rows.by_axis.front().size() : rows.positions.size()),
      row_(table_, rows) {}

bool TurnedSource::bind(const Contract& contract, Format stored) {
  if (!contract.judges(table_)) {
    return false;
  }
  try {
    stored_ = stored;
    budgets_.emplace(contract, table_, stored);
  } catch (const InputError&) {
    return false;  // of frequencies that the contract's recipes do not have
  }
  if (table_.scale) {
    errors_.emplace(budgets_->model(0), *table_.scale);
  }
  return true;
}

void TurnedSource::go_to(std::size_t row) {
  row_.go_to(row);
  if (budgets_) {
    budgets_->go_to(row_);
  }
}

bool TurnedSource::is_zero(std::size_t column) const {
  return row_.is_zero() || (!table_.scale && table_.sines.is_zero(row_.place(column), column));
}

Real TurnedSource::exact(std::size_t column) const {
  return is_zero(column) ? Real([] { return enclose(std::int64_t{0}); })
                         : table_.entry(row_.places(), column);
}

std::optional<Enclosure> TurnedSource::truth(std::size_t column) const {
  const auto& scale = row_.scale(column);
  if (is_zero(column)) {
    return Enclosure();
  }
  return !scale                  ? std::nullopt
         : table_.is_scale_alone ? scale
         : table_.scale          ? std::optional(row_.value(column) * *scale)
                                 : refined(row_.value(column), [&] { return exact(column); });
}

std::string TurnedSource::name(std::size_t column) const {
  const auto& [pair, component] = table_.sines.columns[column];
  if (table_.is_scale_alone) {
    return fmt::format("scale of pair {}", pair);
  }
  const auto axis = table_.axis(column);
  return fmt::format("{}{} of pair {}{}", table_.scale ? "scaled " : "",
                     component == Component::sine ? "sine" : "cosine", pair,
                     !table_.axes       ? ""
                     : axis == all_axes ? " along all axes"
                                        : fmt::format(" along axis {}", axis));
}

/// Where a contract says how results are rounded and nothing of how they are computed, an element is judged
/// by its neighbours.
void TurnedSource::only_round(const BudgetModel& model, std::optional<double> got,
                              AllowedElement& element) const {
  if (!model.judges_computation() && got) {
    element.budget = {.storage =
                          rounding_budget(stored_, model.parameters().storage_ulps, *got, *element.truth)};
  }
}

AllowedElement TurnedSource::allowed(std::size_t column, std::optional<double> got) const {
  const auto& model = budgets_->model(column);
  AllowedElement result{.truth = truth(column), .size = table_.is_scale_alone ? 1 : model.amplitude()};
  if (is_zero(column)) {
    return result;
  }
  if (!result.truth) {
    result.may_overflow = row_.is_growth(column);
    return result;
  }
  const int pair = row_.pair(column);
  const auto place = budgets_->place(row_, column);
  const double value = row_.value(column).approximately();
  if (!table_.scale) {
    result.budget = model.at(place, pair, value, row_.partner(column).approximately());
    only_round(model, got, result);
    hold_to(declared_overflow(), stored_, result.budget.computed(), got, result);
    return result;
  }
  const ScaleAt at{row_.scale(column)->approximately(), errors_->at(place, pair)};
  if (table_.is_scale_alone) {
    result.budget.scale = at.value * at.error;
    result.budget.storage = model.storage(at.value + result.budget.scale);
  } else {
    result.budget = scaled_budget(model, place, pair, value, row_.partner(column).approximately(), at,
                                  model.parameters().compute);
  }
  result.size *= at.value;
  only_round(model, got, result);
  result.may_overflow =
      !(std::fabs(result.truth->approximately()) + result.budget.total() <= traits(stored_).largest());
  return result;
}

}  // namespace vernier
