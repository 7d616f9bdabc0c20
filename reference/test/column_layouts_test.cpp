// Whatever columns a table has, and in whatever order, the ladder writes what each of them says.

#include <cmath>
#include <cstring>
#include <vector>

#include <gtest/gtest.h>

#include "reference/ladder/rounded_table.hpp"
#include "reference/numbers/real.hpp"
#include "reference/schemes/rope.hpp"
#include "reference/schemes/sinusoidal.hpp"

namespace vernier {
namespace {

constexpr int layout_pairs = 16;  // a multiple of the kernels' lanes, so that rows may be written in place

/// Elements that nobody writes are no numbers, or no numbers of such tables.
void expect_every_column(const TrigTable& table) {
  constexpr std::int64_t rows = 9;
  const auto columns = table.columns.size();
  for (const auto format : all_formats()) {
    const RoundedTable ladder(table, {0, 1, rows}, format);
    std::vector<std::byte> out(rows * ladder.row_bytes(), std::byte{0xff});
    ladder.write(0, rows, out);
    const auto width = static_cast<std::size_t>(traits(format).bits) / 8;
    for (std::size_t i = 0; i < rows * columns; ++i) {
      std::uint64_t bits = 0;
      std::memcpy(&bits, &out[i * width], width);
      const auto row = static_cast<std::int64_t>(i / columns);
      EXPECT_EQ(decode_bits(format, bits), correctly_rounded(format, table.entry(row, i % columns)))
          << traits(format).name << ", row " << row << ", column " << i % columns;
    }
  }
}

void expect_every_column(const std::vector<Column>& columns) {
  expect_every_column(TrigTable{
      "encoding", GeometricFrequencies{100, Rational(1, layout_pairs), layout_pairs}, 1, columns, {}});
}

std::vector<Column> all_sines_and_cosines() {
  std::vector<Column> columns;
  for (const auto component : {Component::sine, Component::cosine}) {
    for (int pair = 0; pair < layout_pairs; ++pair) {
      columns.push_back({pair, component});
    }
  }
  return columns;
}

TEST(ColumnLayouts, OfPairsSideBySideAreWrittenInTwoSteps) {
  std::vector<Column> columns;
  for (int pair = 0; pair < layout_pairs; ++pair) {
    columns.push_back({pair, Component::cosine});
    columns.push_back({pair, Component::sine});
  }
  expect_every_column(columns);
}

TEST(ColumnLayouts, HaveMoreColumnsThanRunsOfAllPairs) {
  auto columns = all_sines_and_cosines();
  columns.insert(columns.begin(), Column{});
  columns.push_back({3, Component::sine});
  columns.push_back({0, Component::cosine});
  columns.push_back({});
  expect_every_column(columns);
}

/// Steps that change, pairs that come before others, and zeros that are numbered like pairs.
TEST(ColumnLayouts, MayBeOutOfOrder) {
  expect_every_column({{0, Component::sine},
                       {1, Component::sine},
                       {0, Component::zero},
                       {2, Component::sine},
                       {1, Component::zero},
                       {2, Component::zero},
                       {3, Component::sine},
                       {9, Component::cosine},
                       {8, Component::cosine},
                       {9, Component::cosine}});
}

TEST(Ladder, LaysOutEverySchemesColumns) {
  for (const std::int64_t d : {2, 7, 64}) {
    expect_every_column(SinusoidalSpec{.d_model = d}.table());
    expect_every_column(SinusoidalSpec{.d_model = d, .layout = SinusoidalSpec::Layout::halves}.table());
  }
  expect_every_column(SinusoidalSpec{.d_model = 8, .padding_idx = 3}.table());
  for (const auto& table : RopeSpec{.head_dim = 64}.tables()) {
    expect_every_column(table);
  }
}

}  // namespace
}  // namespace vernier
