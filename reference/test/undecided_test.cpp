// What no precision decides is said to be undecided; what takes a higher precision than the first is decided;
// and an enclosure without a number in it gives none.

#include <cmath>
#include <limits>
#include <stdexcept>

#include <gtest/gtest.h>

#include "reference/decay/negative_sums.hpp"
#include "reference/decay/oscillatory_integral.hpp"
#include "reference/decay/smooth_function.hpp"
#include "reference/numbers/constant.hpp"
#include "reference/numbers/decimal.hpp"
#include "reference/numbers/real.hpp"
#include "reference/test/exact.hpp"

namespace vernier {
namespace {

constexpr double undecided_nan = std::numeric_limits<double>::quiet_NaN();

/// A number whose enclosure is never a point.
Real blurred(const Rational& value) {
  return [value] { return Interval(enclose(value) + Interval(pi() - pi())); };
}

/// One so close to `value` that the first two precisions do not tell them apart.
Real beside(const Rational& value, int sign) {
  return blurred(value + sign * power_of_two(-300));
}

TEST(Undecided, AreNumbersOnAnEdgeThatOnlyEnclosuresKnow) {
  EXPECT_EQ(correctly_rounded(Format::float8_e5m2, blurred(Rational(9, 8))), std::nullopt);
  EXPECT_EQ(correctly_rounded_decimal(blurred(Rational(1, 2)), 0), std::nullopt);
  EXPECT_EQ(decided_sign(blurred(0)), std::nullopt);
  EXPECT_EQ(decided_floor(blurred(3)), std::nullopt);
}

TEST(Undecided, AreNoNumbersBesideAnEdge) {
  EXPECT_EQ(correctly_rounded(Format::float8_e5m2, beside(Rational(9, 8), 1)), 1.25);
  EXPECT_EQ(correctly_rounded(Format::float8_e5m2, beside(Rational(9, 8), -1)), 1);
  EXPECT_EQ(correctly_rounded_decimal(beside(Rational(1, 2), 1), 0), "1");
  EXPECT_EQ(correctly_rounded_decimal(beside(Rational(1, 2), -1), 0), "0");
  EXPECT_EQ(decided_sign(beside(0, 1)), 1);
  EXPECT_EQ(decided_sign(beside(0, -1)), -1);
  EXPECT_EQ(decided_floor(beside(3, 1)), 3);
  EXPECT_EQ(decided_floor(beside(3, -1)), 2);
}

TEST(Undecided, HasTheTightestEnclosureBelowTheCap) {
  const auto enclosure = tight_enclosure(blurred(0));
  EXPECT_LE(enclosure.radius, 0x1p-1000);
  EXPECT_LE(lower_end(enclosure), 0);
  EXPECT_GE(upper_end(enclosure), 0);
}

TEST(Rounded, OfNoNumberIsNothing) {
  EXPECT_EQ(rounded(Format::binary32, Enclosure{{undecided_nan, 0}, 0}), std::nullopt);
  EXPECT_EQ(rounded(Format::binary32, Enclosure{{1, undecided_nan}, 0}), std::nullopt);
  EXPECT_EQ(rounded(Format::binary32, Enclosure{{1, 0}, undecided_nan}), std::nullopt);
  EXPECT_EQ(rounded(Format::binary32, Interval(log(enclose(-1.0)))), std::nullopt);
}

TEST(Rounded, TakesInfinityForWhatItIs) {
  EXPECT_EQ(rounded(Format::binary32, Enclosure{{infinity, 0}, 0}), infinity);
  const Interval ray = 1 / hull(0, 1);
  EXPECT_EQ(rounded(Format::binary32, ray), std::nullopt);
  EXPECT_EQ(rounded(Format::binary32, hull(infinity, infinity)), infinity);
}

/// Without infinities, what is beyond the largest number is NaN on either side: a number is none of them.
TEST(Rounded, TellsOverflowFromNumbers) {
  EXPECT_TRUE(std::isnan(rounded(Format::float8_e4m3fn, hull(1000, 2000)).value()));
  EXPECT_EQ(rounded(Format::float8_e4m3fn, hull(1, 2000)), std::nullopt);
  EXPECT_EQ(rounded(Format::float8_e4m3fn, hull(-2000, -1)), std::nullopt);
  EXPECT_EQ(rounded(Format::float8_e4m3fn, hull(-2000, 2000)), std::nullopt);
}

TEST(EnclosureProduct, OfWhatMayBeOneIsNotTheOtherFactor) {
  const Enclosure near_one{{1, 0}, 0x1p-90};
  EXPECT_GE((near_one * Enclosure{{3, 0}, 0}).radius, 3 * 0x1p-90);
}

TEST(Interval, HasTheMagnitudesOfItsNumbers) {
  EXPECT_EQ(least_magnitude(hull(-1, 2)), 0);
  EXPECT_EQ(least_magnitude(hull(2, 3)), 2);
  EXPECT_EQ(least_magnitude(hull(-3, -2)), 2);
  EXPECT_EQ(greatest_magnitude(hull(-3, 2)), 3);
}

TEST(Constant, MayBeOverPi) {
  EXPECT_TRUE(contains(Interval(enclose(Constant{Rational(3, 2), -1}) * pi()), Rational(3, 2)));
}

TEST(Rational, IsAnIntegerOfSixtyFourBitsOrNone) {
  EXPECT_EQ(as_integer(power_of_two(63)), std::nullopt);
  EXPECT_EQ(as_integer(Rational(power_of_two(63) - 1)), std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(as_integer(Rational(-power_of_two(63))), std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(as_integer(Rational(-power_of_two(63) - 1)), std::nullopt);
  EXPECT_EQ(as_integer(Rational(1, 2)), std::nullopt);
  EXPECT_EQ(parse_quotient("x/2"), std::nullopt);
}

TEST(Zeros, AtTheEndOfASubdivisionAreGivenUp) {
  const SmoothFunction line{[](const Interval& x) { return Interval(x - 1); },
                            [](const Interval&) { return enclose(std::int64_t{1}); }};
  EXPECT_THROW(zeros(line, 0, 2), std::runtime_error);
  EXPECT_EQ(zeros(line, 0, 1.75, 0x1p-20).size(), 1U);
}

TEST(CertainSign, IsThatOfEveryNumber) {
  EXPECT_EQ(certain_sign(hull(1, 2)), 1);
  EXPECT_EQ(certain_sign(hull(-2, -1)), -1);
  EXPECT_EQ(certain_sign(hull(-1, 1)), std::nullopt);
  EXPECT_EQ(certain_sign(hull(0, 1)), std::nullopt);
}

/// A quarter of a turn to so many bits, from below or from above.
CosineSum near_quarter(unsigned bits, bool is_above) {
  const WorkingPrecision scope(bits);
  const Interval quarter = pi() / 2;
  return {ListedFrequencies{{is_above ? upper_end(quarter) : lower_end(quarter)}}};
}

/// The first cosine is as small as that, and the second is -1.
TEST(FirstNegativeSum, IsDecidedByEnclosuresNextToZero) {
  for (const unsigned bits : {70U, 300U}) {
    EXPECT_EQ(first_negative_sum(near_quarter(bits, true), 2), 1) << bits;
    EXPECT_EQ(first_negative_sum(near_quarter(bits, false), 2), 2) << bits;
  }
  EXPECT_THROW(first_negative_sum(near_quarter(700, true), 2), std::runtime_error);
}

/// cos 2 + cos(2 b^(-1/2)) is zero at b = (2 / (pi - 2))^2.
TEST(DecidedBases, LeaveAGapWhereASumIsZero) {
  const double root = std::pow(2 / (std::acos(-1.0) - 2), 2);
  const auto decided = decided_bases(2, 2, root, 1.01 * root);
  EXPECT_GT(decided.front().lower, root);
  EXPECT_LT(decided.front().lower, root * (1 + 1e-8));
}

/// At 53 bits the tail's terms still grow when their remainder is bounded at last, so that the enclosure is
/// wide.
TEST(LowerIntegral, ContainsItselfWhereTheTailNeverGetsSmall) {
  const Rational s(401, 2);
  const auto at = [&](unsigned bits) {
    const WorkingPrecision scope(bits);
    return scaled_lower_integral(s, enclose(std::int64_t{60}));
  };
  const auto wide = at(53);
  const auto narrow = at(600);
  EXPECT_TRUE(lies_within(narrow.real, wide.real));
  EXPECT_TRUE(lies_within(narrow.imaginary, wide.imaginary));
}

}  // namespace
}  // namespace vernier
