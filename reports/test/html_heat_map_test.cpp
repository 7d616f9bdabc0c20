#include <algorithm>
#include <limits>
#include <stdexcept>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <png.h>

#include "reports/html/charts/error_heat_map.hpp"
#include "reports/html/charts/palette_png.hpp"
#include "reports/test/svg_reader.hpp"

namespace vernier {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

struct Pixels {
  std::size_t width;
  std::vector<std::uint8_t> rgb;
};

Pixels decoded(const std::vector<std::uint8_t>& file) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  EXPECT_NE(png_image_begin_read_from_memory(&image, file.data(), file.size()), 0);
  image.format = PNG_FORMAT_RGB;
  std::vector<std::uint8_t> rgb(PNG_IMAGE_SIZE(image));
  EXPECT_NE(png_image_finish_read(&image, nullptr, rgb.data(), 0, nullptr), 0);
  return {image.width, rgb};
}

/// Two octaves and three pairs: 0, 0.5, 1 at position 1, and 2, 5 at position 2.
Figure two_by_three() {
  ErrorMap map;
  map.add(1, 0, 0);
  map.add(1, 1, 0.5);
  map.add(1, 2, 1);
  map.add(2, 0, 2);
  map.add(2, 1, 5);
  return error_heat_map("map", "Title.", "Caption.", map, std::nullopt, std::nullopt);
}

TEST(PalettePng, HoldsEveryPixel) {
  const std::vector<Colour> palette{{1, 2, 3}, {250, 128, 0}, {9, 9, 9}};
  const auto picture = decoded(palette_png(std::vector<std::uint8_t>{0, 1, 2, 1, 0, 2}, 3, palette));
  EXPECT_EQ(picture.width, 3U);
  EXPECT_THAT(picture.rgb, ElementsAre(1, 2, 3, 250, 128, 0, 9, 9, 9, 250, 128, 0, 1, 2, 3, 9, 9, 9));
}

TEST(PalettePng, IsTheSameEveryTimeAndRefusesWhatDoesNotFit) {
  const std::vector<std::uint8_t> pixels{0, 1, 1, 0};
  const std::vector<Colour> palette{{1, 2, 3}, {250, 128, 0}};
  EXPECT_EQ(palette_png(pixels, 2, palette), palette_png(pixels, 2, palette));
  EXPECT_THROW(palette_png(pixels, 3, palette), std::logic_error);
  EXPECT_THROW(palette_png(pixels, 0, palette), std::logic_error);
  EXPECT_THROW(palette_png(pixels, 2, std::vector<Colour>{{1, 2, 3}}), std::logic_error);
}

TEST(ColoursAboutLimit, DarkenStepByStepAndTurnFromCoolToWarm) {
  const auto colours = colours_about_limit(4, 5);
  ASSERT_EQ(colours.size(), 9U);
  for (std::size_t i = 0; i < colours.size(); ++i) {
    EXPECT_EQ(colours[i].blue > colours[i].red, i < 4);
    const auto lightness = [](const Colour& c) {
      return 0.2126 * c.red + 0.7152 * c.green + 0.0722 * c.blue;
    };
    EXPECT_TRUE(i == 0 || lightness(colours[i]) < lightness(colours[i - 1]));
  }
}

TEST(Base64, PadsAsItMust) {
  const auto encoded = [](std::string_view text) {
    return base64(std::vector<std::uint8_t>(text.begin(), text.end()));
  };
  EXPECT_EQ(encoded(""), "");
  EXPECT_EQ(encoded("f"), "Zg==");
  EXPECT_EQ(encoded("fo"), "Zm8=");
  EXPECT_EQ(encoded("foo"), "Zm9v");
  EXPECT_EQ(encoded("foobar"), "Zm9vYmFy");
}

TEST(ErrorHeatMap, TellsInScaleWhatThePictureShows) {
  const auto figure = two_by_three();
  const auto colours = colours_about_limit(4, 1);
  for (const auto& [colour, label] : {std::pair{hex_colour(colours[0]), "up to 1/8"},
                                      {hex_colour(colours[3]), "1/2 to 1"},
                                      {hex_colour(colours[4]), "1 to 10"},
                                      {std::string("#8c9298"), "not judged"}}) {
    EXPECT_THAT(figure.picture, HasSubstr("fill=\"" + colour + "\" data-label=\"" + label + "\""));
    EXPECT_THAT(figure.picture, HasSubstr(std::string(">") + label + "</text>"));
  }
}

TEST(ErrorHeatMap, PictureHasTheFirstOctaveAtTheBottom) {
  auto colours = colours_about_limit(4, 1);
  colours.push_back({140, 146, 152});
  const auto expected = palette_png(std::vector<std::uint8_t>{4, 4, 5, 0, 3, 3}, 3, colours);
  EXPECT_THAT(two_by_three().picture, HasSubstr("href=\"data:image/png;base64," + base64(expected) + "\""));
}

TEST(ErrorHeatMap, TextsKeepApartHoweverManyBands) {
  for (const double greatest : {0.1, 20.0, std::numeric_limits<double>::infinity()}) {
    ErrorMap map;
    map.add(1, 0, greatest);
    map.add(1 << 20, 1, 0.1);
    const auto figure = error_heat_map("map", "Title.", "Caption.", map, std::nullopt, std::nullopt);
    for (const auto& picture : {figure.picture, figure.slim}) {
      EXPECT_EQ(occurrences(picture, "class=\"swatch\""), greatest < 1 ? 6U : greatest < 100 ? 7U : 10U);
      EXPECT_EQ(malformed(picture), "");
      EXPECT_THAT(crowded_texts(picture), IsEmpty());
    }
  }
}

TEST(ErrorHeatMap, DrawsALineAroundWhatIsBeyond) {
  // The two cells of the upper row, beside each other.
  const auto figure = two_by_three();
  const auto start = figure.picture.find("<path class=\"limit\" d=\"") + 23;
  const auto line = figure.picture.substr(start, figure.picture.find('"', start) - start);
  EXPECT_EQ(std::ranges::count(line, 'M'), std::ranges::count(line, 'L'));
  EXPECT_EQ(std::ranges::count(line, 'M'), 4) << line;  // two strokes across, two up
}

TEST(ErrorHeatMap, TellsEachCellAndMarksTheFirstAndTheWorst) {
  ErrorMap map;
  for (std::size_t pair = 0; pair < 100; ++pair) {
    map.add(5, pair, 0.1);
    map.add(-40, pair, pair == 70 ? 3.001 : 0.5);
  }
  const auto figure =
      error_heat_map("errors", "Title.", "Story.", map, ElementOnMap{-33, 70}, ElementOnMap{-40, 70});
  ASSERT_EQ(figure.table.columns.size(), 51U);
  EXPECT_EQ(figure.table.columns[36].heading, "70 to 71");
  ASSERT_EQ(figure.table.rows.size(), 4U);  // from 4 to 7, to from 32 to 63
  EXPECT_EQ(figure.table.rows[0][0], "4 to 7");
  EXPECT_EQ(figure.table.rows[0][1], "0.1");
  EXPECT_EQ(figure.table.rows[1][1], "–");
  EXPECT_EQ(figure.table.rows[3][36], "3.01");
  EXPECT_EQ(figure.table.rows[3][35], "0.5");
  EXPECT_THAT(figure.picture, HasSubstr("data-label=\"1 to 10\""));
  EXPECT_THAT(figure.picture, ::testing::Not(HasSubstr("10 to 100")));
  EXPECT_THAT(figure.picture, HasSubstr("class=\"named\""));
}

}  // namespace
}  // namespace vernier
