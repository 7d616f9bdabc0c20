#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "numerics/cases/case.hpp"

namespace vernier {

/// Rows that an implementation answered.
struct AnsweredRows {
  /// As they were asked for: one a row or key, that along the first axis where tokens have several; may
  /// repeat, in any order.
  std::vector<std::int64_t> positions;
  /// By role: "encoding", "cos", "rotated": [rows, width]; "bias": [heads, keys] or [heads, queries, keys].
  std::map<std::string, Tensor, std::less<>> tensors;
  /// The vectors of "rotated", all finite, [rows, head_dim].
  std::optional<Tensor> input = std::nullopt;
  /// Where tokens have several positions: those along each axis, one a row.
  std::vector<std::vector<std::int64_t>> positions_by_axis = {};
};

/// An element that is beyond its budget.
struct WrongElement {
  std::string role;
  std::size_t row;      ///< or key
  std::size_t column;   ///< or head and query, counted together
  double budget_ratio;  ///< of its budget, > 1
};

/// What the contract says of rows.
struct JudgedRows {
  std::uint64_t judged = 0;          ///< elements, conclusively
  double greatest_budget_ratio = 0;  ///< of any of their budgets
  std::optional<WrongElement> wrong = std::nullopt;
};

/// Judges rows as the case judges its own: by the truth of its encoding, under its contracts. Roles that it
/// has no tensor of, by as many axes of positions, are passed over. \pre its tables are defined at the
/// positions, all of which have places
JudgedRows judge_rows(const Case& judged, const AnsweredRows& rows);

}  // namespace vernier
