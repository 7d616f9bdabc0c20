// The formats of eight bits, held to their definitions: the tables here are facts of the specifications (OCP
// 8-bit floating point, revision 1.0; for "fnuz" B. Noune et al. 2022 and AMD's instruction sets).

#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>

#include <gtest/gtest.h>

#include "reference/numbers/enclosure.hpp"
#include "reference/numbers/format.hpp"
#include "reference/numbers/rational.hpp"
#include "reference/test/exact.hpp"

namespace vernier {
namespace {

constexpr unsigned float8_patterns = 256;

/// What a specification says of a format.
struct Definition {
  const char* name;
  Format format;
  int exponent_bits;
  int fraction_bits;
  int bias;
  unsigned largest_pattern;
  double largest;
  double smallest_normal;
  double smallest;
  double overflows;      ///< the least magnitude that rounds beyond the largest number
  double beyond;         ///< what such a magnitude becomes; NaN where there is no infinity
  bool largest_is_even;  ///< then the threshold itself still rounds to it
};

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

constexpr Definition definitions[]{
    {"float8_e4m3fn", Format::float8_e4m3fn, 4, 3, 7, 0x7e, 448, 0x1p-6, 0x1p-9, 464, not_a_number, true},
    {"float8_e5m2", Format::float8_e5m2, 5, 2, 15, 0x7b, 57344, 0x1p-14, 0x1p-16, 61440, infinity, false},
    {"float8_e4m3fnuz", Format::float8_e4m3fnuz, 4, 3, 8, 0x7f, 240, 0x1p-7, 0x1p-10, 248, not_a_number,
     false},
    {"float8_e5m2fnuz", Format::float8_e5m2fnuz, 5, 2, 16, 0x7f, 57344, 0x1p-15, 0x1p-17, 61440, not_a_number,
     false},
};

bool is_fnuz(const Definition& d) {
  return d.format == Format::float8_e4m3fnuz || d.format == Format::float8_e5m2fnuz;
}

/// The value of a pattern: NaN, infinity, or sign times significand times power, as the definition reads.
double meaning(const Definition& d, unsigned pattern) {
  const bool negative = pattern >= 0x80;
  const unsigned rest = pattern & 0x7fU;
  switch (d.format) {
    case Format::float8_e4m3fn:
      if (rest == 0x7f) {
        return not_a_number;
      }
      break;
    case Format::float8_e5m2:
      if (rest == 0x7c) {
        return negative ? -infinity : infinity;
      }
      if (rest > 0x7c) {
        return not_a_number;
      }
      break;
    default:
      if (pattern == 0x80) {
        return not_a_number;
      }
  }
  const unsigned ones = 1U << d.fraction_bits;
  const unsigned exponent = rest / ones;
  const double fraction = static_cast<double>(rest % ones) / ones;
  const double magnitude = exponent == 0 ? fraction * std::exp2(1 - d.bias)
                                         : (1 + fraction) * std::exp2(static_cast<int>(exponent) - d.bias);
  return negative ? -magnitude : magnitude;
}

bool same(double a, double b) {
  return (std::isnan(a) && std::isnan(b)) || (a == b && std::signbit(a) == std::signbit(b));
}

/// The number of the format nearest to a value within its range, found among all of them; of two as near, the
/// one of the even pattern.
double nearest(const Definition& d, double value) {
  std::optional<unsigned> best;
  for (unsigned pattern = 0; pattern < float8_patterns; ++pattern) {
    const double candidate = meaning(d, pattern);
    if (!std::isfinite(candidate) || std::signbit(candidate) != std::signbit(value)) {
      continue;
    }
    const double distance = best ? std::fabs(value - meaning(d, *best)) : infinity;
    const double its_distance = std::fabs(value - candidate);
    if (its_distance < distance || (its_distance == distance && pattern % 2 == 0)) {
      best = pattern;
    }
  }
  const double found = best ? meaning(d, *best) : 0;
  // Of a format without -0 no number is negative and next to zero.
  const bool is_nearer_to_zero = is_fnuz(d) && std::fabs(value) <= d.smallest / 2;
  return is_nearer_to_zero ? 0 : found;
}

class Float8 : public ::testing::TestWithParam<Definition> {};

INSTANTIATE_TEST_SUITE_P(Formats, Float8, ::testing::ValuesIn(definitions),
                         [](const auto& one) { return std::string(one.param.name); });

TEST_P(Float8, EveryPatternMeansWhatItsDefinitionSays) {
  const auto& d = GetParam();
  int nans = 0;
  for (unsigned pattern = 0; pattern < float8_patterns; ++pattern) {
    const double value = decode_bits(d.format, pattern);
    ASSERT_TRUE(same(value, meaning(d, pattern))) << pattern << " is " << value;
    nans += std::isnan(value) ? 1 : 0;
    ASSERT_TRUE(is_member(d.format, value)) << pattern;
    if (std::isnan(value)) {
      ASSERT_TRUE(std::isnan(decode_bits(d.format, encode_bits(d.format, value)))) << pattern;
    } else {
      ASSERT_EQ(encode_bits(d.format, value), pattern) << value;
    }
  }
  EXPECT_EQ(nans, is_fnuz(d) ? 1 : d.format == Format::float8_e5m2 ? 6 : 2);
}

TEST_P(Float8, HasTheExtremesOfItsDefinition) {
  const auto& d = GetParam();
  const auto& t = traits(d.format);
  EXPECT_EQ(t.name, d.name);
  EXPECT_EQ(format_named(d.name), d.format);
  EXPECT_EQ(t.largest(), d.largest);
  EXPECT_EQ(decode_bits(d.format, d.largest_pattern), d.largest);
  EXPECT_EQ(t.smallest_normal(), d.smallest_normal);
  EXPECT_EQ(t.smallest(), d.smallest);
  EXPECT_TRUE(t.is_storage_only());
  EXPECT_EQ(is_member(d.format, infinity), d.format == Format::float8_e5m2);
  EXPECT_TRUE(same(decode_bits(d.format, 0x80), is_fnuz(d) ? not_a_number : -0.0));
  EXPECT_TRUE(same(round_to(d.format, -0.0), is_fnuz(d) ? 0.0 : -0.0));
  EXPECT_EQ(encode_bits(d.format, -0.0), is_fnuz(d) ? 0U : 0x80U);
}

/// Every number, every midpoint of two, and their neighbours among doubles: the nearest of all 256.
TEST_P(Float8, RoundsToTheNearestOfAllNumbersTiesToEven) {
  const auto& d = GetParam();
  for (unsigned pattern = 0; pattern < d.largest_pattern; ++pattern) {
    const double below = meaning(d, pattern);
    const double middle = (below + meaning(d, pattern + 1)) / 2;
    for (const double sign : {1.0, -1.0}) {
      for (const double value :
           {sign * below, std::nextafter(sign * below, sign * infinity), sign * middle,
            std::nextafter(sign * middle, 0.0), std::nextafter(sign * middle, sign * infinity),
            sign * (below + middle) / 2}) {
        const double expected = nearest(d, value);
        ASSERT_TRUE(same(round_to(d.format, value), expected))
            << value << " is " << round_to(d.format, value);
        ASSERT_TRUE(same(round_saturating(d.format, value), expected)) << value;
        if (value != 0) {
          ASSERT_EQ(rounded(d.format, Enclosure{{value, 0}, 0}), expected) << value;
        }
      }
    }
  }
}

/// A hair of 2^-200 of a number decides what no double could, and an interval over a midpoint decides
/// nothing.
TEST_P(Float8, EnclosuresAreRoundedOnce) {
  const auto& d = GetParam();
  const double one = meaning(d, 0x33);
  const double middle = (one + meaning(d, 0x34)) / 2;
  EXPECT_EQ(rounded(d.format, Enclosure{{middle, 0}, 0x1p-80}), std::nullopt);
  EXPECT_EQ(rounded(d.format, Enclosure{{middle, -0x1p-70}, 0x1p-80}), one);
  EXPECT_EQ(rounded(d.format, Enclosure{{middle, 0x1p-70}, 0x1p-80}), meaning(d, 0x34));
  const WorkingPrecision precision(512);
  EXPECT_EQ(rounded(d.format, enclose(Rational(exact_rational(middle) - power_of_two(-200)))), one);
  EXPECT_EQ(rounded(d.format, enclose(exact_rational(middle))), meaning(d, 0x34));
  const auto tiny = rounded(d.format, enclose(Rational(-power_of_two(-300))));
  ASSERT_TRUE(tiny.has_value());
  EXPECT_TRUE(same(*tiny, is_fnuz(d) ? 0.0 : -0.0));
  EXPECT_EQ(rounded(d.format, Enclosure{{not_a_number, 0}, 0}), std::nullopt) << "no number is overflow";
}

TEST_P(Float8, OverflowsWhereItsDefinitionSays) {
  const auto& d = GetParam();
  for (const double sign : {1.0, -1.0}) {
    const double at = sign * d.overflows;
    const double beyond = sign * d.beyond;
    const double after = std::nextafter(at, sign * infinity);
    EXPECT_EQ(round_to(d.format, std::nextafter(at, 0.0)), sign * d.largest);
    EXPECT_TRUE(same(round_to(d.format, at), d.largest_is_even ? sign * d.largest : beyond));
    EXPECT_TRUE(same(round_to(d.format, after), beyond));
    for (const double far : {after, at * 1.5, at * 1e30, sign * std::numeric_limits<double>::max()}) {
      EXPECT_TRUE(same(round_to(d.format, far), beyond)) << far;
      EXPECT_EQ(round_saturating(d.format, far), sign * d.largest) << far;
      const auto enclosed = rounded(d.format, Enclosure{{far, 0}, 0});
      ASSERT_TRUE(enclosed.has_value());
      EXPECT_TRUE(same(*enclosed, beyond)) << far;
    }
    // Saturation is of numbers: what was infinite before stays so where it can.
    EXPECT_TRUE(same(round_to(d.format, sign * infinity), beyond));
    EXPECT_TRUE(same(round_saturating(d.format, sign * infinity), beyond));
  }
  EXPECT_TRUE(std::isnan(round_saturating(d.format, not_a_number)));
}

TEST_P(Float8, NextWalksThroughAllNumbers) {
  const auto& d = GetParam();
  int steps = 0;
  for (double value = -d.largest; value < d.largest; ++steps) {
    const double next = next_up(d.format, value);
    ASSERT_LT(value, next);
    ASSERT_EQ(next_down(d.format, next), value);
    value = next;
  }
  EXPECT_EQ(steps, 2 * static_cast<int>(d.largest_pattern));
  EXPECT_TRUE(same(next_up(d.format, d.largest), d.beyond));
  EXPECT_TRUE(std::isnan(next_down(d.format, -d.largest)) || d.beyond == infinity);
}

/// The same bits mean twice the number in one format of either pair.
TEST(Float8Pairs, TheSameBitsMeanHalfAsMuchWithoutNegativeZero) {
  for (unsigned pattern = 0; pattern < float8_patterns; ++pattern) {
    const double ocp = decode_bits(Format::float8_e4m3fn, pattern);
    const double other = decode_bits(Format::float8_e4m3fnuz, pattern);
    if (!std::isnan(ocp) && !std::isnan(other)) {
      EXPECT_EQ(ocp, 2 * other) << pattern;
    }
  }
}

}  // namespace
}  // namespace vernier
