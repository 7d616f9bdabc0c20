// Positions whose phases are near multiples of pi/2: all of them, against every position one by one.

#include "numerics/searches/near_quarter_turns.hpp"

#include <cmath>
#include <numbers>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "reference/frequencies.hpp"

namespace vernier {
namespace {

using ::testing::ElementsAre;

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

}  // namespace
}  // namespace vernier
