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
  /// Appends the checks of this kind, skipped ones too. May ask more.
  void (*judge)(LiveSession& session, std::vector<Check>& out);
};

/// All kinds, in the order in which they are judged, as listed below.
std::span<const LiveCheckKind> live_check_kinds();

/// Whether each wanted tensor was answered, and how.
std::vector<Check> answer_checks(std::span<const Asked> asked);

/// Every kind, in the order in which they are judged: those of side effects last, as they tell what was seen
/// while all others asked. A new one is a file in checks/, which defines its function, and a line here.
VERNIER_REGISTRY(live_check_makers, LiveCheckKind,
                 answers_check,       // checks/answers.cpp
                 queries_check,       // checks/queries.cpp
                 determinism_check,   // checks/determinism.cpp
                 batch_check,         // checks/batch.cpp
                 rows_check,          // checks/rows.cpp
                 sequence_check,      // checks/sequence.cpp
                 out_of_range_check,  // checks/out_of_range.cpp
                 blocks_check,        // checks/blocks.cpp
                 decoding_check,      // checks/decoding.cpp
                 packed_check,        // checks/packed.cpp
                 heads_check,         // checks/heads.cpp
                 batches_check,       // checks/batches.cpp
                 strides_check,       // checks/strides.cpp
                 lengths_check,       // checks/lengths.cpp
                 longest_check,       // checks/longest.cpp
                 order_check,         // checks/order.cpp
                 input_range_check,   // checks/input_range.cpp
                 laws_check,          // checks/laws.cpp
                 input_check,         // checks/side_effects.cpp
                 memory_check,        // checks/side_effects.cpp
                 output_check,        // checks/side_effects.cpp
                 environment_check    // checks/side_effects.cpp
);

}  // namespace vernier
