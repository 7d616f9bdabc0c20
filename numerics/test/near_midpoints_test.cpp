// Elements that are hard to round: the nearest to a midpoint of each column, against every element by itself
// in multiprecision.

#include "numerics/searches/near_midpoints.hpp"

#include <cmath>

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reference/numbers/real.hpp"
#include "reference/test/parsed.hpp"

namespace vernier {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

std::vector<TrigTable> tables_of(std::string_view spec) {
  return tables_of_sines(*parsed(spec));
}

/// How far a real number is from the middle between two numbers of a format, in units of the gap, by its
/// definition: 2^(p-1-e) |x| is an integer for the numbers of the format, and the fraction is 1/2 midway,
/// with e emin where the numbers are subnormal.
double distance_from_midpoint(Format format, const Real& truth) {
  const WorkingPrecision precision(256);
  const Interval magnitude = abs(truth());
  const int exponent = std::max(std::ilogb(middle(magnitude)), traits(format).emin);
  const Interval places = magnitude * enclose(std::ldexp(1.0, traits(format).precision - 1 - exponent));
  // Doubles do not hold the places of float64, but what is left of them.
  const double left = middle(Interval(places - enclose(std::floor(middle(places)))));
  return std::fabs(left - std::floor(left) - 0.5);
}

/// The nearest of a column, by looking at each position from 1 to `last`.
NearMidpoint by_brute_force(const TrigTable& table, std::size_t column, std::int64_t last, Format format) {
  NearMidpoint result{0, table.columns[column].pair, table.columns[column].component, 1};
  for (std::int64_t position = 1; position <= last; ++position) {
    const double distance = distance_from_midpoint(format, table.entry(position, column));
    if (distance < result.distance) {
      result.position = position;
      result.distance = distance;
    }
  }
  return result;
}

void expect_nearest(std::string_view spec, std::int64_t last, Format format) {
  SCOPED_TRACE(fmt::format("{} {}", spec, traits(format).name));
  for (const auto& table : tables_of(spec)) {
    const auto found = near_midpoints(table, {1, 1, last}, format, 2);
    std::vector<NearMidpoint> expected;
    for (std::size_t column = 0; column < table.columns.size(); ++column) {
      const auto nearest = by_brute_force(table, column, last, format);
      if (nearest.position != 0) {
        expected.push_back(nearest);
      }
    }
    ASSERT_THAT(found, SizeIs(expected.size()));
    for (std::size_t i = 0; i < found.size(); ++i) {
      EXPECT_EQ(found[i].pair, expected[i].pair);
      EXPECT_EQ(found[i].component, expected[i].component);
      EXPECT_EQ(found[i].position, expected[i].position) << i;
      EXPECT_NEAR(found[i].distance, expected[i].distance, 0x1p-46) << i;
    }
  }
}

TEST(NearMidpoints, AreTheNearestOfAll) {
  for (const auto format : {Format::binary64, Format::binary32, Format::binary16, Format::bfloat16,
                            Format::float8_e4m3fn, Format::float8_e5m2fnuz}) {
    expect_nearest(R"({"scheme": "sinusoidal", "d_model": 8})", 700, format);
  }
}

/// The sines of the last pair stay below 2^-6, where float8_e4m3fn has subnormal numbers only; half of the
/// least of those is a midpoint too. At 1257 the sine of pair 1 is 3.1e-5 of a gap from a midpoint of them.
TEST(NearMidpoints, AreSubnormalNumbersToo) {
  for (const auto format : {Format::float8_e4m3fn, Format::float8_e5m2fnuz, Format::binary16}) {
    expect_nearest(R"({"scheme": "sinusoidal", "d_model": 4, "base": 1e9})", 300, format);
    expect_nearest(R"({"scheme": "sinusoidal", "d_model": 4, "base": 1e14})", 300, format);
    expect_nearest(R"({"scheme": "rope", "head_dim": 16, "rope_theta": 500})", 3000, format);
  }
}

/// An amplitude that is no power of two puts other numbers near midpoints.
TEST(NearMidpoints, AreThoseOfTheScaledTable) {
  expect_nearest(R"({"scheme": "rope", "head_dim": 8, "max_position_embeddings": 256, "rope_scaling":
    {"rope_type": "yarn", "factor": 4, "original_max_position_embeddings": 64}})",
                 500, Format::binary16);
}

TEST(NearMidpoints, AreFoundAtPositionsFromWhereverInSteps) {
  const auto table = tables_of(R"({"scheme": "rope", "head_dim": 4})").front();
  const auto all = near_midpoints(table, {1, 1, 3000}, Format::binary32);
  const auto mirrored = near_midpoints(table, {-1, -1, 3000}, Format::binary32);
  const auto with_zero = near_midpoints(table, {-3000, 1, 3001}, Format::binary32);
  const auto one_each = near_midpoints(table, {all.front().position - 70, 7, 21}, Format::binary32);
  for (std::size_t i = 0; i < all.size(); ++i) {
    EXPECT_EQ(mirrored[i].position, -all[i].position);
    EXPECT_EQ(with_zero[i].position, -all[i].position);
  }
  EXPECT_EQ(one_each.front().position, all.front().position);
}

TEST(NearMidpoints, AreSoughtWhereAPairTurns) {
  const auto tables = tables_of(R"({"scheme": "rope", "head_dim": 8})");
  ASSERT_THAT(tables, SizeIs(1));
  EXPECT_THAT(tables.front().columns, SizeIs(8)) << "cos and sin share their frequencies";
  EXPECT_THAT(tables_of(R"({"scheme": "alibi", "num_heads": 8})"), IsEmpty());
  EXPECT_THAT(tables_of(R"({"scheme": "rope", "head_dim": 8, "position_offset": 0.5})"), IsEmpty());
  EXPECT_THAT(near_midpoints(tables.front(), {0, 1, 1}, Format::binary32), IsEmpty());
}

}  // namespace
}  // namespace vernier
