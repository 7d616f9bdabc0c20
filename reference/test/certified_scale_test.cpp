// Scales of xPos as products of seeds: what they enclose, how tightly, and where they stop.

#include "reference/ladder/certified_scale.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "reference/test/exact.hpp"

namespace vernier {
namespace {

PositionScale scale_of(bool is_reciprocal) {
  return {{Rational(2, 5), Rational(1), Rational(7, 5), Rational(999, 1000)}, 100, 512, is_reciprocal};
}

TEST(CertifiedScale, EnclosesTheScaleTightlyUpToItsGreatestBinade) {
  for (const bool is_reciprocal : {false, true}) {
    CertifiedScale scales(scale_of(is_reciprocal));
    int left_out = 0;
    for (const std::int64_t position :
         {100L, 101L, 99L, 0L, -1L, 613L, 65535L, -65536L, 130000L, -2147483648L, 2147483647L}) {
      for (int pair = 0; pair < 4; ++pair) {
        const double binades =
            std::log2(approximately(scales.scale().ratios[static_cast<std::size_t>(pair)])) *
            std::fabs(static_cast<double>(position - 100)) / 512;
        const auto enclosed = scales.at(position, pair);
        ASSERT_EQ(enclosed.has_value(), std::fabs(binades) <= 400) << position << ", " << pair;
        left_out += enclosed ? 0 : 1;
        if (enclosed) {
          const WorkingPrecision precision(300);
          EXPECT_TRUE(lies_within(scales.scale().at(position, pair)(), *enclosed))
              << position << ", " << pair;
          EXPECT_LE(enclosed->radius, 0x1p-91 * enclosed->middle.high) << position << ", " << pair;
        }
      }
    }
    EXPECT_EQ(left_out, 6) << "both ends of the positions, but where the ratio is one";
  }
}

TEST(CertifiedScale, GrowsWhereItIsMoreThanOne) {
  for (const bool is_reciprocal : {false, true}) {
    CertifiedScale scales(scale_of(is_reciprocal));
    for (const std::int64_t position : {-5000, 99, 100, 101, 5000}) {
      for (const int pair : {0, 1, 2, 3}) {
        EXPECT_EQ(scales.is_growth(position, pair), scales.at(position, pair)->middle.high > 1);
      }
    }
  }
}

}  // namespace
}  // namespace vernier
