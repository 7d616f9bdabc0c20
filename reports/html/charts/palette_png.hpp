#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace vernier {

/// A colour in sRGB, 0 to 255 each.
struct Colour {
  std::uint8_t red;
  std::uint8_t green;
  std::uint8_t blue;

  bool operator==(const Colour&) const = default;
};

/// "#rrggbb".
std::string hex_colour(const Colour& colour);

/// Colours of values on the two sides of a limit: `below` cool ones, then `beyond` warm ones, each darker
/// than the one before.
std::vector<Colour> colours_about_limit(std::size_t below, std::size_t beyond);

/// A PNG picture in which `pixels`, row by row from the top, `width` to a row, index `palette` (at most 256
/// colours). The same input gives the same bytes. Throws std::logic_error for sizes that do not fit or an
/// index outside the palette.
std::vector<std::uint8_t> palette_png(std::span<const std::uint8_t> pixels, std::size_t width,
                                      std::span<const Colour> palette);

/// The bytes in base 64 with padding.
std::string base64(std::span<const std::uint8_t> bytes);

}  // namespace vernier
