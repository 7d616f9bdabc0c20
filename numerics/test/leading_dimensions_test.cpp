// Where the copies of a tensor's rows stand, by the shapes of positions and rows.

#include "numerics/tensors/leading_dimensions.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace vernier {
namespace {

using ::testing::ElementsAre;
using ::testing::Optional;

const std::vector<std::int64_t> two_by_three{0, 1, 2, 7, 8, 9};

TEST(LeadingDimensions, GiveEveryCopyThePositionsOfAll) {
  EXPECT_THAT(positions_of_rows(std::vector<std::int64_t>{4, 5}, {2}, {3}, 2),
              Optional(ElementsAre(4, 5, 4, 5, 4, 5)));
  EXPECT_THAT(positions_of_rows(std::vector<std::int64_t>{4, 5}, {2}, {}, 2), Optional(ElementsAre(4, 5)));
}

TEST(LeadingDimensions, AlignPositionsWithTheFirstOnes) {
  EXPECT_THAT(positions_of_rows(two_by_three, {2, 3}, {2, 2}, 3),
              Optional(ElementsAre(0, 1, 2, 0, 1, 2, 7, 8, 9, 7, 8, 9)));
  EXPECT_THAT(positions_of_rows(two_by_three, {1, 2, 3}, {2, 2}, 3),
              Optional(ElementsAre(0, 1, 2, 7, 8, 9, 0, 1, 2, 7, 8, 9)));
  EXPECT_THAT(positions_of_rows(two_by_three, {2, 1, 3}, {2, 2}, 3),
              Optional(ElementsAre(0, 1, 2, 0, 1, 2, 7, 8, 9, 7, 8, 9)));
}

TEST(LeadingDimensions, RefuseShapesThatDoNotFit) {
  EXPECT_EQ(positions_of_rows(two_by_three, {2, 3}, {3, 2}, 3), std::nullopt);
  EXPECT_EQ(positions_of_rows(two_by_three, {2, 3}, {}, 3), std::nullopt);
  EXPECT_EQ(positions_of_rows(two_by_three, {6}, {2}, 3), std::nullopt);
}

TEST(LeadingDimensions, IndexCopiesWithTheLastDimensionFastest) {
  EXPECT_THAT(leading_index({2, 3}, 4), ElementsAre(1, 1));
  EXPECT_THAT(leading_index({}, 0), ElementsAre());
}

}  // namespace
}  // namespace vernier
