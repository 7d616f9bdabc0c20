#include <cmath>
#include <optional>
#include <utility>

#include <fmt/core.h>

#include "numerics/budgets/budget.hpp"
#include "numerics/budgets/scale_budget.hpp"
#include "numerics/elements/sources.hpp"
#include "numerics/elements/turn_allowance.hpp"
#include "numerics/elements/turned_row.hpp"
#include "reference/numbers/real.hpp"
#include "reference/support/input_error.hpp"
#include "reference/tables/mixed_axes.hpp"

namespace vernier {
namespace {

class TurnedSource final : public ElementSource {
 public:
  TurnedSource(TurnedTable table, const SourceRows& rows)
      : table_(std::move(table)), rows_(rows), row_(table_, rows) {}

  std::string_view role() const override { return table_.sines.role; }
  Shape shape() const override {
    return {table_.axes ? rows_.by_axis.front().size() : rows_.positions.size(), table_.sines.columns.size()};
  }

  bool bind(const Contract& contract, Format stored) override {
    if (!contract.judges(table_)) {
      return false;
    }
    try {
      stored_ = stored;
      allowance_.emplace(table_, contract, stored, models_by_axis(table_, contract, stored), rows_);
    } catch (const InputError&) {
      return false;  // of frequencies that the contract's recipes do not have
    }
    return true;
  }

  void go_to(std::size_t row) override {
    row_.go_to(row);
    if (allowance_) {
      allowance_->go_to(row);
    }
  }

  Real exact(std::size_t column) const override {
    return is_zero(column) ? Real([] { return enclose(std::int64_t{0}); })
                           : table_.entry(row_.places(), column);
  }

  std::optional<Enclosure> truth(std::size_t column) const override {
    const auto& scale = row_.scale(column);
    if (is_zero(column)) {
      return Enclosure();
    }
    return !scale                  ? std::nullopt
           : table_.is_scale_alone ? scale
           : table_.scale          ? std::optional(row_.value(column) * *scale)
                                   : refined(row_.value(column), [&] { return exact(column); });
  }

  ElementPlace place(std::size_t column) const override { return {row_.place(column), row_.pair(column)}; }

  std::string name(std::size_t column) const override {
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

  AllowedElement allowed(std::size_t column, std::optional<double> got) const override {
    const auto& model = allowance_->model(table_.axis(column));
    AllowedElement result{.truth = truth(column), .size = table_.is_scale_alone ? 1 : model.amplitude()};
    if (is_zero(column)) {
      return result;
    }
    if (!result.truth) {
      result.may_overflow = row_.is_growth(column);
      return result;
    }
    const int pair = row_.pair(column);
    const auto place = allowance_->place(table_.axis(column));
    const double value = row_.value(column).approximately();
    if (!table_.scale) {
      result.budget = model.at(place, pair, value, row_.partner(column).approximately());
      only_round(model, got, result);
      hold_to(declared_overflow(), stored_, result.budget.computed(), got, result);
      return result;
    }
    const ScaleAt at{row_.scale(column)->approximately(), allowance_->scale_error(place, pair)};
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

  bool has_pairs() const override { return true; }

 private:
  /// By definition.
  bool is_zero(std::size_t column) const {
    return row_.is_zero() || (!table_.scale && table_.sines.is_zero(row_.place(column), column));
  }

  /// Where a contract says how results are rounded and nothing of how they are computed, an element is judged
  /// by its neighbours.
  void only_round(const BudgetModel& model, std::optional<double> got, AllowedElement& element) const {
    if (!model.judges_computation() && got) {
      element.budget = {.storage =
                            rounding_budget(stored_, model.parameters().storage_ulps, *got, *element.truth)};
    }
  }

  TurnedTable table_;
  SourceRows rows_;
  TurnedRow row_;
  Format stored_ = Format::binary64;
  std::optional<TurnAllowance> allowance_;
};

}  // namespace

std::unique_ptr<ElementSource> turned_source(const TurnedTable& table, const SourceRows& rows) {
  return std::make_unique<TurnedSource>(table, rows);
}

}  // namespace vernier
