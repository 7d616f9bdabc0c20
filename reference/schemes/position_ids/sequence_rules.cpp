// Positions of text alone: one a token.

#include <algorithm>

#include "reference/schemes/position_ids/position_rule.hpp"
#include "reference/support/mapped.hpp"

namespace vernier {
namespace {

bool are_texts(const std::vector<Segment>& segments) {
  return std::ranges::all_of(segments, &Segment::is_text);
}

bool is_one_text(const std::vector<Segment>& segments) {
  return segments.size() == 1 && segments.front().is_text();
}

std::vector<PositionBlock> in_turn(const PositionSpec& spec) {
  std::vector<PositionBlock> blocks;
  std::int64_t start = 0;
  for (const auto& segment : spec.segments) {
    blocks.push_back({segment.grid, {{start, 0}}});
    start += segment.grid[0];
  }
  return blocks;
}

/// Documents in one row, each counted from 0 (transformers, DataCollatorWithFlattening; Megatron-LM,
/// reset_position_ids).
std::vector<PositionBlock> each_from_zero(const PositionSpec& spec) {
  return mapped(spec.segments, [&](const auto& segment) -> PositionBlock {
    return {segment.grid, {{0, 0}}};
  });
}

/// A draft behind a text: each node one beyond its parent (Medusa, medusa_position_ids; EAGLE,
/// tree_position_ids).
std::vector<PositionBlock> draft_tree(const PositionSpec& spec) {
  auto blocks = in_turn(spec);
  std::vector<std::int64_t> positions{spec.segments.front().grid[0] - 1};
  for (const auto parent : spec.parents) {
    positions.push_back(positions[static_cast<std::size_t>(parent)] + 1);
    blocks.push_back({{1, 1, 1}, {{positions.back()}}});
  }
  return blocks;
}

}  // namespace

std::vector<PositionRule> sequence_rules() {
  return {
      {"text", 1, {}, "texts", are_texts, in_turn},
      {"packed", 1, {}, "texts", are_texts, each_from_zero},
      {"draft_tree", 1, {.branches = true}, "one text", is_one_text, draft_tree},
  };
}

}  // namespace vernier
