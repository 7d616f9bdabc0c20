// Positions of text with images and videos in it: time, row and column, where text counts along all three.

#include <algorithm>

#include "reference/schemes/position_ids/position_rule.hpp"

namespace vernier {
namespace {

constexpr std::string_view any_segments = "text, images and videos";
constexpr std::string_view single_frames =
    "text, images and videos of one frame each, as the text of their times stands between frames";

constexpr std::string_view with_sound =
    "text, images, audio, and videos whose frames are at most a chunk apart";

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

/// Where the segment behind one begins whose last block this is.
std::int64_t start_behind(const PositionSpec& spec, const Segment& segment, const PositionBlock& last,
                          std::int64_t start) {
  const auto greatest = std::max({last.last(0), last.last(1), last.last(2)});
  const auto across = std::max(segment.grid[1], segment.grid[2]) / spec.spatial_merge_size;
  return spec.next_start == NextStart::after_greatest ? greatest + 1
         : spec.next_start == NextStart::at_greatest  ? greatest
                                                      : start + across;
}

/// \param tokens along all axes, from the position `start` on
PositionBlock counted(std::int64_t tokens, std::int64_t start) {
  return {{tokens, 1, 1}, {{start, 0}, {start, 0}, {start, 0}}};
}

/// \param step of the frames of a segment \param with_audio appends the blocks of a video with sound, and
/// says where what follows starts
template <class Step, class WithAudio>
std::vector<PositionBlock> one_after_another(const PositionSpec& spec, const Step& step,
                                             const WithAudio& with_audio) {
  std::vector<PositionBlock> blocks;
  std::int64_t start = 0;
  for (const auto& segment : spec.segments) {
    if (segment.is_counted()) {
      blocks.push_back(counted(segment.grid[0], start));
      start += segment.grid[0];
    } else if (segment.audio > 0) {
      start = with_audio(segment, start, blocks);
    } else {
      const auto& block = blocks.emplace_back(seen(spec, segment, start, step(segment)));
      start = start_behind(spec, segment, block, start);
    }
  }
  return blocks;
}

template <class Step>
std::vector<PositionBlock> one_after_another(const PositionSpec& spec, const Step& step) {
  return one_after_another(
      spec, step, [](const Segment&, std::int64_t start, std::vector<PositionBlock>&) { return start; });
}

std::vector<PositionBlock> by_frames(const PositionSpec& spec) {
  return one_after_another(spec, [](const Segment&) { return Rational(1); });
}

/// What time a frame of a segment takes, in positions.
Rational step_of_time(const PositionSpec& spec, const Segment& segment) {
  const auto& seconds = segment.seconds_per_grid;
  const Rational whole = Rational(numerator(seconds) / denominator(seconds));
  const bool is_slip = spec.frames == FrameCount::at_once;
  const bool is_cut = is_slip || spec.temporal_rounding == TemporalRounding::interval;
  return segment.kind == Segment::Kind::image && !is_slip
             ? Rational(0)
             : Rational(spec.tokens_per_second * (is_cut ? whole : seconds));
}

std::vector<PositionBlock> by_seconds(const PositionSpec& spec) {
  return one_after_another(spec, [&](const Segment& segment) { return step_of_time(spec, segment); });
}

/// So many frames of a video, from the one of this number on.
PositionBlock some_frames(PositionBlock video, std::int64_t first, std::int64_t count) {
  video.raster[0] = count;
  video.axes[0].skipped = first;
  return video;
}

/// How many of the frames of a video are earlier than a time since its start.
std::int64_t frames_before(const PositionBlock& video, std::int64_t frames, std::int64_t time) {
  std::int64_t count = 0;
  while (count < frames && video.axes[0].at(count) - video.axes[1].first < time) {
    ++count;
  }
  return count;
}

/// transformers, modeling_qwen2_5_omni, get_rope_index: frames and sound of seconds_per_chunk seconds in
/// turn. The tokens that begin the video and its sound have one position, and so have those that end them.
std::vector<PositionBlock> by_chunks(const PositionSpec& spec) {
  const auto interleaved = [&](const Segment& segment, std::int64_t start,
                               std::vector<PositionBlock>& blocks) {
    const auto both = [&](std::int64_t at) { blocks.push_back({{2, 1, 1}, {{at}, {at}, {at}}}); };
    both(start++);
    const auto video = seen(spec, segment, start, step_of_time(spec, segment));
    const auto frames = video.raster[0];
    const auto chunk = std::max<std::int64_t>(spec.tokens_per_second * spec.seconds_per_chunk, 1);
    std::int64_t shown = 0;
    std::int64_t heard = 0;
    for (std::int64_t end = chunk; shown < frames || heard < segment.audio; end += chunk) {
      if (const auto until = frames_before(video, frames, end); until > shown) {
        blocks.push_back(some_frames(video, shown, until - shown));
        shown = until;
      }
      if (const auto until = std::min(end, segment.audio); until > heard) {
        blocks.push_back(counted(until - heard, start + heard));
        heard = until;
      }
    }
    const auto& last = blocks.back();
    const auto behind = std::max({last.last(0), last.last(1), last.last(2)}) + 1;
    both(behind);
    return behind + 1;
  };
  return one_after_another(
      spec, [&](const Segment& segment) { return step_of_time(spec, segment); }, interleaved);
}

/// transformers, modeling_qwen3_omni_moe, get_rope_index: frames and sound in the order of their times, a
/// frame before sound of its time. What begins and ends them is text.
std::vector<PositionBlock> by_time(const PositionSpec& spec) {
  const auto merged = [&](const Segment& segment, std::int64_t start, std::vector<PositionBlock>& blocks) {
    const auto video = seen(spec, segment, start, step_of_time(spec, segment));
    std::int64_t heard = 0;
    for (std::int64_t frame = 0; frame < video.raster[0]; ++frame) {
      const auto until = std::min(video.axes[0].at(frame) - start, segment.audio);
      if (until > heard) {
        blocks.push_back(counted(until - heard, start + heard));
        heard = until;
      }
      blocks.push_back(some_frames(video, frame, 1));
    }
    if (heard < segment.audio) {
      blocks.push_back(counted(segment.audio - heard, start + heard));
    }
    const auto& last = blocks.back();
    return std::max({last.last(0), last.last(1), last.last(2)}) + 1;
  };
  return one_after_another(
      spec, [&](const Segment& segment) { return step_of_time(spec, segment); }, merged);
}

}  // namespace

std::vector<PositionRule> language_rules() {
  return {
      {"qwen2_vl", 3, {.merges_patches = true}, any_segments, accepts_any, by_frames},
      {"qwen2_5_vl", 3, {.merges_patches = true, .keeps_time = true}, any_segments, accepts_any, by_seconds},
      {"qwen2_5_omni",
       3,
       {.merges_patches = true, .keeps_time = true, .hears = true, .keeps_chunks = true},
       with_sound,
       accepts_any,
       by_chunks},
      {"qwen3_omni",
       3,
       {.merges_patches = true, .keeps_time = true, .hears = true},
       with_sound,
       accepts_any,
       by_time},
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
