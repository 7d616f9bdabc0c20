// Tables whose rows have several positions, judged as the command judges them: the verdict names the row, its
// positions, and the axis that the pair turns by.

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "numerics/test/made_tensors.hpp"
#include "reference/scheme_registry.hpp"
#include "reports/validate.hpp"

namespace vernier {
namespace {

using ::testing::Contains;
using ::testing::Pair;

constexpr auto spec = R"({"scheme": "rope", "head_dim": 16, "rope_scaling": {"rope_type": "default",
    "mrope_section": [2, 3, 3]}})";
const std::vector<std::vector<std::int64_t>> axes{{4, 4, 4}, {4, 4, 5}, {4, 5, 4}};

/// The certified cosines of these positions, rounded, for axes in this order.
Verdict judged(const std::vector<std::size_t>& order) {
  Case subject{"made", "a test", parse_spec(ObjectReader(parse_json(spec, "s"), "s", "")), {}, {}, {}};
  const auto table = subject.encoding->all<MultiAxisTable>().front();
  std::vector<double> values;
  for (std::size_t row = 0; row < 3; ++row) {
    for (std::size_t column = 0; column < table.axis.size(); ++column) {
      const std::vector<std::int64_t> token{axes[order[0]][row], axes[order[1]][row], axes[order[2]][row]};
      values.push_back(*correctly_rounded(Format::binary32, table.entry(token, column)));
    }
  }
  subject.tensors.all<MultiAxisTensor>().push_back(
      {table, tensor_of(Format::binary32, {3, table.axis.size()}, values), contract_named("float32")});
  subject.positions_by_axis = axes;
  subject.positions = axes.front();
  return validate(subject, "");
}

TEST(Axes, PassAndAreTheOnlyCheck) {
  const auto verdict = judged({0, 1, 2});
  ASSERT_EQ(verdict.checks.size(), 1U);
  EXPECT_EQ(verdict.checks[0].id, "axes/cos");
  EXPECT_EQ(verdict.checks[0].status, Status::pass);
}

/// The first axis alone would say 4 to 4.
TEST(Axes, ReachAsFarAsTheFarthestOfThem) {
  const auto verdict = judged({0, 1, 2});
  EXPECT_EQ(verdict.least_position, 4);
  EXPECT_EQ(verdict.greatest_position, 5);
}

/// Height and width agree in the first row; in the second, pair 2 is the first by height.
TEST(Axes, FailWhereAxesAreExchangedAndSayWhere) {
  const auto verdict = judged({0, 2, 1});
  ASSERT_EQ(verdict.checks.size(), 1U);
  EXPECT_EQ(verdict.checks[0].status, Status::fail);
  EXPECT_THAT(verdict.checks[0].counterexample, Contains(Pair("row", "1")));
  EXPECT_THAT(verdict.checks[0].counterexample, Contains(Pair("positions", "4, 4, 5")));
  EXPECT_THAT(verdict.checks[0].counterexample, Contains(Pair("column", "2")));
  EXPECT_THAT(verdict.checks[0].counterexample, Contains(Pair("turns by the position along axis", "1")));
}

/// MAE's row of the class token is no row of sines: no property is asked of it.
TEST(Axes, PassWithARowOfZeros) {
  constexpr auto mae = R"({"scheme": "sinusoidal", "layout": "halves", "axes": [{"dims": 8}, {"dims": 8}],
      "block_order": [1, 0], "grid": [3], "zero_prefix": 1})";
  auto encoding = parse_spec(ObjectReader(parse_json(mae, "s"), "s", ""));
  const auto table = encoding->all<MultiAxisTable>().front();
  std::vector<double> values;
  for (std::int64_t token = -1; token < 12; ++token) {
    for (std::size_t column = 0; column < table.axis.size(); ++column) {
      values.push_back(*correctly_rounded(Format::binary32, table.entry(token, column)));
    }
  }
  CaseInput parts{"made", "made", "a test", {}, std::nullopt};
  parts.tensors.emplace("encoding", NamedTensor{"encoding", tensor_of(Format::binary32, {13, 16}, values)});
  const auto verdict = validate(assemble_case(parts, std::move(encoding)), "");
  EXPECT_EQ(exit_code(verdict), 0);
  EXPECT_GT(verdict.checks.size(), 1U);
}

}  // namespace
}  // namespace vernier
