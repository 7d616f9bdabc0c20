#pragma once

#include <algorithm>
#include <optional>
#include <unordered_map>

#include "numerics/elements/element_source.hpp"

namespace vernier {

/// Slopes of heads, and biases on attention scores. Rows are a query of a head, columns its keys; of slopes,
/// rows are heads.
class BiasSource final : public ElementSource {
 public:
  /// \param keys their positions; outlive it; ignored for slopes \param queries 0 for the biases of the last
  /// query, [heads, keys] \throws InputError for more queries than keys
  BiasSource(BiasTable table, std::span<const std::int64_t> keys, std::size_t queries)
      : table_(std::move(table)), keys_(keys), queries_(queries) {}

  std::string_view role() const override { return table_.role; }
  Shape shape() const override;
  bool bind(const Contract& contract, Format stored) override;
  void go_to(std::size_t row) override;
  Real exact(std::size_t column) const override { return table_.entry(head_, multiplier(column)); }
  std::optional<Enclosure> truth(std::size_t column) const override { return known(column).truth; }
  ElementPlace place(std::size_t column) const override { return {is_slopes() ? 0 : keys_[column], 0}; }
  std::string name(std::size_t column) const override;
  AllowedElement allowed(std::size_t column, std::optional<double> got) const override;

 private:
  struct Known {
    Enclosure truth;
    BiasBudget budget;
  };

  bool is_slopes() const { return table_.factor == BiasTable::Factor::one; }
  /// What multiplies the slope.
  std::int64_t multiplier(std::size_t column) const {
    return is_slopes() ? 1 : table_.multiplier(keys_, std::max<std::size_t>(queries_, 1), query_, column);
  }
  const Known& known(std::size_t column) const;

  BiasTable table_;
  std::span<const std::int64_t> keys_;
  std::size_t queries_;
  const Contract* contract_ = nullptr;
  Format stored_ = Format::binary64;
  std::size_t head_ = 0;
  std::size_t query_ = 0;
  mutable std::unordered_map<std::int64_t, Known> known_;  ///< of the head, by what multiplies the slope
  mutable std::optional<Known> slope_;                     ///< of the head, where biases are linear
  std::optional<BudgetModel> of_sines_;                    ///< where the frequencies of sines are held
};

}  // namespace vernier
