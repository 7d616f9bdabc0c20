// What no precision decides is said to be undecided; what takes a higher precision than the first is decided;
// and an enclosure without a number in it gives none.

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace vernier
