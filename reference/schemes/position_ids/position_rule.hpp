#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "reference/rational.hpp"
#include "reference/registry.hpp"
#include "reference/schemes/position_ids/position_block.hpp"

namespace vernier {

/// A run of tokens of one kind.
struct Segment {
  enum class Kind { text, image, video };
  static constexpr std::array<std::string_view, 3> names{"text", "image", "video"};

  Kind kind = Kind::text;
  /// Of what is seen: frames, rows and columns of patches. Of text: the tokens, 1, 1. Each at least 1.
  std::array<std::int64_t, 3> grid{1, 1, 1};
  Rational seconds_per_grid = 1;  ///< of a video: between two of its frames

  bool is_text() const { return kind == Kind::text; }
  std::string_view name() const { return names[static_cast<std::size_t>(kind)]; }
};

/// Where the segment behind an image or a video starts.
enum class NextStart {
  after_greatest,  ///< one beyond its greatest position
  after_grid,      ///< as far beyond its start as it has rows or columns, whatever its frames
  at_greatest      ///< at its greatest position: a slip, which is named by it
};

/// How the frames, rows and columns of a video are counted.
enum class FrameCount {
  in_turn,  ///< frame after frame
  at_once   ///< a row of all frames, then the next, at one time that is a multiple of the start: a slip of
            ///< transformers from #43972 to #45400, which is named by it
};

/// Where the rows and columns of an image have position 0.
enum class ImageCentre {
  rounded_up,    ///< behind half of them, of 9 behind 5
  rounded_down,  ///< of 9 behind 4
  none           ///< at the first
};

/// A sequence, and what the rule needs besides.
struct PositionSpec {
  std::vector<Segment> segments;  ///< as the rule accepts them
  std::int64_t spatial_merge_size = 1;
  std::int64_t temporal_merge_size = 1;  ///< of videos
  std::int64_t tokens_per_second = 1;
  TemporalRounding temporal_rounding = TemporalRounding::product;
  NextStart next_start = NextStart::after_greatest;
  FrameCount frames = FrameCount::in_turn;
  ImageCentre centre = ImageCentre::rounded_up;
};

/// How a project gives tokens of text, images and videos their positions along several axes.
struct PositionRule {
  /// The keys of a spec that it takes besides "segments".
  struct Keys {
    bool merges_patches = false;  ///< "spatial_merge_size", "next_start", "frames"
    bool merges_frames = false;   ///< "temporal_merge_size"
    bool keeps_time = false;      ///< "tokens_per_second", "temporal_rounding", "seconds_per_grid"
    bool centres = false;         ///< "centre"
  };

  std::string_view name;
  std::size_t axes = 3;
  Keys keys = {};
  std::string_view segments;  ///< which it takes, in words: "text, then an image"
  bool (*accepts)(const std::vector<Segment>& segments) = nullptr;
  /// \pre it accepts the segments
  std::vector<PositionBlock> (*place)(const PositionSpec& spec) = nullptr;
};

/// Every rule. A new one is a function in one of the files that end in _rules.cpp, and a line here.
// clang-format off
VERNIER_REGISTRY(position_rules, PositionRule,
    qwen2_vl_positions,     // language_rules.cpp
    qwen2_5_vl_positions,   // language_rules.cpp
    qwen3_vl_positions,     // language_rules.cpp
    glm4v_positions,        // language_rules.cpp
    ernie4_5_vl_positions,  // language_rules.cpp
    flux_positions,         // image_rules.cpp
    flux2_positions,        // image_rules.cpp
    qwen_image_positions,   // image_rules.cpp
    lumina2_positions,      // image_rules.cpp
    z_image_positions,      // image_rules.cpp
    grid_positions);        // image_rules.cpp
// clang-format on

}  // namespace vernier
