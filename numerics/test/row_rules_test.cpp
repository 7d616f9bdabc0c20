#include <cmath>
#include <functional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "numerics/decoding/axis_rules.hpp"

namespace vernier {
namespace {

using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

/// Rows that hold numbers, each known to so much.
class Held final : public HeldNumbers {
 public:
  Held(const std::vector<double>& numbers, double radius) {
    for (const double x : numbers) {
      ranges_.push_back({x - radius, x + radius});
    }
  }
  std::size_t rows() const override { return ranges_.size(); }
  bool fits(std::size_t row, double number) const override { return ranges_[row].contains(number); }
  std::span<const HeldRange> numbers(std::size_t row) const override {
    return std::span(ranges_).subspan(row, 1);
  }

 private:
  std::vector<HeldRange> ranges_;
};

std::vector<double> counted(std::size_t rows, double first = 0) {
  std::vector<double> result;
  for (std::size_t row = 0; row < rows; ++row) {
    result.push_back(first + static_cast<double>(row));
  }
  return result;
}

/// What is learned of rows that hold other numbers than their positions. \param leading of copies
std::vector<RowRule> learned(const std::vector<double>& positions, const std::vector<double>& held,
                             const Shape& leading = {}, double radius = 1e-5) {
  RowGrid grid{leading, positions.size()};
  grid.rows /= grid.copies();
  const std::vector<std::vector<double>> of_axis{positions};
  return learn_rows(Held(held, radius), grid, row_features(grid, 64, of_axis, 0));
}

std::string likeliest(const std::vector<double>& positions, const std::function<double(double)>& map) {
  auto held = positions;
  for (double& x : held) {
    x = map(x);
  }
  const auto rules = learned(positions, held);
  return rules.empty() ? "" : rules.front().words;
}

TEST(RowRules, SayNothingOfRowsThatHoldTheirPositions) {
  EXPECT_THAT(learned(counted(64), counted(64)), IsEmpty());
}

TEST(RowRules, TellMapsOfPositions) {
  const auto positions = counted(600, 3);
  EXPECT_EQ(likeliest(positions, [](double p) { return p + 8; }), "positions are larger by 8");
  EXPECT_EQ(likeliest(positions, [](double p) { return p / 4; }), "positions are multiplied by 1/4");
  EXPECT_EQ(likeliest(positions, [](double p) { return 2 * p / 7 - 13.0 / 14; }),
            "positions become 2/7 p - 0.92857");
  EXPECT_EQ(likeliest(positions, [](double p) { return std::fmod(p, 48); }), "positions wrap at 48");
  EXPECT_EQ(likeliest(positions, [](double p) { return std::min(p, 100.0); }),
            "positions beyond 100 are taken for it");
  EXPECT_EQ(likeliest(positions, [](double p) { return std::floor(p / 3); }),
            "positions are divided by 3, and the remainder is dropped");
  EXPECT_EQ(likeliest(positions, [](double) { return 7; }), "every row holds position 7");
  EXPECT_EQ(likeliest(positions, [](double p) { return p >= 200 ? p + 5 : p; }),
            "positions are larger by 5 from position 200 on");
}

TEST(RowRules, TellWhichRows) {
  const auto positions = counted(128);
  auto held = positions;
  for (std::size_t row = 40; row < 60; ++row) {
    held[row] += 9;
  }
  EXPECT_EQ(learned(positions, held).front().words, "positions 40 to 59 are larger by 9");
  held = positions;
  for (std::size_t row = 3; row < 128; row += 16) {
    held[row] = 0;
  }
  EXPECT_EQ(learned(positions, held).front().words, "rows 3 of every 16 hold position 0");
  held = positions;
  held[17] = 80;
  EXPECT_EQ(learned(positions, held).front().words, "row 17 (position 17) holds the values of position 80");
}

/// Two copies of 32 rows.
TEST(RowRules, TellLeadingIndices) {
  auto positions = counted(32);
  positions.insert(positions.end(), positions.begin(), positions.begin() + 32);
  auto held = positions;
  for (std::size_t row = 32; row < 64; ++row) {
    held[row] += 5;
  }
  EXPECT_EQ(learned(positions, held, {2}).front().words, "positions of leading index 1 are larger by 5");
  for (std::size_t row = 0; row < 64; ++row) {
    held[row] = row < 32 ? 0 : 1;
  }
  EXPECT_EQ(learned(positions, held, {2}).front().words,
            "positions count along dimension -3 of [2, 32, 64], not along -2");
}

TEST(RowRules, TellRowsThatAreCountedInPlaceOfPositions) {
  auto positions = counted(20);
  const auto second = counted(30);
  positions.insert(positions.end(), second.begin(), second.end());
  EXPECT_EQ(learned(positions, counted(50)).front().words,
            "every row holds its own index in place of its position: positions of rows from 20 on are larger "
            "by 20");
}

/// Three numbers of a line leave the line; two are on many.
TEST(RowRules, TellNoLineThroughTwoRows) {
  auto held = counted(40);
  held[11] = 3.7;
  held[29] = 91.2;
  for (const auto& rule : learned(counted(40), held)) {
    EXPECT_EQ(rule.kind, RowRule::Kind::single_rows) << rule.words;
  }
}

RC_GTEST_PROP(RowRules, PredictEveryRowThatTheyAreLearnedFrom, ()) {
  const auto rows = *rc::gen::inRange<std::size_t>(12, 80);
  const auto scale = *rc::gen::inRange(1, 5);
  const auto divisor = *rc::gen::inRange(1, 5);
  const auto offset = *rc::gen::inRange(-40, 40);
  const auto first = *rc::gen::inRange<std::size_t>(0, rows / 2);
  const auto positions = counted(rows);
  auto held = positions;
  for (auto row = first; row < rows; ++row) {
    held[row] = positions[row] * scale / divisor + offset;
  }
  if (scale == divisor && offset == 0) {
    RC_DISCARD("as declared");
  }
  const auto rules = learned(positions, held);
  RC_ASSERT(!rules.empty());
  for (const auto& rule : rules) {
    for (std::size_t row = 0; row < rows; ++row) {
      RC_ASSERT(std::fabs(rule.held[row] - held[row]) <= 1e-5);
    }
  }
}

TEST(SimpleNumbers, AreTheSimplestInTheirRange) {
  EXPECT_EQ(simple_numbers({0.33329, 0.33336}).front().words, "1/3");
  EXPECT_EQ(simple_numbers({-8.00001, -7.99999}).front().words, "-8");
  EXPECT_EQ(simple_numbers({-0.2, 0.3}).front().words, "0");
  for (const double held : {737.0 / 645, 3709.0 / 915, 3381.0 / 439, 7.3 + 0x1p-20}) {
    for (const auto& number : simple_numbers({held - 2e-7, held + 2e-7})) {
      EXPECT_EQ(number.words.find('/'), std::string::npos) << number.words;
    }
  }
  EXPECT_THAT(simple_numbers({3.14158, 3.1416}), Not(IsEmpty()));
  EXPECT_EQ(simple_numbers({3.14158, 3.1416}).back().words, "3.1416");
}

TEST(RowSets, AreTheShortestThatHold) {
  const RowGrid grid{{2}, 8};
  std::vector<Membership> wanted(16, Membership::no);
  for (const std::size_t row : {9U, 11U, 13U, 15U}) {
    wanted[row] = Membership::yes;
  }
  EXPECT_EQ(simplest_set(grid, wanted, {})->rows, "odd rows of leading index 1");
  wanted[0] = Membership::yes;
  EXPECT_FALSE(simplest_set(grid, wanted, {})) << "no product of a set of rows and one of copies";
}

TEST(RowSets, MayHaveEveryNthOfARange) {
  std::vector<Membership> wanted(64, Membership::no);
  for (std::size_t row = 11; row < 64; row += 4) {
    wanted[row] = Membership::yes;
  }
  const RowGrid grid{{}, 64};
  EXPECT_EQ(simplest_set(grid, wanted, {})->rows, "rows 3 of every 4, from 11 on");
  wanted[63] = Membership::no;
  EXPECT_EQ(simplest_set(grid, wanted, {})->rows, "rows 3 of every 4, from 11 to 59");
}

TEST(AxisRules, AreToldOnceWhereAllAxesFollowOne) {
  const auto positions = counted(30);
  auto held = positions;
  for (double& x : held) {
    x += 4;
  }
  const std::vector<AxisRules> axes{{0, learned(positions, held)}, {1, learned(positions, held)}, {2, {}}};
  EXPECT_EQ(rules_of_axes(axes).front().words, "along axes 0 and 1, positions are larger by 4");
  const std::vector<AxisRules> all{axes[0], axes[1]};
  EXPECT_EQ(rules_of_axes(all).front().words, "positions are larger by 4");
  EXPECT_THAT(rules_of_axes({{0, {}}}), SizeIs(0));
}

}  // namespace
}  // namespace vernier
