#include "numerics/asking/covering/predicate.hpp"

#include <gtest/gtest.h>

namespace vernier {
namespace {

TEST(Predicate, is_written_for_programs) {
  using enum Coordinate;
  using enum Relation;
  EXPECT_EQ(to_text({}), "");
  EXPECT_EQ(to_text({{rows, at_least, 33}, {head, at_least, 1}, {position, multiple, 0, 256}}),
            "rows>=33 head>=1 position%256==0");
  EXPECT_EQ(to_text({{from_end, in_tail, 0, 16}}), "from_end~tail16");
  EXPECT_EQ(to_text({{row, unequal, 5}, {type, equal, 2}}), "row!=5 type==2");
  EXPECT_EQ(to_text({{rows, not_multiple, 0, 16}}), "rows%16!=0");
  EXPECT_EQ(to_text({{pair, at_most, 3}}), "pair<=3");
}

TEST(Predicate, is_told_in_words) {
  using enum Coordinate;
  using enum Relation;
  EXPECT_EQ(words_of({{head, at_least, 1}, {row, at_least, 32}}),
            "from row 32 on in every head but the first");
  EXPECT_EQ(words_of({{heads, at_least, 33}}), "with 33 heads or more");
  EXPECT_EQ(words_of({{other_type_before, equal, 1}}), "only after a call in another type");
  EXPECT_EQ(words_of({{position, multiple, 0, 256}, {rows, equal, 1}}),
            "at positions that are multiples of 256 with one row");
  EXPECT_EQ(words_of({{first, equal, 1}}), "in the first question of a process");
  EXPECT_EQ(words_of({{rows, equal, 7}}), "with 7 rows");
  EXPECT_EQ(words_of({{rows, not_multiple, 0, 16}}), "if the number of rows is no multiple of 16");
  EXPECT_EQ(words_of({{from_end, in_tail, 0, 16}}), "in the rows that fill no tile of 16");
  EXPECT_EQ(words_of({{type, equal, 2}}), "in float16");
  EXPECT_EQ(words_of({{order, equal, 2}}), "if positions descend");
  EXPECT_EQ(words_of({{apart, equal, 1}}), "if rows are apart in memory (strided)");
  EXPECT_EQ(words_of({{rank, equal, 1}}), "in vectors of 3 dimensions [H, T, D]");
  EXPECT_EQ(words_of({{not_finite, equal, 3}}), "if a dimension that passes through is NaN");
  EXPECT_EQ(words_of({{index, at_least, 65535}}), "from the flat index 65535 on (batch x heads x rows)");
}

TEST(Predicate, has_words_for_every_condition) {
  for (const auto& [coordinate, kind, name] : all_coordinates()) {
    for (const auto relation : {Relation::at_least, Relation::at_most, Relation::equal, Relation::unequal,
                                Relation::multiple, Relation::not_multiple}) {
      for (const std::int64_t value : {0, 1, 3}) {
        EXPECT_FALSE(words_of({{coordinate, relation, value, 4}}).empty()) << name;
      }
    }
  }
}

TEST(Predicate, tells_where_a_fault_hides) {
  EXPECT_EQ(words_of(Masking::none), "");
  EXPECT_EQ(words_of(Masking::row_index), ", but right where the position is the number of the row");
}

}  // namespace
}  // namespace vernier
