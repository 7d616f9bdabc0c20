// Where seeds carry no bound, are dropped or are scattered, tables are right all the same.

#include "reference/ladder/seeds.hpp"

#include <array>
#include <vector>

#include <gmock/gmock.h>

#include "reference/ladder/certified_table.hpp"
#include "reference/ladder/rounded_table.hpp"
#include "reference/test/exact.hpp"
#include "reference/test/refusal.hpp"

namespace vernier {
namespace {

using ::testing::HasSubstr;

TrigTable table_of(std::vector<Rational> frequencies, const Amplitude& amplitude = 1) {
  const auto pairs = static_cast<int>(frequencies.size());
  TrigTable table{"encoding", ListedFrequencies{std::move(frequencies)}, amplitude, {}, std::nullopt};
  for (const auto component : {Component::sine, Component::cosine}) {
    for (int pair = 0; pair < pairs; ++pair) {
      table.columns.push_back({pair, component});
    }
  }
  return table;
}

/// pi over a number, to so many bits.
Rational part_of_pi(std::int64_t divisor, unsigned bits = 120) {
  const WorkingPrecision scope(bits);
  return lower_end(Interval(pi() / enclose(divisor)));
}

void expect_correctly_rounded(const TrigTable& table, const PositionRange& positions) {
  const RoundedTable ladder(table, positions, Format::binary64);
  std::vector<double> values(static_cast<std::size_t>(positions.count) * table.columns.size());
  ladder.write(0, positions.count, std::as_writable_bytes(std::span(values)));
  for (std::int64_t row = 0; row < positions.count; ++row) {
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
      ASSERT_EQ(values[static_cast<std::size_t>(row) * table.columns.size() + c],
                *correctly_rounded(Format::binary64, table.entry(positions.at(row), c)))
          << row << ", " << c;
    }
  }
}

/// A sine or cosine below 2^-80 that is not zero, of a fine row, of a coarse step or of a chunk's first row.
TEST(Seeds, NextToQuarterTurnsAreRight) {
  const auto table = table_of({part_of_pi(1), part_of_pi(2), part_of_pi(16), part_of_pi(2 * 1000003),
                               part_of_pi(1000003), Rational(1, 3)});
  for (const std::int64_t first : {0, 1, 1000003, -1000003}) {
    expect_correctly_rounded(table, {first, 1, 40});
    expect_correctly_rounded(table, {first, -3, 40});
  }
}

/// Phases whose enclosures at the precision of seeds are wide, by the first position or by the step: the
/// greatest frequency leaves nothing of a phase.
TEST(Seeds, OfHugeFrequenciesAreRight) {
  expect_correctly_rounded(table_of({power_of_two(400) / 3}), {0, 1, 4});
  const auto table = table_of({power_of_two(150) / 3, power_of_two(100) / 3, Rational(1, 3)});
  expect_correctly_rounded(table, {1, 1, 20});
  expect_correctly_rounded(table, {std::int64_t{1} << 30, 1, 20});
}

/// sqrt(1 + ln 2^65 / ln 2^16) is 2.25, halfway between two numbers of the format, which no enclosure shows.
TEST(Seeds, OfAnAmplitudeThatStaysUndecidedAreRefused) {
  const auto table = table_of({1}, LogarithmicRoot{power_of_two(65), power_of_two(16)});
  const RoundedTable ladder(table, {0, 1, 1}, Format::float8_e5m2);
  std::vector<std::byte> out(ladder.row_bytes());
  EXPECT_THAT(refusal_of([&] { ladder.write(0, 1, out); }), HasSubstr("pair 0 undecided at 4096 bits"));
}

TEST(Seeds, OfNoRowsAreNone) {
  EXPECT_EQ(RoundedTable(table_of({1}), {0, 1, 8}, Format::binary32).write(5, 5, {}).values, 0U);
}

TEST(FixedPoint, OfItsLastLimbIsExact) {
  const auto one = as_double_double({1, 0, 0, 0});
  EXPECT_EQ(one.high, 0x1p-254);
  EXPECT_EQ(one.low, 0);
  const auto all = as_double_double({~std::uint64_t{0}, 0, 0, 0});
  EXPECT_EQ(exact_value(all), power_of_two(-190) - power_of_two(-254));
  EXPECT_EQ(as_double_double({0, 0, 0, 0}).high, 0);
}

void expect_enclosed(CertifiedTable& table, std::int64_t position, unsigned bits = 300) {
  std::vector<Enclosure> row(table.columns());
  table.row(position, row);
  for (std::size_t c = 0; c < row.size(); ++c) {
    const WorkingPrecision precision(bits);
    EXPECT_TRUE(lies_within(table.table().entry(position, c)(), row[c])) << position << ", " << c;
  }
}

/// More places than are kept, each asked for twice, and the first ones again: with a row to a block, no fine
/// seeds turn.
TEST(CertifiedTable, ForgetsSeedsAndMakesThemAgain) {
  CertifiedTable table(table_of({Rational(1, 3)}), 1);
  std::vector<Enclosure> row(table.columns());
  for (std::int64_t place = 0; place < 4500; ++place) {
    table.row(64 * place + 1, row);
    table.row(64 * place + 1, row);
    if (place % 500 == 0 || place > 4490) {
      expect_enclosed(table, 64 * place + 1);
    }
  }
  expect_enclosed(table, 1);
  expect_enclosed(table, -65);
}

/// A frequency of 2^300 leaves some 80 bits of a phase: of that no seed has a bound, but a row encloses it.
TEST(CertifiedTable, EnclosesPhasesThatNoSeedBounds) {
  CertifiedTable table(table_of({power_of_two(300) / 3, Rational(1, 3)}));
  for (const std::int64_t position : {0L, 1L, -1L, 64L, 4097L, largest_position}) {
    expect_enclosed(table, position, 900);
  }
}

TEST(CertifiedTable, EnclosesPositionsInAnyOrder) {
  const std::vector<std::int64_t> scattered{5, 1000000, -7, 6, 1000001, 4, -8, -1000000};
  const std::vector<std::int64_t> ascending{-3, -2, -1, 0, 1, 2, 3};
  for (const auto& positions : {scattered, ascending}) {
    auto table = certified_table_for(table_of({Rational(1, 3), Rational(1)}), positions);
    for (const auto position : positions) {
      expect_enclosed(table, position);
    }
  }
}

}  // namespace
}  // namespace vernier
