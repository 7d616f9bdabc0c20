// Positions of images that are made from text, in tokens: patches are merged before they are counted.

#include <algorithm>
#include <utility>

#include "reference/schemes/position_ids/position_rule.hpp"

namespace vernier {
namespace {

using Axis = PositionBlock::Axis;

/// Whether they are a text and then images of one frame, so many at most.
template <std::size_t most>
bool are_text_and_up_to(const std::vector<Segment>& segments) {
  return segments.size() >= 2 && segments.size() <= most + 1 && segments.front().is_text() &&
         std::all_of(segments.begin() + 1, segments.end(),
                     [](const Segment& one) { return one.kind == Segment::Kind::image && one.grid[0] == 1; });
}

bool are_images_and_text(const std::vector<Segment>& segments) {
  const auto texts = std::ranges::count_if(segments, &Segment::is_text);
  return texts <= 1 && texts < std::ssize(segments) && (texts == 0 || segments.back().is_text());
}

bool is_one_grid(const std::vector<Segment>& segments) {
  return segments.size() == 1 && !segments.front().is_text();
}

/// diffusers, pipeline_flux `_prepare_latent_image_ids` and `text_ids`; pipeline_flux_kontext numbers the
/// reference 1.
std::vector<PositionBlock> flux(const PositionSpec& spec) {
  std::vector<PositionBlock> blocks{{spec.segments[0].grid, {Axis{}, Axis{}, Axis{}}}};
  for (std::size_t i = 1; i < spec.segments.size(); ++i) {
    blocks.push_back({spec.segments[i].grid, {{static_cast<std::int64_t>(i) - 1}, {0, 1}, {0, 2}}});
  }
  return blocks;
}

/// Images behind the first, each at its place beside those before it. \param number the time of each
template <class Place>
std::vector<PositionBlock> flux_beside(const PositionSpec& spec, std::int64_t number, Place place) {
  std::vector<PositionBlock> blocks{{spec.segments[0].grid, {Axis{}, Axis{}, Axis{}}},
                                    {spec.segments[1].grid, {Axis{}, {0, 1}, {0, 2}}}};
  for (std::size_t i = 2; i < spec.segments.size(); ++i) {
    const auto& grid = spec.segments[i].grid;
    const auto [row, column] = place(grid[1], grid[2]);
    blocks.push_back({grid, {{number}, {row, 1}, {column, 2}}});
  }
  return blocks;
}

/// ComfyUI, comfy/ldm/flux/model.py, the references of Kontext by "offset": each to the right of those before
/// it or below them, whichever leaves the shorter side.
std::vector<PositionBlock> flux_stitched(const PositionSpec& spec) {
  return flux_beside(
      spec, 1,
      [height = std::int64_t{0}, width = std::int64_t{0}](std::int64_t rows, std::int64_t columns) mutable {
        const bool is_beside = rows + height > columns + width;
        const std::pair place{is_beside ? 0 : height, is_beside ? width : 0};
        height = std::max(height, rows + place.first);
        width = std::max(width, columns + place.second);
        return place;
      });
}

/// The same file, "uxo": each behind the image and all before it, along both sides, at the image's time.
std::vector<PositionBlock> flux_diagonal(const PositionSpec& spec) {
  const auto& image = spec.segments[1].grid;
  return flux_beside(spec, 0,
                     [height = image[1], width = image[2]](std::int64_t rows, std::int64_t columns) mutable {
                       const std::pair place{height, width};
                       height += rows;
                       width += columns;
                       return place;
                     });
}

/// diffusers, pipeline_flux2 `_prepare_text_ids`, `_prepare_latent_ids` and `_prepare_image_ids` (scale 10).
std::vector<PositionBlock> flux2(const PositionSpec& spec) {
  constexpr std::int64_t between_images = 10;
  std::vector<PositionBlock> blocks{{spec.segments[0].grid, {Axis{}, Axis{}, Axis{}, {0, 0}}}};
  for (std::size_t i = 1; i < spec.segments.size(); ++i) {
    const auto time = between_images * (static_cast<std::int64_t>(i) - 1);
    blocks.push_back({spec.segments[i].grid, {{time}, {0, 1}, {0, 2}, Axis{}}});
  }
  return blocks;
}

/// Where the first row or column is. \param count of them
std::int64_t first_of(std::int64_t count, ImageCentre centre) {
  return centre == ImageCentre::none         ? 0
         : centre == ImageCentre::rounded_up ? count / 2 - count
                                             : -(count / 2);
}

/// diffusers, transformer_qwenimage, QwenEmbedRope: with scale_rope rows and columns count from the middle,
/// and text from the greatest half; without from 0, and text from the greatest number.
std::vector<PositionBlock> qwen_image(const PositionSpec& spec) {
  std::vector<PositionBlock> blocks;
  std::int64_t number = 0;
  std::int64_t text = 0;
  for (const auto& segment : spec.segments) {
    if (segment.is_text()) {
      blocks.push_back({segment.grid, {{text, 0}, {text, 0}, {text, 0}}});
      continue;
    }
    const auto [frames, rows, columns] = segment.grid;
    blocks.push_back(
        {segment.grid,
         {{number++, 0}, {first_of(rows, spec.centre), 1}, {first_of(columns, spec.centre), 2}}});
    const std::int64_t share = spec.centre == ImageCentre::none ? 1 : 2;
    text = std::max({text, rows / share, columns / share});
  }
  return blocks;
}

/// diffusers, transformer_lumina2, Lumina2RotaryPosEmbed.
std::vector<PositionBlock> lumina2(const PositionSpec& spec) {
  const auto& text = spec.segments[0].grid;
  return {{text, {{0, 0}, Axis{}, Axis{}}}, {spec.segments[1].grid, {{text[0]}, {0, 1}, {0, 2}}}};
}

/// diffusers, transformer_z_image `_pad_with_ids`: text and image are filled up to multiples of 32 tokens,
/// the text by further positions, the image by zeros.
std::vector<PositionBlock> z_image(const PositionSpec& spec) {
  constexpr std::int64_t multiple = 32;
  const auto filled = [](std::int64_t tokens) { return (tokens + multiple - 1) / multiple * multiple; };
  const auto text = filled(spec.segments[0].grid[0]);
  std::vector<PositionBlock> blocks{{{text, 1, 1}, {{1, 0}, Axis{}, Axis{}}},
                                    {spec.segments[1].grid, {{text + 1, 0}, {0, 1}, {0, 2}}}};
  const auto tokens = blocks.back().rows();
  if (const auto more = filled(tokens) - tokens; more > 0) {
    blocks.push_back({{more, 1, 1}, {Axis{}, Axis{}, Axis{}}});
  }
  return blocks;
}

/// Wan2.2, `rope_apply`; diffusers, transformer_hunyuan_video, HunyuanVideoRotaryPosEmbed.
std::vector<PositionBlock> grid(const PositionSpec& spec) {
  return {{spec.segments[0].grid, {{0, 0}, {0, 1}, {0, 2}}}};
}

}  // namespace

std::vector<PositionRule> image_rules() {
  constexpr std::size_t most_images = 64;
  constexpr std::string_view many_images = "text, then 1 to 64 images, of one frame each";
  return {
      {"flux", 3, {}, "text, an image and at most one more, of one frame each", are_text_and_up_to<2>, flux},
      {"flux_stitched", 3, {}, many_images, are_text_and_up_to<most_images>, flux_stitched},
      {"flux_diagonal", 3, {}, many_images, are_text_and_up_to<most_images>, flux_diagonal},
      {"flux2", 4, {}, many_images, are_text_and_up_to<most_images>, flux2},
      {"qwen_image",
       3,
       {.centres = true},
       "images or videos, then at most one text",
       are_images_and_text,
       qwen_image},
      {"lumina2", 3, {}, "text, then an image of one frame", are_text_and_up_to<1>, lumina2},
      {"z_image", 3, {}, "text, then an image of one frame", are_text_and_up_to<1>, z_image},
      {"grid", 3, {}, "an image or a video alone", is_one_grid, grid},
  };
}

}  // namespace vernier
