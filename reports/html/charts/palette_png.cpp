#include "reports/html/charts/palette_png.hpp"

#include <algorithm>
#include <cmath>
#include <new>
#include <stdexcept>

#include <boost/archive/iterators/base64_from_binary.hpp>
#include <boost/archive/iterators/transform_width.hpp>
#include <fmt/core.h>
#include <png.h>

namespace vernier {
namespace {

// Of values that keep a limit, and of those that do not: the darkest of the first is paler than the palest of
// the second.
constexpr std::array<Colour, 2> cool{{{240, 245, 250}, {146, 186, 224}}};
constexpr std::array<Colour, 3> warm{{{239, 146, 62}, {186, 55, 35}, {74, 6, 24}}};

constexpr std::size_t max_palette = 256;

std::uint8_t between(std::uint8_t from, std::uint8_t to, double share) {
  return static_cast<std::uint8_t>(std::lround(from + share * (to - from)));
}

// `count` colours from the first anchor to the last.
std::vector<Colour> sequence(std::span<const Colour> stops, std::size_t count) {
  std::vector<Colour> colours;
  for (std::size_t i = 0; i < count; ++i) {
    const double place =
        count == 1 ? 0 : static_cast<double>(i * (stops.size() - 1)) / static_cast<double>(count - 1);
    const auto segment = std::min(static_cast<std::size_t>(place), stops.size() - 2);
    const double share = place - static_cast<double>(segment);
    const auto& from = stops[segment];
    const auto& to = stops[segment + 1];
    colours.push_back({between(from.red, to.red, share), between(from.green, to.green, share),
                       between(from.blue, to.blue, share)});
  }
  return colours;
}

}  // namespace

std::string hex_colour(const Colour& colour) {
  return fmt::format("#{:02x}{:02x}{:02x}", colour.red, colour.green, colour.blue);
}

std::vector<Colour> colours_about_limit(std::size_t below, std::size_t beyond) {
  auto colours = sequence(cool, below);
  const auto warm_ones = sequence(warm, beyond);
  colours.insert(colours.end(), warm_ones.begin(), warm_ones.end());
  return colours;
}

std::vector<std::uint8_t> palette_png(std::span<const std::uint8_t> pixels, std::size_t width,
                                      std::span<const Colour> palette) {
  if (width == 0 || pixels.empty() || pixels.size() % width != 0) {
    throw std::logic_error(fmt::format("a picture of {} pixels has no rows of {}", pixels.size(), width));
  }
  if (palette.size() > max_palette || *std::max_element(pixels.begin(), pixels.end()) >= palette.size()) {
    throw std::logic_error(
        fmt::format("a picture's pixels do not fit its palette of {} colours", palette.size()));
  }
  std::vector<std::uint8_t> colour_map;
  for (const auto& colour : palette) {
    colour_map.insert(colour_map.end(), {colour.red, colour.green, colour.blue});
  }
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = static_cast<png_uint_32>(width);
  image.height = static_cast<png_uint_32>(pixels.size() / width);
  image.format = PNG_FORMAT_RGB_COLORMAP;
  image.colormap_entries = static_cast<png_uint_32>(palette.size());
  png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(image);
  std::vector<std::uint8_t> file(size);
  if (png_image_write_to_memory(&image, file.data(), &size, 0, pixels.data(), 0, colour_map.data()) == 0) {
    throw std::bad_alloc();  // the picture is right and has its room, so libpng lacks memory
  }
  file.resize(size);
  return file;
}

std::string base64(std::span<const std::uint8_t> bytes) {
  namespace iterators = boost::archive::iterators;
  using Digits = iterators::base64_from_binary<iterators::transform_width<const std::uint8_t*, 6, 8>>;
  std::string text(Digits(bytes.data()), Digits(bytes.data() + bytes.size()));
  return text.append((3 - bytes.size() % 3) % 3, '=');
}

}  // namespace vernier
