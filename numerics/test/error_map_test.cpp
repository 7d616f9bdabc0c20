#include "numerics/errors/error_map.hpp"

#include <cstdint>
#include <limits>

#include <gtest/gtest.h>

#include "numerics/audit/audit_report.hpp"

namespace vernier {
namespace {

constexpr auto least_integer = std::numeric_limits<std::int64_t>::min();

TEST(ErrorMap, OctavesStartAtPowersOfTwo) {
  EXPECT_EQ(ErrorMap::octave_of(0), 0U);
  EXPECT_EQ(ErrorMap::octave_of(-1), 0U);
  EXPECT_EQ(ErrorMap::octave_of(2), 1U);
  EXPECT_EQ(ErrorMap::octave_of(3), 1U);
  EXPECT_EQ(ErrorMap::octave_of(-4), 2U);
  EXPECT_EQ(ErrorMap::octave_of((std::int64_t{1} << 52) - 1), 51U);
  EXPECT_EQ(ErrorMap::octave_of(std::int64_t{1} << 52), 52U);
  EXPECT_EQ(ErrorMap::octave_of(least_integer), 63U);
}

TEST(ErrorMap, BandsOfPositionsLieWithinOctaves) {
  EXPECT_EQ(band_of(0), 0);
  for (const std::int64_t position :
       {std::int64_t{1}, std::int64_t{2}, std::int64_t{3}, std::int64_t{7}, std::int64_t{1000},
        (std::int64_t{1} << 52) - 1, std::int64_t{1} << 62}) {
    const auto octave = static_cast<int>(ErrorMap::octave_of(position));
    for (const auto signed_position : {position, -position}) {
      EXPECT_GT(band_of(signed_position), 4 * octave) << position;
      EXPECT_LE(band_of(signed_position), 4 * octave + 4) << position;
    }
  }
}

TEST(ErrorMap, CountsAndKeepsTheGreatest) {
  ErrorMap map;
  map.add(5, 1, 0.5);
  map.add(-6, 1, 2);
  map.add(7, 1, std::nullopt);
  map.add(7, 0, 0.25);
  ASSERT_EQ(map.octaves.size(), 3U);
  EXPECT_TRUE(map.octaves[0].cells.empty());
  const auto& octave = map.octaves[2];
  EXPECT_EQ(octave.least_position, 5);
  EXPECT_EQ(octave.greatest_position, 7);
  EXPECT_EQ(octave.cells[1].judged, 2U);
  EXPECT_EQ(octave.cells[1].failing, 1U);
  EXPECT_EQ(octave.cells[1].greatest_budget_ratio, 2);
  EXPECT_EQ(octave.whole().judged, 3U);
}

TEST(ErrorMap, MergesWhatWasCountedApart) {
  ErrorMap first;
  first.add(4, 0, 0.5);
  ErrorMap second;
  second.add(6, 3, 1.5);
  second.add(100, 3, 0.1);
  first.merge(second);
  EXPECT_EQ(first.pairs, 4U);
  EXPECT_EQ(first.octaves[2].greatest_position, 6);
  EXPECT_EQ(first.octaves[2].cells[3].failing, 1U);
  EXPECT_EQ(first.octaves[6].least_position, 100);
  EXPECT_TRUE(first.octaves[4].cells.empty());
}

TEST(ErrorMap, CoarsensToNoMoreCellsThanAsked) {
  ErrorMap map;
  for (std::size_t pair = 0; pair < 130; ++pair) {
    map.add(1, pair, static_cast<double>(pair));
  }
  const auto coarse = map.coarsened(64);
  EXPECT_EQ(coarse.pairs_per_cell, 3U);
  EXPECT_EQ(coarse.pairs, 130U);
  ASSERT_EQ(coarse.octaves[0].cells.size(), 44U);
  EXPECT_EQ(coarse.octaves[0].cells[0].judged, 3U);
  EXPECT_EQ(coarse.octaves[0].cells[0].greatest_budget_ratio, 2);
  EXPECT_EQ(coarse.octaves[0].cells[43].judged, 1U);
  EXPECT_EQ(coarse.octaves[0].whole().failing, 128U);
  EXPECT_EQ(map.coarsened(200).pairs_per_cell, 1U);
}

}  // namespace
}  // namespace vernier
