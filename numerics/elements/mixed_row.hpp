#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "numerics/contracts/contract.hpp"
#include "reference/ladder/certified_table.hpp"
#include "reference/tables/mixed_axes.hpp"

namespace vernier {

/// The sines and cosines of one row of a table, or rotation, whose phases are sums over axes: certified, by
/// the product of the points of the circle of all axes.
class MixedRow {
 public:
  /// \param mixed with mixed frequencies \param maps, by_axis of the positions along each axis; the latter,
  /// places one a row, outlive it
  MixedRow(const TrigTable& mixed, std::span<const PositionMap> maps,
           std::span<const std::vector<std::int64_t>> by_axis);

  void go_to(std::size_t row);

  /// Times the amplitude.
  const Enclosure& sine(int pair) const { return sine_[static_cast<std::size_t>(pair)]; }
  const Enclosure& cosine(int pair) const { return cosine_[static_cast<std::size_t>(pair)]; }
  /// The places of the row, one an axis.
  const std::vector<std::int64_t>& places() const { return places_; }

 private:
  std::vector<std::span<const std::int64_t>> by_axis_;
  std::vector<CertifiedTable> tables_;  ///< one an axis, of a cosine a pair
  std::vector<std::int64_t> places_;
  std::vector<Enclosure> sine_;
  std::vector<Enclosure> cosine_;
  std::vector<Enclosure> sine_of_axis_;
  std::vector<Enclosure> cosine_of_axis_;
};

/// What a contract allows to such rows.
class MixedBudget {
 public:
  MixedBudget(const Contract& contract, const TrigTable& mixed, std::span<const PositionMap> maps,
              Format stored);

  /// The budget of a row, as that of place 1 of a table whose frequencies are the phases of the row. A phase
  /// is off by what each term may be, and S - 1 sums round what is at most F = sum_a |p_a w_a|, in whatever
  /// order: by ((1 + u)^(S-1) - 1) F more. A factor that multiplies the sum costs as much as one of each
  /// term. \param places one an axis
  BudgetModel of_row(std::span<const std::int64_t> places) const;

 private:
  std::vector<BudgetModel> models_;  ///< one an axis
};

}  // namespace vernier
