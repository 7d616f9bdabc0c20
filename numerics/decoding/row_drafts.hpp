#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "numerics/decoding/row_rules.hpp"

namespace vernier {

/// A map from one feature of rows to what they hold, before it is known of which rows.
struct RowDraft {
  RowRule::Kind kind;
  std::string words;            ///< of positions, as RowSet::in() takes them
  std::string expression = {};  ///< of what each row holds, for those who tell otherwise
  double bits = 0;
  const std::vector<double>* feature = nullptr;  ///< its values, one a row
  std::function<double(double f)> map = {};
  std::optional<double> offset = {};
  bool is_multiple = false;  ///< of positions: s p
  std::string whole = {};    ///< in place of the words where every row follows it; empty: the words

  double held(std::size_t row) const { return map((*feature)[row]); }
};

/// The maps that may predict the failing rows, with parameters from what the first and the last of them hold.
/// \param features they and the rows of `held` outlive the result \param failing at least one row
std::vector<RowDraft> drafts_of(const HeldNumbers& held, const RowGrid& grid,
                                std::span<const RowFeature> features, std::span<const std::size_t> failing);

/// The numbers of a row, if they are few enough to try each; else none.
std::vector<HeldRange> anchored(const HeldNumbers& held, std::size_t row);

/// The positions, where rows are told by them: in one copy whose integers ascend; else none.
std::span<const double> told_positions(const RowGrid& grid, const std::vector<double>& positions);

}  // namespace vernier
