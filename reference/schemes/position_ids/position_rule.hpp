#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "reference/numbers/rational.hpp"

namespace vernier {

/// How a step of time becomes an integer.
enum class TemporalRounding {
  product,   ///< the product is cut off (transformers since #48669)
  interval,  ///< the seconds between two frames are cut off first (transformers before)
  nearest    ///< the product goes to the nearest integer (onnxruntime-genai)
};

/// Tokens in a raster, the last index fastest, and what their positions are: along each axis a position
/// counts by one index of the raster, or stays.
struct PositionBlock {
  struct Axis {
    static constexpr int none = -1;

    std::int64_t first = 0;  ///< the position at index 0
    int index = none;        ///< of the raster: 0, 1, 2; `none` where the position stays
    Rational step = 1;       ///< not negative
    TemporalRounding rounding = TemporalRounding::product;  ///< of index * step
    std::int64_t skipped = 0;                               ///< indices before that of the raster's first

    /// \param place the index in the raster
    std::int64_t at(std::int64_t place) const;
  };

  std::array<std::int64_t, 3> raster{1, 1, 1};  ///< each at least 1
  std::vector<Axis> axes;

  std::int64_t rows() const { return raster[0] * raster[1] * raster[2]; }
  /// \param row below rows() \param axis below the number of axes
  std::int64_t at(std::int64_t row, std::size_t axis) const;
  /// The last position along an axis, which is the greatest.
  std::int64_t last(std::size_t axis) const { return at(rows() - 1, axis); }
};

/// A run of tokens of one kind.
struct Segment {
  enum class Kind { text, image, video, audio };
  static constexpr std::array<std::string_view, 4> names{"text", "image", "video", "audio"};

  Kind kind = Kind::text;
  /// Of what is seen: frames, rows and columns of patches. Of text and audio: the tokens, 1, 1. Each at least
  /// 1.
  std::array<std::int64_t, 3> grid{1, 1, 1};
  Rational seconds_per_grid = 1;  ///< of a video: between two of its frames
  std::int64_t audio = 0;  ///< of a video: the tokens of its sound, which lie among those of its frames

  bool is_text() const { return kind == Kind::text; }
  bool is_counted() const { return is_text() || kind == Kind::audio; }
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
  std::int64_t seconds_per_chunk = 2;  ///< of a video with sound
  std::vector<std::int64_t> parents =
      {};  ///< of each node of a draft tree: one before it, from 1; 0: the text
};

/// How a project gives tokens of text, images and videos their positions along several axes.
struct PositionRule {
  /// The keys of a spec that it takes besides "segments".
  struct Keys {
    bool merges_patches = false;  ///< "spatial_merge_size", "next_start", "frames"
    bool merges_frames = false;   ///< "temporal_merge_size"
    bool keeps_time = false;      ///< "tokens_per_second", "temporal_rounding", "seconds_per_grid"
    bool centres = false;         ///< "centre"
    bool hears = false;           ///< segments "audio", and "audio" beside "video"
    bool keeps_chunks = false;    ///< "seconds_per_chunk"
    bool branches = false;        ///< "parents"
  };

  std::string_view name;
  std::size_t axes = 3;
  Keys keys = {};
  std::string_view segments;  ///< which it takes, in words: "text, then an image"
  bool (*accepts)(const std::vector<Segment>& segments) = nullptr;
  /// \pre it accepts the segments
  std::vector<PositionBlock> (*place)(const PositionSpec& spec) = nullptr;
};

/// \name Every rule. A new one is a function and a row in one of the files of these names
/// @{
std::vector<PositionRule> language_rules();
std::vector<PositionRule> image_rules();
std::vector<PositionRule> sequence_rules();
/// @}

}  // namespace vernier
