#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "reports/live/live_session.hpp"

namespace vernier {

/// An element that has other bits than it had, and may not.
struct WrongAgain {
  Difference place;         ///< in the later answer
  double budget_ratio = 0;  ///< of the answer that is beyond its budget; 0 where its bits are required
  bool was_wrong_at_first = false;  ///< whether the earlier answer is the one that is beyond its budget
};

/// What became of rows that were answered twice.
struct RowsAgain {
  std::uint64_t same = 0;            ///< have the bits that they had
  std::uint64_t other = 0;           ///< have other bits, and none of both answers is beyond its budget
  double greatest_budget_ratio = 0;  ///< of both answers of rows that have other bits
  bool is_conclusive = true;         ///< whether the format is fine enough to judge any of these
  std::optional<WrongAgain> wrong = std::nullopt;

  std::uint64_t rows() const { return same + other; }
  void add(const RowsAgain& more);
};

/// Whether the contract gives every element that is wanted a budget, as judge_rows() knows it.
bool have_budgets(const Case& judged, const Request& request);

/// The rule on rows that were answered twice. Equal bits are right. So are others where the contract gives
/// the role a budget and both answers are within it: an honest engine may compile a faster path meanwhile, or
/// take another one for a single token. Biases are judged whole, and so are counted. Of copies, counts and
/// slopes bits are required; of everything, where the session requires them. \param request of `before`
/// \param rows those that `after` is about, in its order
RowsAgain answered_again(const LiveSession& session, const Request& request, const Response& before,
                         std::span<const std::size_t> rows, const Response& after);

/// "the same bits in 3 rows", or how many rows have others and how much of their budget these use.
std::string told(const RowsAgain& rows);

/// Fails the check: its reason goes on after `what`, its counterexample is the element. \pre one is wrong
void tell_wrong_again(Check& check, const std::string& what, const Request& request, const Response& before,
                      std::span<const std::size_t> rows, const Response& after, const RowsAgain& again);

/// Adds the rows to the check. It passes, or is inconclusive where nothing of what changed could be judged.
void tell_rows_again(Check& check, const std::string& what, const RowsAgain& rows);

}  // namespace vernier
