#include <algorithm>
#include <cmath>
#include <mutex>
#include <optional>
#include <vector>

#include "numerics/elements/sources.hpp"
#include "reference/ladder/certified_table.hpp"

namespace vernier {
namespace {

Enclosure enclosed(const Rational& value) {
  const WorkingPrecision precision(ziv_first_precision);
  return enclosure_of(enclose(value));
}

class ValueSource final : public ElementSource {
 public:
  ValueSource(ExactTable table, std::span<const std::int64_t> positions)
      : table_(std::move(table)), positions_(positions) {
    for (const auto position : positions) {
      table_.require(position);
    }
    if (table_.sines) {
      sines_ = {certified_table_for(*table_.sines, positions), std::vector<Enclosure>(table_.columns),
                std::vector<Enclosure>(table_.columns)};
    }
  }

  std::string_view role() const override { return table_.role; }
  Shape shape() const override { return {positions_.size(), table_.columns}; }

  bool bind(const Contract& contract, Format stored) override {
    if (!contract.judges(table_)) {
      return false;
    }
    contract_ = &contract;
    stored_ = stored;
    if (table_.sines) {
      of_sines_ = contract.bind(*table_.sines, stored);
    }
    return true;
  }

  void go_to(std::size_t row) override {
    position_ = positions_[row];
    if (sines_) {
      sines_->position = table_.sine_position(position_);
      sines_->certified.row(sines_->position, sines_->value, sines_->partner);
    }
  }

  Real exact(std::size_t column) const override { return table_.entry(position_, column); }

  std::optional<std::int64_t> integer(std::size_t column) const override {
    return table_.is_rational() ? as_integer(table_.factor(position_, column)) : std::nullopt;
  }

  std::optional<Enclosure> truth(std::size_t column) const override {
    return table_.computed ? tight_enclosure(exact(column))
           : sines_        ? factor(column) * sines_->value[column]
                           : factor(column);
  }

  double estimate(std::size_t column) const override {
    return table_.computed ? table_.computed_entry(position_, column).estimate
                           : ElementSource::estimate(column);
  }

  ElementPlace place(std::size_t /*column*/) const override { return {position_, 0}; }
  std::string name(std::size_t column) const override { return "column " + std::to_string(column); }

  AllowedElement allowed(std::size_t column, std::optional<double> got) const override {
    if (table_.computed) {
      return allowed_computed(column, got);
    }
    const auto budget = contract_->bind(table_, stored_);
    if (sines_) {
      return allowed_product(column, budget, got);
    }
    AllowedElement result{.truth = factor(column), .storage_counts = false};
    result.size = std::fabs(result.truth->approximately());
    result.budget = budget.by_cause(got, *result.truth);
    return result;
  }

 private:
  /// The sines that entries are multiplied by, certified.
  struct Sines {
    CertifiedTable certified;
    std::vector<Enclosure> value;
    std::vector<Enclosure> partner;
    std::int64_t position = 0;
  };

  Enclosure factor(std::size_t column) const { return enclosed(table_.factor(position_, column)); }

  /// The greatest magnitude of computed numbers. Only those that are judged need it.
  double reach() const {
    std::call_once(is_reached_, [&] {
      for (const auto position : positions_) {
        for (std::size_t column = 0; column < table_.columns; ++column) {
          reach_ = std::max(reach_, std::fabs(table_.computed_entry(position, column).estimate));
        }
      }
    });
    return reach_;
  }

  AllowedElement allowed_computed(std::size_t column, std::optional<double> got) const {
    const auto number = table_.computed_entry(position_, column);
    AllowedElement result{.truth = tight_enclosure(number.value), .size = reach(), .storage_counts = false};
    result.budget = contract_->bind(number, stored_).by_cause(got, *result.truth);
    return result;
  }

  /// The computed entry f' s' has |f' - f| <= e |f| and |s' - s| <= D, with e of the contract's budget for
  /// the factor, the rounding of the product included, and D the phase's and the trigonometry's part of the
  /// sine's: |f' s' - f s| <= |f s| e + |f| (1 + e) D. Storage rounds what that makes at most.
  AllowedElement allowed_product(std::size_t column, const BiasBudget& of_factor,
                                 std::optional<double> got) const {
    const auto factor = this->factor(column);
    const auto& sine = sines_->value[column];
    AllowedElement result{.truth = factor * sine};
    const double scale = std::fabs(factor.approximately());
    const auto of_sine = of_sines_->at(sines_->position, table_.sines->columns[column].pair,
                                       sine.approximately(), sines_->partner[column].approximately());
    const double by = scale * (1 + of_factor.relative);
    result.size = scale * of_sines_->amplitude();
    result.budget = {.phase = by * of_sine.phase,
                     .trig = by * of_sine.trig,
                     .products = scale * std::fabs(sine.approximately()) * of_factor.relative};
    const BiasBudget stored{of_factor.stored, 0, of_factor.storage_ulps, result.budget.computed()};
    result.budget.storage = stored.by_cause(got, *result.truth).storage;
    return result;
  }

  ExactTable table_;
  std::span<const std::int64_t> positions_;
  std::optional<Sines> sines_;
  const Contract* contract_ = nullptr;
  Format stored_ = Format::binary64;
  std::optional<BudgetModel> of_sines_;
  mutable std::once_flag is_reached_;
  mutable double reach_ = 0;
  std::int64_t position_ = 0;
};

}  // namespace

std::unique_ptr<ElementSource> value_source(const ExactTable& table,
                                            std::span<const std::int64_t> positions) {
  return std::make_unique<ValueSource>(table, positions);
}

}  // namespace vernier
