// Positions of text with images and videos in it: time, row and column, where text counts along all three.

#include <algorithm>

#include "reference/schemes/position_ids/position_rule.hpp"

namespace vernier {
namespace {

constexpr std::string_view any_segments = "text, images and videos";
constexpr std::string_view single_frames =
    "text, images and videos of one frame each, as the text of their times stands between frames";

bool accepts_any(const std::vector<Segment>&) {
  return true;
}

bool has_single_frames(const std::vector<Segment>& segments) {
  return std::ranges::all_of(
      segments, [](const Segment& one) { return one.kind != Segment::Kind::video || one.grid[0] == 1; });
}

/// What is seen, from the position `start` on. \param step of its frames
PositionBlock seen(const PositionSpec& spec, const Segment& segment, std::int64_t start,
                   const Rational& step) {
  const bool is_video = segment.kind == Segment::Kind::video;
  const auto frames = segment.grid[0] / (is_video ? spec.temporal_merge_size : 1);
  const auto rows = segment.grid[1] / spec.spatial_merge_size;
  const auto columns = segment.grid[2] / spec.spatial_merge_size;
  if (spec.frames == FrameCount::at_once) {
    return {{rows, frames, columns}, {{PositionBlock::Axis{0, 0, step}.at(start)}, {start, 0}, {start, 2}}};
  }
  return {{frames, rows, columns}, {{start, 0, step, spec.temporal_rounding}, {start, 1}, {start, 2}}};
}

/// \param step of the frames of a segment
template <class Step>
std::vector<PositionBlock> one_after_another(const PositionSpec& spec, const Step& step) {
  std::vector<PositionBlock> blocks;
  std::int64_t start = 0;
  for (const auto& segment : spec.segments) {
    if (segment.is_text()) {
      blocks.push_back({segment.grid, {{start, 0}, {start, 0}, {start, 0}}});
      start += segment.grid[0];
      continue;
    }
    const auto& block = blocks.emplace_back(seen(spec, segment, start, step(segment)));
    const auto greatest = std::max({block.last(0), block.last(1), block.last(2)});
    const auto across = std::max(segment.grid[1], segment.grid[2]) / spec.spatial_merge_size;
    start = spec.next_start == NextStart::after_greatest ? greatest + 1
            : spec.next_start == NextStart::at_greatest  ? greatest
                                                         : start + across;
  }
  return blocks;
}

std::vector<PositionBlock> by_frames(const PositionSpec& spec) {
  return one_after_another(spec, [](const Segment&) { return Rational(1); });
}

std::vector<PositionBlock> by_seconds(const PositionSpec& spec) {
  return one_after_another(spec, [&](const Segment& segment) {
    const auto& seconds = segment.seconds_per_grid;
    const Rational whole = Rational(numerator(seconds) / denominator(seconds));
    const bool is_slip = spec.frames == FrameCount::at_once;
    const bool is_cut = is_slip || spec.temporal_rounding == TemporalRounding::interval;
    return segment.kind == Segment::Kind::image && !is_slip
               ? Rational(0)
               : Rational(spec.tokens_per_second * (is_cut ? whole : seconds));
  });
}

}  // namespace

std::vector<PositionRule> language_rules() {
  return {
      {"qwen2_vl", 3, {.merges_patches = true}, any_segments, accepts_any, by_frames},
      {"qwen2_5_vl", 3, {.merges_patches = true, .keeps_time = true}, any_segments, accepts_any, by_seconds},
      {"qwen3_vl", 3, {.merges_patches = true}, single_frames, has_single_frames, by_frames},
      {"glm4v", 3, {.merges_patches = true}, single_frames, has_single_frames, by_frames},
      {"ernie4_5_vl",
       3,
       {.merges_patches = true, .merges_frames = true},
       any_segments,
       accepts_any,
       by_frames},
  };
}

}  // namespace vernier
