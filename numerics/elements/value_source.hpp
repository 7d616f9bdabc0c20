#pragma once

#include <optional>
#include <vector>

#include "numerics/elements/element_source.hpp"
#include "reference/certified_table.hpp"

namespace vernier {

/// Tables of values: rational ones, products of those with sines, and numbers that are computed. A sum may
/// cancel: the budget of a computed number, no small share of itself, proves something as long as it is a
/// small share of the greatest number of the table.
class ValueSource final : public ElementSource {
 public:
  /// \param positions one a row; outlive it \throws InputError for a position without a row
  ValueSource(ExactTable table, std::span<const std::int64_t> positions);

  std::string_view role() const override { return table_.role; }
  Shape shape() const override { return {positions_.size(), table_.columns}; }
  bool bind(const Contract& contract, Format stored) override;
  void go_to(std::size_t row) override;
  Real exact(std::size_t column) const override { return table_.entry(position_, column); }
  std::optional<std::int64_t> integer(std::size_t column) const override;
  std::optional<Enclosure> truth(std::size_t column) const override;
  ElementPlace place(std::size_t /*column*/) const override { return {position_, 0}; }
  std::string name(std::size_t column) const override { return "column " + std::to_string(column); }
  AllowedElement allowed(std::size_t column, std::optional<double> got) const override;

 private:
  /// The sines that entries are multiplied by, certified.
  struct Sines {
    CertifiedTable certified;
    std::vector<Enclosure> value;
    std::vector<Enclosure> partner;
    std::int64_t position = 0;
  };

  Enclosure factor(std::size_t column) const;
  AllowedElement allowed_computed(std::size_t column, std::optional<double> got) const;
  AllowedElement allowed_product(std::size_t column, const BiasBudget& of_factor,
                                 std::optional<double> got) const;

  ExactTable table_;
  std::span<const std::int64_t> positions_;
  std::optional<Sines> sines_;
  const Contract* contract_ = nullptr;
  Format stored_ = Format::binary64;
  std::optional<BudgetModel> of_sines_;
  double greatest_ = 0;  ///< magnitude of computed numbers
  std::int64_t position_ = 0;
};

}  // namespace vernier
