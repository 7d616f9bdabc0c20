#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "reference/registry.hpp"
#include "reports/live/live_session.hpp"

namespace vernier {

/// A kind of check that asks the implementation.
struct LiveCheckKind {
  std::string_view id;       ///< "effects/determinism", "implementation/answers/<role>"
  std::string_view meaning;  ///< what a failure means to the reader, in a few sentences
  std::string_view source;   ///< what it rests on
  /// What is wrong where it fails, as a clause, unless the check finds more; empty where its reason says it
  /// all.
  std::string_view finding;
  /// Appends the checks of this kind, skipped ones too. May ask more.
  void (*judge)(LiveSession& session, std::vector<Check>& out);
};

/// All kinds, in the order in which they are judged, as listed below.
std::span<const LiveCheckKind> live_check_kinds();

/// Whether each wanted tensor was answered, and how.
std::vector<Check> answer_checks(std::span<const Asked> asked);

/// Every kind, in the order in which they are judged: those of side effects last, as they tell what was seen
/// while all others asked. A new one is a file in checks/, which defines its function, and a line here.
///
/// The questions of the covering design come early: they find most of what is wrong. Out-of-range positions
/// come after all others that ask the same process, as what they leave behind is nobody else's fault; other
/// lengths come last (use/thresholds), as the longest may be kept.
// clang-format off
VERNIER_REGISTRY(live_check_makers, LiveCheckKind,
    answers_check,
    queries_check,
    determinism_check,
    questions_check,
    history_check,  // checks/questions.cpp
    input_range_check,
    laws_check,
    out_of_range_check,
    thresholds_check,
    input_check,  // checks/side_effects.cpp
    memory_check,  // checks/side_effects.cpp
    output_check,  // checks/side_effects.cpp
    environment_check);  // checks/side_effects.cpp
// clang-format on

}  // namespace vernier
