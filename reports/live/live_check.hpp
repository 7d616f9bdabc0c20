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
/// A process may take seconds to start, so that kinds share three of them. All that need no new one ask the
/// first process; out-of-range positions come last there, as what they leave behind is nobody else's fault.
/// The second one is asked for few rows near the start, of heads (use/heads) and without, then far away
/// (use/longest). The third one begins with a long question up to three quarters of the way (use/longest):
/// other types and what is beyond can then still spoil what it keeps (state/...). Each kind says how much its
/// process may have been asked before, and gets a new one where it was more; further ones only shorten a
/// wrong answer. Other lengths come last (use/thresholds), as the longest may be kept.
// clang-format off
VERNIER_REGISTRY(live_check_makers, LiveCheckKind,
    answers_check,
    queries_check,
    determinism_check,
    batch_check,
    rows_check,
    sequence_check,
    blocks_check,
    decoding_check,
    packed_check,
    batches_check,
    strides_check,
    lengths_check,
    order_check,
    input_range_check,
    laws_check,
    out_of_range_check,
    heads_check,
    longest_check,
    state_check,
    thresholds_check,
    input_check,  // checks/side_effects.cpp
    memory_check,  // checks/side_effects.cpp
    output_check,  // checks/side_effects.cpp
    environment_check);  // checks/side_effects.cpp
// clang-format on

}  // namespace vernier
