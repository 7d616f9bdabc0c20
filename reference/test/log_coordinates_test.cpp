// Coordinates of Swin v2, worked out by hand, and what is refused.

#include <string>

#include <gmock/gmock.h>

#include "reference/test/parsed.hpp"

namespace vernier {
namespace {

using ::testing::StrEq;

ExactTable log_table(const std::string& keys) {
  return parsed(R"({"scheme": "log_coordinates", )" + keys + "}")->all<ExactTable>().at(0);
}

double coordinate(const std::string& keys, std::int64_t row, std::size_t axis) {
  return *correctly_rounded(Format::binary64, log_table(keys).entry(row, axis));
}

/// log2(1 + 8)/3 at the greatest offset, log2(1 + 4)/3 at half of it.
TEST(LogCoordinates, GoFromTheFarthestOffsetThroughZero) {
  const std::string window = R"("window": [2, 3])";
  EXPECT_EQ(*log_table(window).last_position, 14);
  EXPECT_EQ(log_table(window).columns, 2U);
  EXPECT_EQ(*log_table(R"("window": [128, 128])").last_position, 255 * 255 - 1);
  EXPECT_EQ(coordinate(window, 0, 0), -0x1.0e80117bfd39bp+0);
  EXPECT_EQ(coordinate(window, 1, 1), -0x1.8c46961f78497p-1);
  EXPECT_EQ(coordinate(window, 7, 0), 0);
  EXPECT_EQ(coordinate(window, 7, 1), 0);
  EXPECT_EQ(coordinate(window, 8, 1), -coordinate(window, 6, 1));
  EXPECT_EQ(coordinate(window, 14, 1), -coordinate(window, 0, 0));
}

TEST(LogCoordinates, AreThoseOfTheWindowOfTraining) {
  const std::string window = R"("window": [8, 8], "pretrained_window": [2, 9])";
  EXPECT_EQ(coordinate(window, 7 * 15 + 14, 1), 1) << "offset 7 of 8: log2(1 + 7)/3";
  EXPECT_EQ(coordinate(window, 8 * 15, 0), -coordinate(R"("window": [2, 2])", 0, 0));
}

TEST(LogCoordinates, AreRefusedWhereOffsetsAreDividedByZero) {
  const auto expect_refused = [](const std::string& keys, const std::string& found) {
    EXPECT_THAT(
        refusal_of([&] { log_table(keys); }),
        StrEq("case.json: spec." + found +
              ", expected two integers of at least 2, height and width, as offsets are divided by one "
              "less, with at most 65536 offsets"))
        << keys;
  };
  expect_refused(R"("window": [1, 7])", "window[0]: found 1");
  expect_refused(R"("window": [7])", "window: found an array");
  expect_refused(R"("window": [7, 7], "pretrained_window": [2, 60000])", "pretrained_window: found an array");
}

}  // namespace
}  // namespace vernier
