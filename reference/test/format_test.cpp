#include "reference/numbers/format.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <iomanip>
#include <limits>
#include <random>

#include <Eigen/Core>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "reference/test/format_label.hpp"

namespace vernier {
namespace {

std::uint64_t pattern_count(Format format) {
  return std::uint64_t{1} << traits(format).bits;
}

/// The pattern after the largest number, of +infinity where there is one: the finite magnitudes are exactly
/// the patterns below it.
std::uint64_t end_of_numbers(Format format) {
  return encode_bits(format, traits(format).largest()) + 1;
}

bool same_number(double a, double b) {
  return (std::isnan(a) && std::isnan(b)) || (a == b && std::signbit(a) == std::signbit(b));
}

/// A double of any bit pattern: RapidCheck's own doubles are never subnormal, infinite or NaN, nor near a
/// binade's edge.
rc::Gen<double> any_double() {
  return rc::gen::map(rc::gen::resize(rc::kNominalSize, rc::gen::arbitrary<std::uint64_t>()),
                      [](std::uint64_t bits) { return std::bit_cast<double>(bits); });
}

/// A finite member of the format, of any magnitude it has.
rc::Gen<double> any_member(Format format) {
  return rc::gen::map(
      rc::gen::resize(rc::kNominalSize, rc::gen::arbitrary<std::uint64_t>()), [format](std::uint64_t bits) {
        const double sign = (bits >> 63) != 0 ? -1 : 1;
        return sign * decode_bits(format, (bits & ~(std::uint64_t{1} << 63)) % end_of_numbers(format));
      });
}

/// The midpoint of a member and the next larger magnitude, which doubles hold exactly; beyond the largest
/// member the neighbour is what it would be without an upper end: the threshold of overflow.
double midpoint_above(Format format, double member) {
  return member + std::copysign(ulp_at(format, member) / 2, member);
}

/// Whether the last bit of a pattern is zero.
bool is_even(Format format, double member) {
  return encode_bits(format, member) % 2 == 0;
}

class SixteenBits : public ::testing::TestWithParam<Format> {};
class NarrowFormats : public ::testing::TestWithParam<Format> {};
class ComputingFormats : public ::testing::TestWithParam<Format> {};
class AllFormats : public ::testing::TestWithParam<Format> {};

INSTANTIATE_TEST_SUITE_P(Format, SixteenBits, ::testing::Values(Format::binary16, Format::bfloat16),
                         format_label);
INSTANTIATE_TEST_SUITE_P(Format, NarrowFormats,
                         ::testing::Values(Format::binary32, Format::binary16, Format::bfloat16),
                         format_label);
INSTANTIATE_TEST_SUITE_P(Format, ComputingFormats, ::testing::ValuesIn(computing_formats()), format_label);
INSTANTIATE_TEST_SUITE_P(Format, AllFormats, ::testing::ValuesIn(all_formats()), format_label);

TEST_P(SixteenBits, EveryPatternRoundTrips) {
  for (std::uint64_t bits = 0; bits < pattern_count(GetParam()); ++bits) {
    const double value = decode_bits(GetParam(), bits);
    ASSERT_TRUE(is_member(GetParam(), value)) << std::hex << bits;
    ASSERT_TRUE(same_number(round_to(GetParam(), value), value)) << std::hex << bits;
    if (std::isnan(value)) {
      ASSERT_TRUE(std::isnan(decode_bits(GetParam(), encode_bits(GetParam(), value)))) << std::hex << bits;
    } else {
      ASSERT_EQ(encode_bits(GetParam(), value), bits);
    }
  }
}

TEST_P(SixteenBits, EveryPatternMeansWhatEigenSaysItMeans) {
  for (std::uint64_t bits = 0; bits < pattern_count(GetParam()); ++bits) {
    const auto raw = static_cast<std::uint16_t>(bits);
    const float theirs = GetParam() == Format::binary16
                             ? static_cast<float>(Eigen::numext::bit_cast<Eigen::half>(raw))
                             : static_cast<float>(Eigen::numext::bit_cast<Eigen::bfloat16>(raw));
    ASSERT_TRUE(same_number(decode_bits(GetParam(), bits), static_cast<double>(theirs))) << std::hex << bits;
  }
}

/// Exhaustive: the midpoint of every two neighbours goes to the one with the even pattern, and a double's
/// width to either side of it to the nearer one. The last midpoint is the threshold of overflow.
TEST_P(SixteenBits, EveryMidpointTiesToEven) {
  const std::uint64_t end = end_of_numbers(GetParam());
  for (std::uint64_t bits = 0; bits < end; ++bits) {
    for (const double sign : {1.0, -1.0}) {
      const double member = sign * decode_bits(GetParam(), bits);
      const double neighbour = sign * decode_bits(GetParam(), bits + 1);
      const double middle = midpoint_above(GetParam(), member);
      ASSERT_TRUE(same_number(round_to(GetParam(), middle), bits % 2 == 0 ? member : neighbour)) << middle;
      ASSERT_TRUE(same_number(round_to(GetParam(), std::nextafter(middle, 0.0)), member)) << middle;
      ASSERT_TRUE(same_number(round_to(GetParam(), std::nextafter(middle, sign * infinity)), neighbour))
          << middle;
    }
  }
}

TEST_P(NarrowFormats, RandomMidpointsTieToEven) {
  const Format format = GetParam();
  rc::detail::checkGTest([format] {
    const double member = *any_member(format);
    const double middle = midpoint_above(format, member);
    const double neighbour =
        member < 0 || std::signbit(member) ? next_down(format, member) : next_up(format, member);
    RC_ASSERT(same_number(round_to(format, middle), is_even(format, member) ? member : neighbour));
    RC_ASSERT(same_number(round_to(format, std::nextafter(middle, 0.0)), member));
    RC_ASSERT(same_number(round_to(format, std::nextafter(middle, 2 * middle)), neighbour));
  });
}

/// The definition of rounding to nearest, with distances that doubles hold exactly.
TEST_P(NarrowFormats, NoMemberIsNearerThanTheRoundedOne) {
  const Format format = GetParam();
  rc::detail::checkGTest([format] {
    const double member = *any_member(format);
    const auto part = *rc::gen::inRange<int>(0, 1 << 20);
    const double value = member + std::ldexp(part, -20) * ulp_at(format, member);
    const double result = round_to(format, value);
    RC_PRE(std::isfinite(result));
    const double distance = std::fabs(value - result);
    RC_ASSERT(distance <= std::fabs(value - next_up(format, result)));
    RC_ASSERT(distance <= std::fabs(value - next_down(format, result)));
  });
}

/// Rounding by its definition: the value counted in last places, and the count rounded to an integer.
double rounded_by_count(Format format, double value) {
  const double ulp = ulp_at(format, value);
  const double rounded = std::nearbyint(value / ulp) * ulp;
  return std::fabs(rounded) > traits(format).largest() ? std::copysign(infinity, value) : rounded;
}

/// Magnitudes from below the smallest subnormal to above the largest number, with any significand.
TEST_P(NarrowFormats, AMillionDoublesRoundAsTheirCountOfLastPlaces) {
  const auto& t = traits(GetParam());
  const int lowest = t.emin - t.precision - 3;
  const auto exponents = static_cast<std::uint64_t>(t.emax + 3 - lowest);
  std::mt19937_64 random(20);
  for (int i = 0; i < 1000000; ++i) {
    const auto bits = random();
    const double significand = 1 + std::ldexp(static_cast<double>(bits >> 12), -52);
    const int exponent = lowest + static_cast<int>(random() % exponents);
    const double value = std::ldexp((bits & 1) != 0 ? -significand : significand, exponent);
    ASSERT_TRUE(same_number(round_to(GetParam(), value), rounded_by_count(GetParam(), value)))
        << std::hexfloat << value;
  }
}

TEST_P(NarrowFormats, DoublesFarOutsideTheRangeRoundToZeroAndInfinity) {
  for (int exponent = -1074; exponent < 1024; ++exponent) {
    const double value = std::ldexp(-1.5, std::max(exponent, -1073));
    if (exponent > traits(GetParam()).emax) {
      ASSERT_EQ(round_to(GetParam(), value), -infinity) << exponent;
    } else if (value > -traits(GetParam()).smallest() / 2) {
      ASSERT_TRUE(same_number(round_to(GetParam(), value), -0.0)) << exponent;
    }
  }
}

TEST_P(NarrowFormats, OverflowStartsHalfAnUlpAboveTheLargest) {
  const auto& t = traits(GetParam());
  const double threshold = std::ldexp(1.0, t.emax + 1) - std::ldexp(1.0, t.emax - t.precision);
  EXPECT_EQ(round_to(GetParam(), std::nextafter(threshold, 0.0)), t.largest());
  EXPECT_EQ(round_to(GetParam(), threshold), infinity);
  EXPECT_EQ(round_to(GetParam(), -threshold), -infinity);
  EXPECT_EQ(round_to(GetParam(), std::numeric_limits<double>::max()), infinity);
}

TEST_P(NarrowFormats, UnderflowEndsAtHalfTheSmallestSubnormal) {
  const double smallest = traits(GetParam()).smallest();
  EXPECT_TRUE(same_number(round_to(GetParam(), smallest / 2), 0.0));
  EXPECT_TRUE(same_number(round_to(GetParam(), -smallest / 2), -0.0));
  EXPECT_EQ(round_to(GetParam(), std::nextafter(smallest / 2, 1.0)), smallest);
  EXPECT_EQ(round_to(GetParam(), 1.5 * smallest), 2 * smallest);
  EXPECT_TRUE(same_number(round_to(GetParam(), std::numeric_limits<double>::denorm_min()), 0.0));
  EXPECT_TRUE(same_number(round_to(GetParam(), -std::numeric_limits<double>::denorm_min()), -0.0));
}

TEST_P(ComputingFormats, ZeroKeepsItsSignAndNanAndInfinityStay) {
  EXPECT_TRUE(same_number(round_to(GetParam(), 0.0), 0.0));
  EXPECT_TRUE(same_number(round_to(GetParam(), -0.0), -0.0));
  EXPECT_EQ(round_to(GetParam(), infinity), infinity);
  EXPECT_EQ(round_to(GetParam(), -infinity), -infinity);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(std::isnan(round_to(GetParam(), nan)));
  EXPECT_TRUE(std::signbit(round_to(GetParam(), -nan)) && !std::signbit(round_to(GetParam(), nan)));
  EXPECT_TRUE(is_member(GetParam(), nan));
  EXPECT_TRUE(std::isnan(decode_bits(GetParam(), encode_bits(GetParam(), nan))));
  EXPECT_NE(encode_bits(GetParam(), -0.0), encode_bits(GetParam(), 0.0));
}

RC_GTEST_PROP(Hardware, ConvertsToFloatAsWeDo, ()) {
  const double value = *any_double();
  RC_ASSERT(same_number(round_to(Format::binary32, value), static_cast<double>(static_cast<float>(value))));
}

/// The same where conversions are hard: magnitudes a float has, with random bits below the last place.
RC_GTEST_PROP(Hardware, ConvertsToFloatAsWeDoWithinItsRange, ()) {
  const double value = *any_member(Format::binary32) * (1 + std::ldexp(*rc::gen::inRange(0, 1 << 30), -50));
  const auto theirs = static_cast<float>(value);
  const double ours = round_to(Format::binary32, value);
  RC_ASSERT(same_number(ours, static_cast<double>(theirs)));
  RC_ASSERT(encode_bits(Format::binary32, ours) == std::bit_cast<std::uint32_t>(theirs));
}

RC_GTEST_PROP(Hardware, DoubleIsItsOwnRounding, ()) {
  const double value = *any_double();
  RC_ASSERT(std::bit_cast<std::uint64_t>(round_to(Format::binary64, value)) ==
            std::bit_cast<std::uint64_t>(value));
  RC_ASSERT(encode_bits(Format::binary64, value) == std::bit_cast<std::uint64_t>(value));
}

/// Eigen rounds from float, so the comparison starts from floats: through float it would round twice.
RC_GTEST_PROP(Eigen, RoundsFloatsToSixteenBitsAsWeDo, ()) {
  const auto value =
      static_cast<float>(*rc::gen::oneOf(any_member(Format::binary32), any_member(Format::binary16)) *
                         (1 + std::ldexp(*rc::gen::inRange(0, 1 << 12), -23)));
  RC_ASSERT(same_number(round_to(Format::binary16, value), static_cast<float>(::Eigen::half(value))));
  RC_ASSERT(same_number(round_to(Format::bfloat16, value), static_cast<float>(::Eigen::bfloat16(value))));
}

TEST_P(SixteenBits, NextUpAndDownWalkThroughEveryValueInOrder) {
  const std::uint64_t end = end_of_numbers(GetParam());
  for (std::uint64_t bits = 0; bits < end; ++bits) {
    const double value = decode_bits(GetParam(), bits);
    const double larger = decode_bits(GetParam(), bits + 1);
    ASSERT_LT(value, larger);
    ASSERT_TRUE(same_number(next_up(GetParam(), value), larger)) << value;
    ASSERT_TRUE(same_number(next_down(GetParam(), larger), value)) << value;
    ASSERT_TRUE(same_number(next_down(GetParam(), -value), -larger)) << value;
    ASSERT_TRUE(same_number(next_up(GetParam(), -larger), -value)) << value;
  }
}

TEST_P(ComputingFormats, NextStepsOverBothZerosAndStopsAtInfinity) {
  const auto& t = traits(GetParam());
  for (const double zero : {0.0, -0.0}) {
    EXPECT_EQ(next_up(GetParam(), zero), t.smallest());
    EXPECT_EQ(next_down(GetParam(), zero), -t.smallest());
  }
  EXPECT_EQ(next_up(GetParam(), t.largest()), infinity);
  EXPECT_EQ(next_up(GetParam(), infinity), infinity);
  EXPECT_EQ(next_down(GetParam(), infinity), t.largest());
  EXPECT_EQ(next_down(GetParam(), -infinity), -infinity);
}

RC_GTEST_PROP(Next, AgreesWithTheCLibrary, ()) {
  const auto narrow = static_cast<float>(*any_member(Format::binary32));
  RC_ASSERT(next_up(Format::binary32, narrow) ==
            std::nextafterf(narrow, std::numeric_limits<float>::infinity()));
  const double wide = *any_member(Format::binary64);
  RC_ASSERT(next_down(Format::binary64, wide) == std::nextafter(wide, -infinity));
}

TEST_P(AllFormats, UlpDoublesAtEachPowerOfTwoAndStopsAtTheSubnormals) {
  const auto& t = traits(GetParam());
  EXPECT_EQ(ulp_at(GetParam(), 1.0), 2 * t.unit_roundoff());
  EXPECT_EQ(ulp_at(GetParam(), next_down(GetParam(), 1.0)), t.unit_roundoff());
  EXPECT_EQ(ulp_at(GetParam(), -1.0), 2 * t.unit_roundoff());
  EXPECT_EQ(ulp_at(GetParam(), 0.0), t.smallest());
  EXPECT_EQ(ulp_at(GetParam(), t.smallest()), t.smallest());
  EXPECT_EQ(ulp_at(GetParam(), t.smallest_normal()), t.smallest());
  EXPECT_EQ(ulp_at(GetParam(), 2 * t.smallest_normal()), 2 * t.smallest());
  EXPECT_EQ(ulp_at(GetParam(), t.largest()), std::ldexp(1.0, t.emax - t.precision + 1));
}

TEST_P(NarrowFormats, UlpGoesOnBeyondTheLargest) {
  const auto& t = traits(GetParam());
  EXPECT_EQ(ulp_at(GetParam(), std::ldexp(1.0, t.emax + 3)), std::ldexp(1.0, t.emax + 3 - t.precision + 1));
}

RC_GTEST_PROP(Ulp, IsTheGapAboveEveryMember, ()) {
  for (const Format format : all_formats()) {
    const double member = std::fabs(*any_member(format));
    RC_PRE(member < traits(format).largest());
    RC_ASSERT(ulp_at(format, member) == next_up(format, member) - member);
  }
}

/// The parameters of IEEE 754-2019, table 3.5, and the field's names for the formats.
TEST(Traits, AreThoseOfTheStandard) {
  EXPECT_EQ(traits(Format::binary64).largest(), std::numeric_limits<double>::max());
  EXPECT_EQ(traits(Format::binary64).smallest(), std::numeric_limits<double>::denorm_min());
  EXPECT_EQ(traits(Format::binary32).largest(), static_cast<double>(std::numeric_limits<float>::max()));
  EXPECT_EQ(traits(Format::binary32).smallest(),
            static_cast<double>(std::numeric_limits<float>::denorm_min()));
  EXPECT_EQ(traits(Format::binary32).smallest_normal(),
            static_cast<double>(std::numeric_limits<float>::min()));
  EXPECT_EQ(traits(Format::binary16).largest(), 65504);
  EXPECT_EQ(traits(Format::binary16).smallest(), 0x1p-24);
  EXPECT_EQ(traits(Format::bfloat16).largest(), 0x1.FEp127);
  EXPECT_EQ(traits(Format::bfloat16).unit_roundoff(), 0x1p-8);
  for (const Format format : all_formats()) {
    EXPECT_EQ(format_named(traits(format).name), format);
  }
  EXPECT_EQ(format_named("float128"), std::nullopt);
}

}  // namespace
}  // namespace vernier
