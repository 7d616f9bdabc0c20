// Head vectors rotated by faulty kernels: the diagnosis names what was done.

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <span>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "numerics/diagnosis/diagnosis.hpp"
#include "numerics/test/made_rotated.hpp"
#include "numerics/test/told_findings.hpp"
#include "numerics/test/viewed_tensors.hpp"

namespace vernier {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

std::vector<std::string> edits(const RotatedMaking& making) {
  std::vector<std::string> result;
  const auto tensor = made(making);
  EXPECT_GT(audit_rotated(tensor).elements.failing + audit_rotated(tensor).changed.count, 0U)
      << "the fault does not show";
  for (const auto& explanation : diagnose_vectors(RopeEncoding(making.declared), tensor, 2).explanations) {
    EXPECT_LE(explanation.prediction.largest_budget_ratio, 1);
    EXPECT_EQ(explanation.prediction.failing, 0U);
    result.push_back(told_with_ids(explanation));
  }
  return result;
}

TEST(RotatedDiagnosis, SaysNothingOfWhatItCannotExplain) {
  EXPECT_THAT(edits({.damage =
                         [](auto& y) {
                           std::mt19937_64 bits(7);
                           for (auto& value : y) {
                             value =
                                 round_to(Format::binary32, static_cast<double>(bits() >> 40) * 0x1p-22 - 2);
                           }
                         }}),
              IsEmpty());
}

TEST(RotatedDiagnosis, NamesADamagedElement) {
  EXPECT_THAT(edits({.damage = [](auto& y) { y[1000] += 1; }}),
              ElementsAre(HasSubstr("column 8 of row 31 (position 31) of rotated is")));
}

TEST(RotatedDiagnosis, NamesLayoutAndDirection) {
  const RopeSpec half{.head_dim = 32};
  const RopeSpec interleaved{.head_dim = 32, .layout = RopeSpec::Layout::interleaved};
  const RopeSpec clockwise{.head_dim = 32, .direction = RopeSpec::Direction::clockwise};
  EXPECT_THAT(edits({.declared = interleaved, .done = half}),
              ElementsAre("mapping/layout pairs are half the width apart, not interleaved"));
  EXPECT_THAT(edits({.declared = half, .done = interleaved}),
              ElementsAre("mapping/layout pairs are interleaved, not half the width apart"));
  EXPECT_THAT(edits({.declared = half, .done = clockwise}),
              ElementsAre(HasSubstr("the rotation is clockwise, not counterclockwise")));
  auto both = interleaved;
  both.direction = RopeSpec::Direction::clockwise;
  EXPECT_THAT(edits({.declared = half, .done = both}),
              ElementsAre(AllOf(
                  HasSubstr("mapping/layout direction/sign pairs are interleaved, not half the width apart"),
                  HasSubstr("and the rotation is clockwise"))));
}

/// A table laid out for one pairing, applied with the other: no rotation at all, and a mistake often made.
TEST(RotatedDiagnosis, NamesATableOfTheOtherLayout) {
  const auto input = made_vectors(Format::binary32, 100 * 32);
  RotatedMaking making{.positions = positions_from(0, 100), .input = input};
  making.damage = [&input](auto& y) {
    for (std::size_t row = 0; row < 100; ++row) {
      for (std::size_t d = 0; d < 32; ++d) {
        const auto column = d / 2;  // of a table whose columns are interleaved
        const double phase = static_cast<double>(row) * std::pow(10000.0, -static_cast<double>(column) / 16);
        const double other = d < 16 ? -input[row * 32 + d + 16] : input[row * 32 + d - 16];
        y[row * 32 + d] =
            round_to(Format::binary32, input[row * 32 + d] * std::cos(phase) + other * std::sin(phase));
      }
    }
  };
  EXPECT_THAT(edits(making), ElementsAre(HasSubstr("the columns of the table are interleaved")));
}

/// Pairs are read as what they are computed as, so that frequencies are measured in spite of it.
TEST(RotatedDiagnosis, NamesABaseBesideResultsThatReplaceInputs) {
  constexpr std::size_t pairs = 16;
  const auto input = made_vectors(Format::binary32, 300 * 2 * pairs);
  const auto in_place = [&](std::vector<double>& rotated) {
    for (std::size_t i = 0; i < rotated.size(); ++i) {
      const auto pair = i % (2 * pairs);
      if (pair < pairs) {
        const auto row = i / (2 * pairs);
        const double phase =
            static_cast<double>(row) * std::pow(500000.0, -static_cast<double>(pair) / pairs);
        const double first = input[i] * std::cos(phase) - input[i + pairs] * std::sin(phase);
        rotated[i] = round_to(Format::binary32, first);
        rotated[i + pairs] =
            round_to(Format::binary32, input[i + pairs] * std::cos(phase) + rotated[i] * std::sin(phase));
      }
    }
  };
  const auto found = edits({.input = input, .damage = in_place});
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found.front(),
            "frequency/base rotation/aliased the base is 500000, not 10000, and the second component of a "
            "pair is computed from the first "
            "one's result");
}

/// Each component of a pair has its own cosine and sine: a sum that is left out, and a reflection.
TEST(RotatedDiagnosis, NamesWhatOneComponentIsTurnedBy) {
  constexpr std::size_t pairs = 16;
  const auto input = made_vectors(Format::binary32, 300 * 2 * pairs);
  using Turned = std::pair<double, double> (*)(double x0, double x1, double c, double s);
  const auto found = [&](Turned turned) {
    const auto damage = [&](std::vector<double>& rotated) {
      for (std::size_t i = 0; i < rotated.size(); ++i) {
        const auto pair = i % (2 * pairs);
        if (pair < pairs) {
          const double phase =
              static_cast<double>(i / (2 * pairs)) * std::pow(10000.0, -static_cast<double>(pair) / pairs);
          const auto [first, second] = turned(input[i], input[i + pairs], std::cos(phase), std::sin(phase));
          rotated[i] = round_to(Format::binary32, first);
          rotated[i + pairs] = round_to(Format::binary32, second);
        }
      }
    };
    return edits({.input = input, .damage = damage});
  };
  EXPECT_THAT(
      found([](double x0, double x1, double c, double s) { return std::pair(x0 * c - x1 * s, x1 * c); }),
      ElementsAre("mapping/parts in the second component of every pair the sine is zero"));
  EXPECT_THAT(
      found([](double x0, double x1, double c, double s) {
        return std::pair(x0 * c + x1 * s, x0 * s - x1 * c);
      }),
      ElementsAre(
          "mapping/parts in the first component of every pair the sine is the negative sine; in the second "
          "component of every pair the cosine is the negative cosine"));
}

/// What a kernel makes of the vector of a row. \pre it has 32 numbers
using RowOf32 = std::function<void(std::size_t row, std::span<const double> x, std::span<double> y)>;

/// The vectors of positions from 0 on as a kernel of our own makes them.
RotatedMaking made_by(const RopeSpec& declared, const RowOf32& kernel) {
  constexpr std::size_t rows = 300;
  auto input = made_vectors(Format::binary32, rows * 32);
  const auto damage = [=](std::vector<double>& rotated) {
    for (std::size_t row = 0; row < rows; ++row) {
      kernel(row, std::span(input).subspan(row * 32, 32), std::span(rotated).subspan(row * 32, 32));
    }
    std::ranges::transform(rotated, rotated.begin(), [](double y) { return round_to(Format::binary32, y); });
  };
  return {.declared = declared, .input = input, .damage = damage};
}

/// The point of a pair of `pairs`, turned. \param sign -1 the other way
std::array<double, 2> turned(std::size_t row, std::size_t pair, std::size_t pairs, double x0, double x1,
                             double sign = 1) {
  const double phase =
      static_cast<double>(row) * std::pow(10000.0, -static_cast<double>(pair) / static_cast<double>(pairs));
  return {x0 * std::cos(phase) - sign * x1 * std::sin(phase),
          x1 * std::cos(phase) + sign * x0 * std::sin(phase)};
}

TEST(RotatedDiagnosis, NamesWhatBecomesOfPairs) {
  const auto found = [](const RowOf32& kernel) { return edits(made_by({.head_dim = 32}, kernel)); };
  EXPECT_THAT(found([](std::size_t row, auto x, auto y) {
                for (std::size_t i = 0; i < 16; ++i) {
                  const auto [first, second] = turned(row, i, 16, x[i], x[i + 16]);
                  y[2 * i] = first;
                  y[2 * i + 1] = second;
                }
              }),
              ElementsAre("mapping/results the results of the pairs are written interleaved, though they are "
                          "read half the width apart"));
  EXPECT_THAT(
      found([](std::size_t row, auto x, auto y) {
        for (std::size_t i = 0; i < 16; ++i) {
          y[i] = turned(row, i, 16, x[i], x[i + 16], -1)[0];
          y[i + 16] = turned(row, i, 16, x[i], x[i + 16])[1];
        }
      }),
      ElementsAre("mapping/parts in the first component of every pair the sine is the negative sine"));
  EXPECT_THAT(found([](std::size_t row, auto x, auto y) {
                for (std::size_t i = 0; i < 16; ++i) {
                  const auto [first, second] = turned(row, i, 16, x[i], x[i + 16], i == 3 ? -1 : 1);
                  y[i] = first;
                  y[i + 16] = second;
                }
              }),
              ElementsAre("frequency/one-pair the frequency of pair 3 is -0.177827941, not 0.177827941"));
  EXPECT_THAT(
      found([](std::size_t row, auto x, auto y) {
        for (std::size_t i = 0; i < 16; ++i) {
          y[i] = round_to(Format::binary32, turned(row, i, 16, x[i], x[i + 16])[0]);
          y[i + 16] = turned(row, i, 16, y[i], x[i + 16])[1];
        }
      }),
      ElementsAre("rotation/aliased the second component of a pair is computed from the first one's result"));
  EXPECT_THAT(found([](std::size_t row, auto x, auto y) {
                const auto read = [&](std::size_t i) { return round_to(Format::bfloat16, x[i]); };
                for (std::size_t i = 0; i < 16; ++i) {
                  const auto [first, second] = turned(row, i, 16, read(i), read(i + 16));
                  y[i] = first;
                  y[i + 16] = second;
                }
              }),
              ElementsAre("rotation/input-format vectors are rounded to bfloat16 before they are turned"));
}

TEST(RotatedDiagnosis, NamesWhatBecomesOfTheOtherDimensions) {
  const RopeSpec half_rotates{.head_dim = 32, .partial_rotary_factor = Rational(1, 2)};
  /// \param first of those that rotate
  const auto found = [&](std::size_t first, double passed) {
    return edits(made_by(half_rotates, [=](std::size_t row, auto x, auto y) {
      std::ranges::transform(x, y.begin(), [=](double number) { return passed * number; });
      for (std::size_t i = first; i < first + 8; ++i) {
        const auto [a, b] = turned(row, i - first, 8, x[i], x[i + 8]);
        y[i] = a;
        y[i + 8] = b;
      }
    }));
  };
  EXPECT_THAT(
      found(16, 1),
      ElementsAre("mapping/last-dimensions the last 16 dimensions rotate, not the first 16 dimensions"));
  EXPECT_THAT(found(0, 0),
              ElementsAre("mapping/pass-through the dimensions that should pass through are zero"));
  EXPECT_THAT(
      found(0, 0.5),
      ElementsAre("mapping/pass-through the dimensions that should pass through are multiplied by 0.5"));
}

/// Pairs lie on lines of their index, wherever these are, and a range with gaps is not told as whole.
TEST(RotatedDiagnosis, NamesWhichDimensionsMakeAPair) {
  const RopeSpec half_rotates{.head_dim = 32, .partial_rotary_factor = Rational(1, 2)};
  const auto apart = [&](std::size_t step, std::size_t distance) {
    return edits(made_by(half_rotates, [=](std::size_t row, auto x, auto y) {
      std::ranges::copy(x, y.begin());
      for (std::size_t i = 0; i < 8; ++i) {
        const auto first = step * i;
        const auto [a, b] = turned(row, i, 8, x[first], x[first + distance]);
        y[first] = a;
        y[first + distance] = b;
      }
    }));
  };
  EXPECT_THAT(apart(1, 16),
              ElementsAre("mapping/layout 16 of dimensions 0 to 23 rotate in pairs (i, i + 16), "
                          "not in pairs (i, i + 8)"));
  EXPECT_THAT(apart(4, 2),
              ElementsAre("mapping/layout 16 of dimensions 0 to 30 rotate in pairs (4 i, 4 i + 2), "
                          "not in pairs (i, i + 8)"));
}

/// Two packed sequences in each of two batches.
TEST(RotatedDiagnosis, NamesTheRowsWhosePositionsAreTaken) {
  RotatedMaking making{.positions = {}, .leading = {2}};
  for (const auto& [batch, lengths] : {std::pair{0, std::array{40, 60}}, std::pair{1, std::array{70, 30}}}) {
    for (const int length : lengths) {
      const auto one = positions_from(0, static_cast<std::size_t>(length));
      making.positions.insert(making.positions.end(), one.begin(), one.end());
    }
  }
  making.computed = making.positions;
  std::copy_n(making.positions.begin(), 100, making.computed.begin() + 100);
  EXPECT_THAT(edits(making),
              ElementsAre("position/other-row every row holds the position of that row of leading index 0"));
  const auto counted = positions_from(0, 100);
  std::ranges::copy(counted, making.computed.begin());
  std::ranges::copy(counted, making.computed.begin() + 100);
  EXPECT_THAT(edits(making),
              ElementsAre(HasSubstr("position/row every row holds its own index in place of its position")));
}

TEST(RotatedDiagnosis, NamesWhatTheSpecWasReadAs) {
  const RopeSpec plain{.head_dim = 32};
  EXPECT_THAT(edits({.done = RopeSpec{.head_dim = 32, .rope_theta = 500000}}),
              Contains("frequency/base the base is 500000, not 10000"));
  EXPECT_THAT(edits({.computed = positions_from(1, 300)}),
              Contains("position/offset positions are larger by 1"));
  EXPECT_THAT(edits({.positions = positions_from(200, 200),
                     .computed =
                         [] {
                           auto wrapped = positions_from(200, 200);
                           for (auto& p : wrapped) {
                             p %= 256;
                           }
                           return wrapped;
                         }()}),
              Contains("position/wrapped positions wrap at 256"));
  EXPECT_THAT(edits({.computed = std::vector<std::int64_t>(300, 0)}),
              ElementsAre("rotation/not-rotated the vectors are not turned: they come out as they went in",
                          "frequency/zero no pair turns: every frequency is zero"));
  // Multiplied by the amplitude, they do not come out as they went in.
  EXPECT_THAT(edits({.declared = yarn_rope(), .computed = std::vector<std::int64_t>(300, 0)}),
              AllOf(Contains("position/constant every row holds position 0"),
                    Not(Contains(HasSubstr("rotation/not-rotated")))));
  EXPECT_THAT(edits({.declared = yarn_rope(), .done = plain}),
              Contains("frequency/scaling-ignored rope_scaling is left out"));
  EXPECT_THAT(edits({.declared = plain, .done = yarn_rope()}),
              Contains("frequency/scaling-ignored rope_scaling is yarn, where the spec has none"));
  EXPECT_THAT(edits({.damage =
                         [](auto& y) {
                           for (auto& value : y) {
                             value = round_to(Format::binary32, value * 1.25);
                           }
                         }}),
              Contains("amplitude/factor the amplitude is 1.25, not 1"));
}

TEST(RotatedDiagnosis, NamesTheRotatingPart) {
  const RopeSpec half_rotates{.head_dim = 32, .partial_rotary_factor = Rational(1, 2)};
  EXPECT_THAT(edits({.declared = half_rotates, .done = RopeSpec{.head_dim = 32}}),
              Contains("mapping/rotary-part 32 of 32 dimensions rotate, not 16"));
  EXPECT_THAT(edits({.done = half_rotates}),
              Contains("mapping/rotary-part 16 of 32 dimensions rotate, not 32"));
}

/// Vectors [batch, rows, heads, W], as FlashAttention takes them, where [batch, heads, rows, W] is meant.
TEST(RotatedDiagnosis, TellsAlongWhichDimensionPositionsCount) {
  for (const std::size_t first : {0U, 20U}) {
    RotatedMaking making{.positions = {}, .leading = {2, 50}};
    for (std::size_t row = 0; row < std::size_t{2} * 50 * 6; ++row) {
      making.positions.push_back(static_cast<std::int64_t>(first + row % 6));
      making.computed.push_back(static_cast<std::int64_t>(first + row / 6 % 50));
    }
    EXPECT_THAT(
        edits(making),
        ElementsAre("position/dimension positions count along dimension -3 of [2, 50, 6, 32], not along -2"));
    auto with_base = making;
    with_base.declared.rope_theta = 500000;
    with_base.done = making.declared;
    EXPECT_THAT(edits(with_base),
                ElementsAre("frequency/base position/dimension the base is 10000, not 500000, and positions "
                            "count along dimension -3 of [2, 50, 6, 32], "
                            "not along -2"));
  }
}

}  // namespace
}  // namespace vernier
