#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reports/verdict/live/live_session.hpp"

namespace vernier {

/// Appends the checks of a kind, skipped ones too. May ask more.
using LiveJudge = void(LiveSession& session, std::vector<Check>& out);

/// \name What judges: a file in checks/ each
/// @{
LiveJudge judge_answers, judge_queries, judge_determinism, judge_questions, judge_input_range, judge_laws,
    judge_out_of_range, judge_thresholds;
template <SideEffectKind kind>
void judge_effect(LiveSession& session, std::vector<Check>& out);  // side_effects.cpp
/// @}

/// A kind of check that asks the implementation. The texts are those of live_checks.json.
struct LiveCheckKind {
  std::string_view id;        ///< "effects/determinism", "implementation/answers/<role>"
  LiveJudge* judge;           ///< null: another kind judges it too
  bool asks = true;           ///< else it tells what was seen while others asked
  std::string meaning = {};   ///< what a failure means to the reader, in a few sentences
  std::string source = {};    ///< what it rests on
  std::string required = {};  ///< of its checks, where it is the same of all
  /// What is wrong where it fails, as a clause, unless the check finds more; empty where its reason says it
  /// all.
  std::string finding = {};
};

/// All kinds, in the order in which they are judged.
std::span<const LiveCheckKind> live_check_kinds();

/// A check that is skipped, as yet. \param id of its kind, which is its own where nothing in it varies
Check live_check(std::string_view id, std::string reason);

/// Whether each wanted tensor was answered, and how.
std::vector<Check> answer_checks(std::span<const Asked> asked);

}  // namespace vernier
