#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "reports/live/live_session.hpp"

namespace vernier {

/// Rows to ask for again: one question for each element, of these rows in this order.
struct Selection {
  std::vector<std::vector<std::size_t>> questions;
};

/// Asking again for rows that were answered already, and requiring the same answer (answered_again.hpp).
struct Comparison {
  std::string_view id;
  std::string_view required;
  std::string_view what;  ///< was asked: "a second call with the same question"
  /// Nothing where the comparison says nothing of this question.
  std::optional<Selection> (*select)(const LiveSession& session, const Asked& asked);
};

/// One check over all questions that were answered.
Check compare_answers(LiveSession& session, const Comparison& comparison);

/// Whether every wanted tensor holds rows that depend on their own position alone, so that they may be asked
/// for in any company. Not so for slopes, and for biases relative to the last key.
bool rows_stand_alone(const LiveSession& session, const Asked& asked);

}  // namespace vernier
