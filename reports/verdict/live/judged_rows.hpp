#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "numerics/processes/request.hpp"
#include "numerics/processes/response.hpp"
#include "numerics/tensors/case.hpp"

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

/// Rows of a request as they were answered. \param rows some of the request, at the same places in the answer
AnsweredRows answered_rows(const Request& request, const Response& answer, std::span<const std::size_t> rows);

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

/// The vectors that turn by one position each of which a request wants the first role; null if there are
/// none.
const RotatedTensor* rotated_vectors(const Case& judged, const Request& request);

/// Whether the contract gives every element that is wanted a budget, as judge_rows() knows it.
bool have_budgets(const Case& judged, const Request& request);

/// By which rule the rows of an answer are those of other positions than were asked for, as a clause:
/// "positions are not read: row r holds position r". Of the rows of which the whole answer holds what the
/// rule says, all have its bits, and several have not those of their own position. Empty where no rule is
/// obeyed, of vectors, whose rows differ with the vector, of biases, and of tokens with several positions.
/// \pre both requests want the same tensors, the whole one at positions that ascend
std::string rule_of_held_rows(const Request& whole, const Response& whole_answer, const Request& request,
                              const Response& answer);

}  // namespace vernier
