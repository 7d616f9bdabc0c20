#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "reports/live/live_session.hpp"

namespace vernier {

/// A kind of check that asks the implementation.
struct LiveCheckKind {
  std::string_view id;       ///< "effects/determinism", "implementation/answers/<role>"
  std::string_view meaning;  ///< what a failure means to the reader, in a few sentences
  std::string_view source;   ///< what it rests on
  /// Appends the checks of this kind, skipped ones too. May ask more.
  void (*judge)(LiveSession& session, std::vector<Check>& out);
};

/// All kinds, in the order in which they are judged. A new one is one file in checks/ and one line in
/// live_check_registry.cpp.
std::span<const LiveCheckKind> live_check_kinds();

/// Whether each wanted tensor was answered, and how.
std::vector<Check> answer_checks(std::span<const Asked> asked);

LiveCheckKind answers_check();       // checks/answers.cpp
LiveCheckKind queries_check();       // checks/queries.cpp
LiveCheckKind determinism_check();   // checks/determinism.cpp
LiveCheckKind batch_check();         // checks/batch.cpp
LiveCheckKind rows_check();          // checks/rows.cpp
LiveCheckKind sequence_check();      // checks/sequence.cpp
LiveCheckKind out_of_range_check();  // checks/out_of_range.cpp
LiveCheckKind blocks_check();        // checks/blocks.cpp
LiveCheckKind decoding_check();      // checks/decoding.cpp
LiveCheckKind packed_check();        // checks/packed.cpp
LiveCheckKind heads_check();         // checks/heads.cpp
LiveCheckKind batches_check();       // checks/batches.cpp
LiveCheckKind strides_check();       // checks/strides.cpp
LiveCheckKind lengths_check();       // checks/lengths.cpp
LiveCheckKind longest_check();       // checks/longest.cpp
LiveCheckKind order_check();         // checks/order.cpp
LiveCheckKind input_range_check();   // checks/input_range.cpp
LiveCheckKind laws_check();          // checks/laws.cpp
LiveCheckKind input_check();         // checks/side_effects.cpp
LiveCheckKind memory_check();        // checks/side_effects.cpp
LiveCheckKind output_check();        // checks/side_effects.cpp
LiveCheckKind environment_check();   // checks/side_effects.cpp

}  // namespace vernier
