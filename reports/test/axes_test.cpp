// Tables whose rows have several positions, judged as the command judges them: the verdict names the row, its
// positions, and the axis that the pair turns by.

#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <numbers>
#include <set>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "numerics/test/made_tensors.hpp"
#include "reference/test/parsed.hpp"
#include "reports/verdict/validate.hpp"

namespace vernier {
namespace {

using ::testing::Contains;
using ::testing::Pair;

constexpr auto three_axes_spec =
    R"({"scheme": "rope", "head_dim": 16, "rope_scaling": {"rope_type": "default",
    "mrope_section": [2, 3, 3]}})";
const std::vector<std::vector<std::int64_t>> three_axes{{4, 4, 4}, {4, 4, 5}, {4, 5, 4}};

/// The certified cosines of these positions, rounded, for axes in this order.
Verdict judged(const std::vector<std::size_t>& order) {
  Case subject{"made", "a test", parsed(three_axes_spec), {}, {}, {}};
  const auto table = subject.encoding->all<TurnedTable>(&TurnedTable::axes).front();
  std::vector<double> values;
  for (std::size_t row = 0; row < 3; ++row) {
    for (std::size_t column = 0; column < columns_of(table); ++column) {
      const std::vector<std::int64_t> token{three_axes[order[0]][row], three_axes[order[1]][row],
                                            three_axes[order[2]][row]};
      values.push_back(*correctly_rounded(Format::binary32, table.entry(token, column)));
    }
  }
  subject.tensors.add(TableTensor{table, tensor_of(Format::binary32, {3, columns_of(table)}, values),
                                  contract_named("float32")});
  subject.positions_by_axis = three_axes;
  subject.positions = three_axes.front();
  return validate(subject, "");
}

TEST(Axes, PassBesideTheFrequenciesOfTheirPairs) {
  const auto verdict = judged({0, 1, 2});
  ASSERT_EQ(verdict.checks.size(), 2U);
  EXPECT_EQ(verdict.checks[0].id, "axes/cos");
  EXPECT_EQ(verdict.checks[0].status, Status::pass);
  EXPECT_EQ(verdict.checks[1].id, "frequency/tables");
  EXPECT_EQ(verdict.checks[1].status, Status::pass);
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
  ASSERT_EQ(verdict.checks.size(), 2U);
  EXPECT_EQ(verdict.checks[0].status, Status::fail);
  EXPECT_THAT(verdict.checks[0].counterexample, Contains(Pair("row", "1")));
  EXPECT_THAT(verdict.checks[0].counterexample, Contains(Pair("positions", "4, 4, 5")));
  EXPECT_THAT(verdict.checks[0].counterexample, Contains(Pair("column", "2")));
  EXPECT_THAT(verdict.checks[0].counterexample, Contains(Pair("turns by", "the position along axis 1")));
}

/// MAE's row of the class token is no row of sines: no property is asked of it.
TEST(Axes, PassWithARowOfZeros) {
  constexpr auto mae = R"({"scheme": "sinusoidal", "layout": "halves", "axes": [{"dims": 8}, {"dims": 8}],
      "block_order": [1, 0], "grid": [3], "zero_prefix": 1})";
  auto encoding = parsed(mae);
  const auto table = encoding->all<TurnedTable>(&TurnedTable::axes).front();
  std::vector<double> values;
  for (std::int64_t token = -1; token < 12; ++token) {
    for (std::size_t column = 0; column < columns_of(table); ++column) {
      values.push_back(*correctly_rounded(Format::binary32, table.entry(token, column)));
    }
  }
  CaseInput parts{"made", "made", "a test", {}, std::nullopt};
  parts.tensors.emplace("encoding", NamedTensor{"encoding", tensor_of(Format::binary32, {13, 16}, values)});
  const auto verdict = validate(assemble_case(parts, std::move(encoding)), "");
  EXPECT_EQ(exit_code(verdict), 0);
  EXPECT_GT(verdict.checks.size(), 1U);
}

/// DINOv3 on 7 x 5 patches: coordinates 2 (i + 1/2) / N - 1 of each side, times 2 pi.
constexpr auto dinov3 = R"({"scheme": "axial_rope", "head_dim": 16, "layout": "half", "rope_theta": 100,
    "frequency_scale": "2pi", "grid": [5],
    "axes": [{"dims": 8, "position_scale": "2/7", "position_offset": "-6/7"},
             {"dims": 8, "position_scale": "2/5", "position_offset": "-4/5"}]})";

/// What its code computes, in float64, of the vectors and of sides that may be those of another image.
Verdict judged_dinov3(const std::vector<double>& sides, bool exchanges_axes = false) {
  constexpr std::size_t rows = 7;
  constexpr std::size_t columns = 5;
  constexpr std::size_t pairs = 8;
  std::vector<double> cosines;
  std::vector<double> input;
  std::vector<double> rotated;
  for (std::size_t patch = 0; patch < rows * columns; ++patch) {
    const std::array<std::size_t, 2> at{patch / columns, patch % columns};
    for (std::size_t i = 0; i < 2 * pairs; ++i) {
      input.push_back(0.25 + static_cast<double>((7 * patch + 3 * i) % 11) / 16);
    }
    std::vector<double> turned(2 * pairs);
    for (std::size_t pair = 0; pair < pairs; ++pair) {
      const auto axis = exchanges_axes ? 1 - pair / 4 : pair / 4;
      const double coordinate = 2 * (static_cast<double>(at[axis]) + 0.5) / sides[axis] - 1;
      const double phase =
          2 * std::numbers::pi * coordinate / std::pow(100, static_cast<double>(pair % 4) / 4);
      const double a = input[2 * pairs * patch + pair];
      const double b = input[2 * pairs * patch + pair + pairs];
      cosines.push_back(std::cos(phase));
      turned[pair] = a * std::cos(phase) - b * std::sin(phase);
      turned[pair + pairs] = a * std::sin(phase) + b * std::cos(phase);
    }
    rotated.insert(rotated.end(), turned.begin(), turned.end());
  }
  CaseInput parts{"made", "made", "a test", {}, std::nullopt};
  const auto add = [&](const std::string& role, std::size_t width, const std::vector<double>& values) {
    parts.tensors.emplace(role,
                          NamedTensor{role, tensor_of(Format::binary32, {rows * columns, width}, values)});
  };
  add("cos", pairs, cosines);
  add("input", 2 * pairs, input);
  add("rotated", 2 * pairs, rotated);
  return validate(assemble_case(parts, parsed(dinov3)), "");
}

TEST(Axes, MayEachHaveACoordinateOfTheirOwn) {
  const auto verdict = judged_dinov3({7, 5});
  EXPECT_EQ(exit_code(verdict), 0);
  EXPECT_EQ(verdict.places.text(verdict.least_position), "0");
  EXPECT_EQ(verdict.places.text(verdict.greatest_position), "34");  // the last patch's number
}

/// As code that scales both by the longer side.
TEST(Axes, FailWhereOneHasTheCoordinateOfAnother) {
  const auto verdict = judged_dinov3({7, 7});
  std::set<std::string> failing;
  for (const auto& check : verdict.checks) {
    if (check.status == Status::fail) {
      failing.insert(check.id);
      // The first row whose column is not the middle: both sides have it at 0.
      if (check.id.starts_with("a")) {
        EXPECT_THAT(check.counterexample, Contains(Pair("positions", "0, 0"))) << check.id;
        EXPECT_THAT(check.counterexample, Contains(Pair("turns by", "the position along axis 1")))
            << check.id;
      }
    }
  }
  EXPECT_TRUE(failing.contains("axes/cos") && failing.contains("accuracy/rotated"));
}

/// Each pair then turns by a coordinate with another unit.
TEST(Axes, AreNamedWhereTheyAreExchangedThoughTheirCoordinatesDiffer) {
  const auto verdict = judged_dinov3({7, 5}, true);
  EXPECT_EQ(exit_code(verdict), 1);
  ASSERT_FALSE(verdict.diagnosis.empty());
  for (const auto& one : verdict.diagnosis) {
    ASSERT_TRUE(one.is_explained()) << one.roles;
    EXPECT_EQ(sentence_of(one.explanations.front()), "axes 0 and 1 are exchanged") << one.roles;
  }
}

/// A table whose phases are sums over axes, certified, but for one of its columns in some rows.
Verdict judged_sums(const std::function<double(std::int64_t token, std::size_t column, double value)>& edit) {
  constexpr auto features = R"({"scheme": "fourier_features", "frequencies": [[0.3, -1.1], [0.7, 0.2]],
      "grid": [4], "position_offset": "1/2"})";
  auto encoding = parsed(features);
  const auto table = encoding->all<TurnedTable>(&TurnedTable::axes).front();
  std::vector<double> values;
  for (std::int64_t token = 0; token < 12; ++token) {
    for (std::size_t column = 0; column < 4; ++column) {
      values.push_back(edit(token, column, *correctly_rounded(Format::binary32, table.entry(token, column))));
    }
  }
  CaseInput parts{"made", "made", "a test", {}, std::nullopt};
  parts.tensors.emplace("encoding", NamedTensor{"encoding", tensor_of(Format::binary32, {12, 4}, values)});
  return validate(assemble_case(parts, std::move(encoding)), "");
}

std::map<std::string, Status> properties_of(const Verdict& verdict) {
  std::map<std::string, Status> result;
  for (const auto& check : verdict.checks) {
    if (check.id.starts_with("property/")) {
      result.emplace(check.id.substr(check.id.rfind('/') + 1), check.status);
    }
  }
  return result;
}

/// Two tokens are as far apart as two others where they are along every axis.
TEST(Axes, ThatAreAddedUpHaveThePropertiesOfTurns) {
  const auto honest =
      properties_of(judged_sums([](std::int64_t, std::size_t, double value) { return value; }));
  EXPECT_THAT(honest, Contains(Pair("constant-norm", Status::pass)));
  EXPECT_THAT(honest, Contains(Pair("offset-only", Status::pass)));
  const auto longer = properties_of(judged_sums([](std::int64_t token, std::size_t column, double value) {
    return token == 5 && column == 0 ? value + 0.01 : value;
  }));
  EXPECT_THAT(longer, Contains(Pair("constant-norm", Status::fail)));
  // Each row of the grid keeps its norms and turns by its own angle more.
  const auto turned = properties_of(judged_sums([](std::int64_t token, std::size_t column, double value) {
    const auto row = token / 4;
    const auto phase = 0.3 * (static_cast<double>(row) + 0.5) + 0.7 * (static_cast<double>(token % 4) + 0.5);
    const double more = row == 1 ? 0.2 : 0;
    return column == 0 ? std::sin(phase + more) : column == 2 ? std::cos(phase + more) : value;
  }));
  EXPECT_THAT(turned, Contains(Pair("constant-norm", Status::pass)));
  EXPECT_THAT(turned, Contains(Pair("offset-only", Status::fail)));
}

}  // namespace
}  // namespace vernier
