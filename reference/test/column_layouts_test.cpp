// Whatever columns a table has, and in whatever order, the ladder writes what each of them says.

#include <cmath>
#include <cstring>
#include <vector>

#include <gtest/gtest.h>

#include "reference/ladder/rounded_table.hpp"
#include "reference/numbers/real.hpp"

namespace vernier {
namespace {

constexpr int layout_pairs = 16;  // a multiple of the kernels' lanes, so that rows may be written in place

/// Elements that nobody writes are no numbers, or no numbers of such tables.
void expect_every_column(const std::vector<Column>& columns) {
  const TrigTable table{
      "encoding", GeometricFrequencies{100, Rational(1, layout_pairs), layout_pairs}, 1, columns, {}};
  constexpr std::int64_t rows = 5;
  for (const auto format : all_formats()) {
    const RoundedTable ladder(table, {3, 1, rows}, format);
    std::vector<std::byte> out(rows * ladder.row_bytes(), std::byte{0xff});
    ladder.write(0, rows, out);
    const auto width = static_cast<std::size_t>(traits(format).bits) / 8;
    for (std::size_t i = 0; i < rows * columns.size(); ++i) {
      std::uint64_t bits = 0;
      std::memcpy(&bits, &out[i * width], width);
      const auto row = static_cast<std::int64_t>(i / columns.size());
      EXPECT_EQ(decode_bits(format, bits),
                correctly_rounded(format, table.entry(3 + row, i % columns.size())))
          << traits(format).name << ", row " << row << ", column " << i % columns.size();
    }
  }
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

}  // namespace
}  // namespace vernier
