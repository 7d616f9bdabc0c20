#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <png.h>

#include "reports/html/charts/error_heat_map.hpp"
#include "reports/html/charts/heat_map.hpp"
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

HeatMap two_by_three() {
  return {"map",
          "Title",
          "Caption.",
          {{"position"}, 0, 3},
          {{"pair"}, 0, 2},
          "error",
          {0, 0.5, 1, 2, 5, std::nan("")},
          3,
          {{0, "low"}, {1, "middle"}, {4, "high"}},
          {}};
}

TEST(PalettePng, HoldsEveryPixel) {
  const std::vector<Colour> palette{{1, 2, 3}, {250, 128, 0}, {9, 9, 9}};
  const auto picture = decoded(palette_png(std::vector<std::uint8_t>{0, 1, 2, 1, 0, 2}, 3, palette));
  EXPECT_EQ(picture.width, 3U);
  EXPECT_THAT(picture.rgb, ElementsAre(1, 2, 3, 250, 128, 0, 9, 9, 9, 250, 128, 0, 1, 2, 3, 9, 9, 9));
}

TEST(PalettePng, IsTheSameEveryTimeAndRefusesWhatDoesNotFit) {
  const std::vector<std::uint8_t> pixels{0, 1, 1, 0};
  const auto palette = sequential_colours(2);
  EXPECT_EQ(palette_png(pixels, 2, palette), palette_png(pixels, 2, palette));
  EXPECT_THROW(palette_png(pixels, 3, palette), std::logic_error);
  EXPECT_THROW(palette_png(pixels, 0, palette), std::logic_error);
  EXPECT_THROW(palette_png(pixels, 2, sequential_colours(1)), std::logic_error);
}

TEST(SequentialColours, DarkenStepByStep) {
  for (std::size_t count = 1; count <= 64; ++count) {
    const auto colours = sequential_colours(count);
    ASSERT_EQ(colours.size(), count);
    const auto lightness = [](const Colour& c) {
      return 0.2126 * c.red + 0.7152 * c.green + 0.0722 * c.blue;
    };
    for (std::size_t i = 1; i < count; ++i) {
      EXPECT_LT(lightness(colours[i]), lightness(colours[i - 1]));
    }
  }
  EXPECT_THROW(sequential_colours(0), std::logic_error);
  EXPECT_THROW(sequential_colours(65), std::logic_error);
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

TEST(DivergingColours, AreBlueBelowZeroAndRedAboveAndDarkenAwayFromIt) {
  const auto colours = diverging_colours(8);
  ASSERT_EQ(colours.size(), 8U);
  const auto lightness = [](const Colour& c) { return 0.2126 * c.red + 0.7152 * c.green + 0.0722 * c.blue; };
  for (std::size_t i = 0; i < colours.size(); ++i) {
    EXPECT_EQ(colours[i].blue > colours[i].red, i < 4);
    if (i > 0 && i != 4) {  // the two in the middle are alike
      EXPECT_EQ(lightness(colours[i]) > lightness(colours[i - 1]), i < 4) << i;
    }
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

TEST(HeatMapFigure, TellsInScaleAndTableWhatThePictureShows) {
  const auto figure = heat_map(two_by_three());
  const auto colours = sequential_colours(3);
  for (const auto& [colour, label] : {std::pair{hex_colour(colours[0]), "low"},
                                      {hex_colour(colours[1]), "middle"},
                                      {hex_colour(colours[2]), "high"},
                                      {std::string("#8c9298"), "no value"}}) {
    EXPECT_THAT(figure.picture, HasSubstr("fill=\"" + colour + "\" data-label=\"" + label + "\""));
    EXPECT_THAT(figure.picture, HasSubstr(std::string(">") + label + "</text>"));
  }
  EXPECT_THAT(figure.table.rows,
              ElementsAre(ElementsAre("low", "2", "33.3 %"), ElementsAre("middle", "2", "33.3 %"),
                          ElementsAre("high", "1", "16.7 %"), ElementsAre("no value", "1", "16.7 %")));
}

TEST(HeatMapFigure, PictureHasTheFirstRowAtTheBottom) {
  const auto figure = heat_map(two_by_three());
  auto colours = sequential_colours(3);
  colours.push_back({140, 146, 152});
  const auto expected = palette_png(std::vector<std::uint8_t>{1, 2, 3, 0, 0, 1}, 3, colours);
  EXPECT_THAT(figure.picture, HasSubstr("href=\"data:image/png;base64," + base64(expected) + "\""));
}

TEST(HeatMapFigure, TextsKeepApartHoweverManyBands) {
  for (const std::size_t count : {1U, 16U, 64U}) {
    auto map = two_by_three();
    map.bands.clear();
    for (std::size_t i = 0; i < count; ++i) {
      map.bands.push_back({static_cast<double>(i), "from " + std::to_string(i) + " to the next"});
    }
    map.x.axis.title = map.y.axis.title = map.value_title =
        "a title that is rather long for such a small axis";
    const auto figure = heat_map(map);
    EXPECT_EQ(occurrences(figure.picture, "class=\"swatch\""), count + 1);
    EXPECT_EQ(malformed(figure.picture), "");
    EXPECT_THAT(crowded_texts(figure.picture), IsEmpty());
  }
}

TEST(HeatMapFigure, RefusesWhatItCannotDraw) {
  auto map = two_by_three();
  map.columns = 4;
  EXPECT_THROW(heat_map(map), std::logic_error);
  map = two_by_three();
  map.values[0] = -1;
  EXPECT_THROW(heat_map(map), std::logic_error);
  map = two_by_three();
  map.bands[2].from = 1;
  EXPECT_THROW(heat_map(map), std::logic_error);
  map.bands.clear();
  EXPECT_THROW(heat_map(map), std::logic_error);
}

TEST(HeatMapFigure, DrawsALineAroundWhatReachesItsLimit) {
  auto map = two_by_three();
  map.limit = 1;
  // Three cells reach it, the right one of the lower row (0, 0.5, 1) and two of the upper one (2, 5, none).
  const auto figure = heat_map(map);
  const auto start = figure.picture.find("<path class=\"limit\" d=\"") + 23;
  const auto line = figure.picture.substr(start, figure.picture.find('"', start) - start);
  EXPECT_EQ(std::ranges::count(line, 'M'), std::ranges::count(line, 'L'));
  EXPECT_EQ(std::ranges::count(line, 'M'), 6) << line;  // three strokes across, three up
  EXPECT_THAT(figure.picture, HasSubstr(hex_colour(colours_about_limit(1, 2)[0])));
  map.limit = 0.75;
  EXPECT_THROW(heat_map(map), std::logic_error);
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
