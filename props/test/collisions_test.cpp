// Equal rows of correctly rounded tables: the search against brute force, and the field's printed collisions,
// exhaustively to 2^24.

#include <algorithm>
#include <map>
#include <vector>

#include <gtest/gtest.h>

#include "props/collisions/colliding_offsets.hpp"
#include "props/collisions/first_collision.hpp"
#include "reference/schemes/sinusoidal.hpp"

namespace vernier {
namespace {

constexpr std::int64_t all_positions = (std::int64_t{1} << 24) + 1;

TrigTable table_of(std::int64_t d_model, const Rational& base = 10000, const Rational& scale = 1) {
  SinusoidalSpec spec;
  spec.d_model = d_model;
  spec.base = base;
  spec.scale = scale;
  return spec.table();
}

/// Sines alone, of w_i = base^(-i step).
TrigTable sines(const Rational& base, const Rational& step, int pairs) {
  TrigTable table;
  table.frequencies = GeometricFrequencies{base, step, pairs};
  for (int pair = 0; pair < pairs; ++pair) {
    table.columns.push_back({pair, Component::sine});
  }
  return table;
}

/// Every row looked up among all before it, each entry rounded by itself from its definition.
std::optional<Collision> brute_force(const TrigTable& table, Format format, std::int64_t positions) {
  std::map<std::vector<double>, std::int64_t> seen;
  for (std::int64_t position = 0; position < positions; ++position) {
    std::vector<double> row;
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
      row.push_back(correctly_rounded(format, table.entry(position, c)).value());
    }
    const auto [entry, is_new] = seen.try_emplace(row, position);
    if (!is_new) {
      return Collision{entry->second, position};
    }
  }
  return std::nullopt;
}

void expect_found_by_all(const TrigTable& table, Format format, std::int64_t positions, const char* what) {
  const auto expected = brute_force(table, format, positions);
  EXPECT_EQ(first_collision(table, format, positions), expected) << what;
  EXPECT_EQ(first_collision_by_fingerprints(table, format, positions), expected) << what;
  const auto offsets = colliding_offsets(table, format, positions - 1);
  EXPECT_EQ(first_collision_at_offsets(table, format, positions, offsets), expected) << what;
}

TEST(FirstCollision, EqualsBruteForce) {
  expect_found_by_all(table_of(2), Format::bfloat16, 800, "one pair");
  expect_found_by_all(table_of(2), Format::bfloat16, 711, "one pair, no collision yet");
  expect_found_by_all(table_of(3), Format::bfloat16, 800, "one pair and a sine");
  expect_found_by_all(table_of(4), Format::binary16, 600, "two pairs");
  expect_found_by_all(table_of(4, 2), Format::bfloat16, 1000, "two pairs of similar frequencies");
  expect_found_by_all(table_of(4, 10000, Rational(1, 100000)), Format::binary16, 600, "subnormals");
  expect_found_by_all(table_of(2, 10000, 3), Format::bfloat16, 1500, "an amplitude between powers of two");
  expect_found_by_all(sines(2, 1, 3), Format::bfloat16, 500, "sines alone");
}

/// Brute force over all pairs of positions: no offset at which rows are equal is lost.
TEST(CollidingOffsets, KeepEveryOffsetThatCollides) {
  for (const Rational& scale : {Rational(1), Rational(3), Rational(1, 100000)}) {
    const auto table = table_of(2, 10000, scale);
    constexpr std::int64_t positions = 1500;
    const auto offsets = colliding_offsets(table, Format::binary16, positions);
    std::map<std::pair<double, double>, std::vector<std::int64_t>> by_row;
    std::size_t equal = 0;
    for (std::int64_t position = 0; position < positions; ++position) {
      const auto entry = [&](std::size_t column) {
        return correctly_rounded(Format::binary16, table.entry(position, column)).value();
      };
      auto& same = by_row[{entry(0), entry(1)}];
      for (const std::int64_t earlier : same) {
        EXPECT_TRUE(std::ranges::binary_search(offsets, position - earlier)) << scale << ": " << position;
        ++equal;
      }
      same.push_back(position);
    }
    EXPECT_GT(equal, 0U) << scale;
    EXPECT_LT(offsets.size(), static_cast<std::size_t>(positions)) << scale;
  }
}

TEST(CollidingOffsets, AreAllWhereNoPairIsComplete) {
  EXPECT_EQ(colliding_offsets(sines(2, 1, 2), Format::bfloat16, 100).size(), 100U);
}

struct Printed {
  std::int64_t d_model;
  Format format;
  Collision collision;
};

TEST(FirstCollision, OfThePaperToTwoToThe24) {
  for (const auto& [d, format, collision] : std::vector<Printed>{
           {2, Format::bfloat16, {1, 711}},
           {4, Format::bfloat16, {7, 84830}},
           {8, Format::bfloat16, {10, 169656}},
           {2, Format::binary16, {2, 712}},
           {4, Format::binary16, {216, 410508}},
           {8, Format::binary16, {4, 5730269}},
           {2, Format::binary32, {1804, 10840506}},
       }) {
    EXPECT_EQ(first_collision(table_of(d), format, all_positions), collision)
        << traits(format).name << ", d = " << d;
  }
}

/// Wider rounding intervals make more offsets possible: where bfloat16 has no collision for want of an
/// offset, no finer format has one either.
TEST(FirstCollision, OfWiderEncodingsThereIsNone) {
  std::vector<std::int64_t> widths{6};
  for (std::int64_t d = 10; d <= 64; d += 2) {
    widths.push_back(d);
  }
  for (const std::int64_t d : {96, 128, 192, 256, 384, 512, 640, 768, 1024, 2048, 4096}) {
    widths.push_back(d);
  }
  for (const std::int64_t d : widths) {
    const auto table = table_of(d);
    const auto offsets = colliding_offsets(table, Format::bfloat16, all_positions - 1);
    for (const auto format : {Format::bfloat16, Format::binary16, Format::binary32}) {
      EXPECT_TRUE(offsets.empty() || !first_collision(table, format, all_positions))
          << traits(format).name << ", d = " << d;
    }
  }
}

TEST(FirstCollision, InFloat32ThereIsNoneFromTwoPairsOn) {
  for (const std::int64_t d : {4, 6, 8}) {
    EXPECT_EQ(first_collision(table_of(d), Format::binary32, all_positions), std::nullopt) << d;
  }
}

struct PrintedSines {
  Format format;
  Rational base;
  Rational step;
  int width;
  std::optional<Collision> collision;
};

/// Sines alone, of 2^-i and of 10000^(-i / (d - 1)), to 2^22 positions.
TEST(FirstCollision, OfSinesAlone) {
  constexpr std::int64_t positions = std::int64_t{1} << 22;
  const auto halving = [](Format format, int d, std::optional<Collision> collision) {
    return PrintedSines{format, 2, 1, d, collision};
  };
  const auto decimal = [](Format format, int d, std::optional<Collision> collision) {
    return PrintedSines{format, 10000, Rational(1, d - 1), d, collision};
  };
  using enum Format;
  for (const auto& [format, base, step, width, collision] : std::vector<PrintedSines>{
           halving(bfloat16, 1, Collision{8, 52}),
           halving(bfloat16, 2, Collision{8, 385}),
           halving(bfloat16, 3, Collision{8, 385}),
           halving(bfloat16, 4, Collision{536, 2999}),
           halving(bfloat16, 5, Collision{297, 3514}),
           halving(bfloat16, 8, Collision{297, 3514}),
           halving(bfloat16, 12, Collision{42, 707780}),
           halving(bfloat16, 16, Collision{42, 2470691}),
           halving(bfloat16, 32, std::nullopt),
           halving(binary16, 1, Collision{177, 178}),
           halving(binary16, 2, Collision{1, 1421}),
           halving(binary16, 3, Collision{2, 2842}),
           halving(binary16, 4, Collision{8, 5688}),
           halving(binary16, 5, Collision{17, 11377}),
           halving(binary16, 6, Collision{3988, 91651}),
           halving(binary16, 8, Collision{3988, 91651}),
           halving(binary16, 12, Collision{58, 1762969}),
           halving(binary16, 16, std::nullopt),
           halving(binary32, 1, Collision{42589, 43299}),
           halving(binary32, 2, std::nullopt),
           decimal(bfloat16, 2, Collision{532, 533}),
           decimal(bfloat16, 3, Collision{2662, 2663}),
           decimal(bfloat16, 4, Collision{41522, 41526}),
           decimal(bfloat16, 5, Collision{1965, 64797}),
           decimal(bfloat16, 6, Collision{2094592, 2094593}),
           decimal(bfloat16, 8, std::nullopt),
           decimal(binary16, 2, Collision{14013, 14032}),
           decimal(binary16, 3, Collision{1412, 127076}),
           decimal(binary16, 4, Collision{1870198, 3439103}),
           decimal(binary16, 5, Collision{28700, 468523}),
           decimal(binary16, 6, std::nullopt),
       }) {
    EXPECT_EQ(first_collision(sines(base, step, width), format, positions), collision)
        << traits(format).name << ", base " << base << ", d = " << width;
  }
}

}  // namespace
}  // namespace vernier
