#include "numerics/asking/covering/predicate.hpp"

#include <gtest/gtest.h>

#include "reference/support/input_error.hpp"

namespace vernier {
namespace {

std::string words(std::string_view text) {
  return words_of(parse_predicate(text));
}

TEST(Predicate, is_read_as_it_is_written) {
  for (const auto* const text : {"rows>=33 head>=1 position%256==0", "from_end~tail16", "row!=5 type==2",
                                 "rows%16!=0", "pair<=3", "first==1"}) {
    EXPECT_EQ(to_text(parse_predicate(text)), text);
  }
  EXPECT_THROW(parse_predicate("rows"), InputError);
  EXPECT_THROW(parse_predicate("lines>=3"), InputError);
}

TEST(Predicate, is_told_in_words) {
  EXPECT_EQ(words("head>=1 row>=32"), "from row 32 on in every head but the first");
  EXPECT_EQ(words("heads>=33"), "with 33 heads or more");
  EXPECT_EQ(words("other_type_before==1"), "only after a call in another type");
  EXPECT_EQ(words("position%256==0 rows==1"), "at positions that are multiples of 256 with one row");
  EXPECT_EQ(words("first==1"), "in the first question of a process");
  EXPECT_EQ(words("rows==7"), "with 7 rows");
  EXPECT_EQ(words("rows%16!=0"), "if the number of rows is no multiple of 16");
  EXPECT_EQ(words("from_end~tail16"), "in the rows that fill no tile of 16");
  EXPECT_EQ(words("type==2"), "in float16");
  EXPECT_EQ(words("order==2"), "if positions descend");
  EXPECT_EQ(words("apart==1"), "if rows are apart in memory (strided)");
  EXPECT_EQ(words("rank==1"), "in vectors of 3 dimensions [H, T, D]");
  EXPECT_EQ(words("not_finite==3"), "if a dimension that passes through is NaN");
  EXPECT_EQ(words("index>=65535"), "from the flat index 65535 on (batch x heads x rows)");
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
