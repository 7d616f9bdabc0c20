// Positions whose phases are near multiples of pi/2: all of them, against every position one by one.

#include "numerics/searches/near_quarter_turns.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <numbers>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "reference/frequencies/frequencies.hpp"
#include "reference/numbers/real.hpp"
#include "reference/test/parsed.hpp"

namespace vernier {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// Those of an encoding up to 100000, each once.
std::set<std::int64_t> of_encoding(std::string_view spec) {
  const auto encoding = parsed(spec);
  const auto found = near_quarter_turns(*encoding, 100000);
  return {found.begin(), found.end()};
}

/// 355/113 is the convergent of pi; 2/pi = [0; 1, 1, 1, 3, 31, 1, 145, ...].
TEST(NearQuarterTurns, OfOneRadianAreTheConvergentsOfPi) {
  EXPECT_THAT(near_quarter_turns([] { return enclose(std::int64_t{1}); }, 100000),
              ElementsAre(1, 2, 3, 11, 344, 355, 51819, 52174));
}

/// Nothing decides whether such a phase is a multiple; it is told as one.
TEST(NearQuarterTurns, EndWhereAPhaseIsAMultiple) {
  EXPECT_THAT(near_quarter_turns([] { return Interval(pi() / 4); }, 1000), ElementsAre(1, 2));
  EXPECT_THAT(near_quarter_turns([] { return Interval(pi() / 2); }, 1000), ElementsAre(1));
  EXPECT_THAT(near_quarter_turns([] { return Interval(pi() * 3 / 14); }, 1000), ElementsAre(1, 2, 7));
}

/// Every definition that has sines has those of one radian a position here.
TEST(NearQuarterTurns, OfEncodingsAreThoseOfWhateverTurns) {
  for (const auto* spec :
       {R"({"scheme": "rope", "head_dim": 2})", R"({"scheme": "sinusoidal", "d_model": 2})",
        R"({"scheme": "xpos", "head_dim": 2, "sequence_length": 8})",
        R"({"scheme": "transformer_xl", "d_model": 2, "clamp_len": 100000})",
        R"({"scheme": "sinusoidal", "axes": [{"dims": 2}, {"dims": 2}]})"}) {
    EXPECT_THAT(of_encoding(spec), ElementsAre(1, 2, 3, 11, 344, 355, 51819, 52174)) << spec;
  }
  EXPECT_THAT(of_encoding(R"({"scheme": "alibi", "num_heads": 8})"), IsEmpty());
}

/// A token that a grid of rows of 400 numbers n is in column n only up to 399.
TEST(NearQuarterTurns, OfTokensAlongAGridAreAtTheirNumberAlongAnAxis) {
  EXPECT_THAT(of_encoding(R"({"scheme": "sinusoidal", "axes": [{"dims": 2}, {"dims": 2}], "grid": [400]})"),
              ElementsAre(1, 2, 3, 11, 344, 355));
}

TEST(NearQuarterTurns, OfPositionsThatAreNoIntegersAreNone) {
  for (const auto* spec :
       {R"({"scheme": "rope", "head_dim": 2, "position_offset": 0.5})",
        R"({"scheme": "rope", "head_dim": 2, "position_unit": "1/4"})",
        R"({"scheme": "sinusoidal", "axes": [{"dims": 2}, {"dims": 2, "position_offset": 0.5}]})"}) {
    EXPECT_THAT(of_encoding(spec), IsEmpty()) << spec;
  }
}

RC_GTEST_PROP(NearQuarterTurns, AreAllThatTakeARecord, ()) {
  constexpr std::int64_t last = 4000;
  const GeometricFrequencies frequencies{*rc::gen::inRange<std::int64_t>(2, 1000000), Rational(1, 32), 64};
  const int pair = *rc::gen::inRange(0, 64);
  const Real frequency = [&] { return frequencies.at(pair); };
  const WorkingPrecision precision(128);
  const double w = middle(frequency());
  std::vector<std::int64_t> records;
  double nearest = 2;
  for (std::int64_t position = 1; position <= last; ++position) {
    const double turns = static_cast<double>(position) * w * 2 / std::numbers::pi;
    const double distance = std::fabs(turns - std::rint(turns));
    if (distance < nearest) {
      records.push_back(position);
      nearest = distance;
    }
  }
  RC_ASSERT(near_quarter_turns(frequency, last) == records);
}

/// A number modulo 1, rounded down to 128 bits.
struct Fraction {
  std::uint64_t high = 0;
  std::uint64_t low = 0;

  Fraction& operator+=(const Fraction& other) {
    low += other.low;
    high += other.high + (low < other.low ? 1 : 0);
    return *this;
  }
};

Fraction fraction_of(Real number) {
  Fraction result;
  for (int digit = 0; digit <= 4; ++digit) {  // of 32 bits, the first before the point
    const auto whole = *decided_floor(number);
    result.high = result.high << 32 | result.low >> 32;
    result.low = result.low << 32 | static_cast<std::uint32_t>(whole);
    number = [number, whole] { return Interval((number() - enclose(whole)) * 0x1p32); };
  }
  return result;
}

/// Every position of Llama's pairs, one by one, in fixed point: after 2^31 steps a sum is off by 2^-97, and
/// the nearest is some 2^-32 from an integer. Up to 2^31 and of all pairs if VERNIER_EVERY_POSITION is set,
/// which takes minutes; else fewer.
TEST(NearQuarterTurns, LeaveNoneOutUpTo2To31) {
  const bool is_every = std::getenv("VERNIER_EVERY_POSITION") != nullptr;
  const std::int64_t last = std::int64_t{1} << (is_every ? 31 : 22);
  const GeometricFrequencies frequencies{10000, Rational(1, 64), 64};
  for (int pair = 0; pair < 64; pair += is_every ? 1 : 21) {
    const Real frequency = [&] { return frequencies.at(pair); };
    const auto step = fraction_of([&] { return Interval(frequency() * 2 / pi()); });
    std::vector<std::int64_t> records;
    Fraction turns;
    std::uint64_t nearest = std::numeric_limits<std::uint64_t>::max();
    for (std::int64_t position = 1; position <= last; ++position) {
      turns += step;
      if (const auto off = std::min(turns.high, 0 - turns.high); off < nearest) {
        records.push_back(position);
        nearest = off;
      }
    }
    EXPECT_EQ(near_quarter_turns(frequency, last), records) << "pair " << pair;
  }
}

}  // namespace
}  // namespace vernier
