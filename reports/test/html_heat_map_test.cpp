#include <algorithm>
#include <limits>
#include <regex>
#include <string>
#include <utility>

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reports/html/charts/error_heat_map.hpp"
#include "reports/test/svg_reader.hpp"

namespace vernier {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

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

TEST(ErrorHeatMap, TellsInItsKeyWhatThePictureShows) {
  const auto figure = two_by_three();
  for (const auto& [css_class, label] : {std::pair{"band-1", "up to 1/8"},
                                         {"band-4", "1/2 to 1"},
                                         {"band-5", "1 to 10"},
                                         {"not-judged", "not judged"}}) {
    EXPECT_EQ(occurrences(figure.picture, fmt::format("<path class=\"mark {}\"", css_class)), 1U)
        << css_class;
    EXPECT_EQ(occurrences(figure.picture, fmt::format("class=\"swatch {}\"", css_class)), 1U) << css_class;
    EXPECT_THAT(figure.picture, HasSubstr(fmt::format(">{}</text>", label)));
  }
  EXPECT_THAT(figure.picture, Not(HasSubstr("band-2")));
}

/// What is drawn by the path of this class; nothing where there is none.
std::string path_of_class(const std::string& picture, const std::string& css_class) {
  std::smatch found;
  return std::regex_search(picture, found, std::regex("<path class=\"" + css_class + "\" d=\"([^\"]*)\""))
             ? found[1].str()
             : std::string();
}

TEST(ErrorHeatMap, PictureHasTheFirstOctaveAtTheBottomAndRunsOfCellsAreOne) {
  const auto picture = two_by_three().picture;
  const auto top_of = [&](const char* css_class) {
    const auto path = path_of_class(picture, css_class);
    return std::stod(path.substr(path.find(' ')));
  };
  EXPECT_GT(top_of("mark band-1"), top_of("mark band-5"));
  EXPECT_EQ(top_of("mark band-1"), top_of("mark band-4"));
  for (const auto* css_class : {"mark band-1", "mark band-4", "mark band-5", "mark not-judged"}) {
    const auto path = path_of_class(picture, css_class);
    EXPECT_EQ(std::ranges::count(path, 'M'), 1) << css_class << ": " << path;
  }
}

TEST(ErrorHeatMap, TextsKeepApartHoweverManyBands) {
  for (const double greatest : {0.1, 20.0, std::numeric_limits<double>::infinity()}) {
    ErrorMap map;
    map.add(1, 0, greatest);
    map.add(1 << 20, 1, 0.1);
    const auto figure = error_heat_map("map", "Title.", "Caption.", map, std::nullopt, std::nullopt);
    EXPECT_EQ(occurrences(figure.picture, "class=\"swatch "), greatest < 1 ? 2U : 3U);
    EXPECT_EQ(malformed(figure.picture), "");
    EXPECT_THAT(crowded_texts(figure.picture), IsEmpty());
  }
}

/// Below the cells beyond, above all others: what is seen of it is the outer half of its stroke.
TEST(ErrorHeatMap, DrawsALineAroundWhatIsBeyond) {
  const auto picture = two_by_three().picture;
  EXPECT_EQ(path_of_class(picture, "limit"), path_of_class(picture, "mark band-5"));
  const auto limit = picture.find("class=\"limit\"");
  EXPECT_LT(picture.find("class=\"mark band-4\""), limit);
  EXPECT_LT(limit, picture.find("class=\"mark band-5\""));
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
  EXPECT_THAT(figure.picture, HasSubstr(">1 to 10</text>"));
  EXPECT_THAT(figure.picture, Not(HasSubstr("10 to 100")));
  EXPECT_THAT(figure.picture, HasSubstr("class=\"named\""));
}

}  // namespace
}  // namespace vernier
