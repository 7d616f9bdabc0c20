#include "reference/numbers/enclosure.hpp"

#include <cmath>
#include <functional>
#include <iostream>
#include <limits>
#include <random>

#include <gtest/gtest.h>
#include <mpfr.h>
#include <rapidcheck/gtest.h>

#include "reference/numbers/real.hpp"
#include "reference/numbers/sine_cosine.hpp"
#include "reference/test/exact.hpp"
#include "reference/test/format_label.hpp"
#include "reference/test/seed.hpp"

namespace vernier {
namespace {

/// Wide enough to hold the exact value of every rational that these tests make.
constexpr unsigned exact_precision = 4600;

bool identical(double a, double b) {
  return a == b && std::signbit(a) == std::signbit(b);
}

/// The independent way: MPFR's own emulation of a small format, one rounding of a rational with subnormals
/// and overflow.
double rounded_by_mpfr(Format format, const Rational& value) {
  const auto& t = traits(format);
  const mpfr_exp_t emin = mpfr_get_emin();
  const mpfr_exp_t emax = mpfr_get_emax();
  mpfr_t result;
  mpfr_init2(result, t.precision);
  int inexact = mpfr_set_q(result, value.backend().data(), MPFR_RNDN);
  // MPFR's significands lie in [1/2, 1), so its exponents are larger by one.
  mpfr_set_emin(t.emin - t.precision + 2);
  mpfr_set_emax(t.emax + 1);
  inexact = mpfr_check_range(result, inexact, MPFR_RNDN);
  mpfr_subnormalize(result, inexact, MPFR_RNDN);
  mpfr_set_emin(emin);
  mpfr_set_emax(emax);
  const double as_double = mpfr_get_d(result, MPFR_RNDN);
  mpfr_clear(result);
  return as_double;
}

rc::Gen<std::uint64_t> any_bits() {
  return rc::gen::resize(rc::kNominalSize, rc::gen::arbitrary<std::uint64_t>());
}

/// A finite, positive or negative member of the format.
rc::Gen<double> any_signed_member(Format format) {
  return rc::gen::map(any_bits(), [format](std::uint64_t bits) {
    const auto magnitude = (bits >> 1) % encode_bits(format, infinity);
    return (bits % 2 == 0 ? 1 : -1) * decode_bits(format, magnitude);
  });
}

/// A number with 256 random bits, of a magnitude the format has or just does not have.
rc::Gen<Rational> any_number(Format format) {
  const auto& t = traits(format);
  return rc::gen::map(rc::gen::tuple(any_bits(), any_bits(), any_bits(), any_bits(),
                                     rc::gen::inRange(t.emin - t.precision - 2, t.emax + 3)),
                      [](const auto& parts) {
                        const auto& [a, b, c, d, exponent] = parts;
                        Rational significand = 0;
                        for (const std::uint64_t word : {a, b, c, d >> 1 | std::uint64_t{1} << 62}) {
                          significand = (significand + Rational(word)) * power_of_two(-64);
                        }
                        return Rational((d % 2 == 0 ? 1 : -1) * significand * power_of_two(exponent + 2));
                      });
}

/// A number next to the midpoint of two neighbours: off by 2^-k of their distance, k up to 1000, or by
/// nothing.
rc::Gen<Rational> near_midpoint(Format format) {
  return rc::gen::map(
      rc::gen::tuple(any_signed_member(format), rc::gen::inRange(1, 1000), rc::gen::element(-1, 0, 1)),
      [format](const auto& parts) {
        const auto& [member, k, side] = parts;
        const Rational gap = exact_rational(ulp_at(format, member));
        return Rational(exact_rational(member) + gap * (Rational(1, 2) + side * power_of_two(-k)));
      });
}

Interval exact_interval(const Rational& value) {
  const WorkingPrecision precision(exact_precision);
  return enclose(value);
}

class EachFormat : public ::testing::TestWithParam<Format> {};
/// Those whose midpoints are numbers of binary64.
class NarrowFormat : public ::testing::TestWithParam<Format> {};

INSTANTIATE_TEST_SUITE_P(Rounding, EachFormat, ::testing::ValuesIn(computing_formats()), format_label);
INSTANTIATE_TEST_SUITE_P(Rounding, NarrowFormat,
                         ::testing::Values(Format::binary32, Format::binary16, Format::bfloat16),
                         format_label);

TEST_P(EachFormat, OfExactNumbersAgreesWithMpfr) {
  const Format format = GetParam();
  rc::detail::checkGTest([format] {
    const Rational value = *rc::gen::oneOf(any_number(format), near_midpoint(format));
    const Interval exact = exact_interval(value);
    RC_ASSERT(lower_end(exact) == value && upper_end(exact) == value);
    const auto ours = rounded(format, exact);
    RC_ASSERT(ours.has_value());
    RC_ASSERT(identical(*ours, rounded_by_mpfr(format, value)));
  });
}

/// Whatever a 128-bit interval or a double-double enclosure decides is what the number rounds to; and unless
/// a midpoint lies within their reach, they decide.
TEST_P(EachFormat, OfInexactEnclosuresAgreesWithMpfrWhereItDecides) {
  const Format format = GetParam();
  rc::detail::checkGTest([format] {
    const Rational value = *rc::gen::oneOf(any_number(format), near_midpoint(format));
    const WorkingPrecision precision(128);
    const Interval interval = enclose(value);
    const Enclosure enclosure = enclosure_of(interval);
    const double truth = rounded_by_mpfr(format, value);
    for (const auto& ours : {rounded(format, interval), rounded(format, enclosure)}) {
      RC_ASSERT(!ours || identical(*ours, truth));
    }
  });
}

/// As long as the low part of the double-double is not subnormal itself.
TEST_P(EachFormat, DecidesRandomNumbersAtOnce) {
  const Format format = GetParam();
  rc::detail::checkGTest([format] {
    const Rational value = *any_number(format);
    RC_PRE(abs(value) > power_of_two(-900));
    const WorkingPrecision precision(192);
    RC_ASSERT(rounded(format, enclosure_of(enclose(value))).has_value());
  });
}

/// A hair beside a midpoint that binary64 cannot see: rounding to binary64 first would land on the midpoint
/// and round twice.
TEST_P(NarrowFormat, DoesNotRoundTwice) {
  const Format format = GetParam();
  rc::detail::checkGTest([format] {
    const double member = std::fabs(*any_signed_member(format));
    RC_PRE(member < traits(format).largest());
    const double midpoint = member + ulp_at(format, member) / 2;
    const double neighbour = next_up(format, member);
    const double hair = std::ldexp(midpoint, -*rc::gen::inRange(55, 100));
    const auto beside = [&](double distance, double radius) {
      return rounded(format, Enclosure{{midpoint, distance}, radius});
    };
    RC_ASSERT(beside(+hair, 0) == neighbour);
    RC_ASSERT(beside(-hair, 0) == member);
    RC_ASSERT(beside(+hair, hair / 2) == neighbour);
    RC_ASSERT(beside(-hair, hair / 2) == member);
    RC_ASSERT(beside(+hair, 2 * hair) == std::nullopt);
    RC_ASSERT(beside(-hair, 2 * hair) == std::nullopt);
  });
}

TEST(Straddling, AMidpointIsUndecidedAndOnlyThere) {
  const double midpoint = 1 + 0x1p-24;
  const Enclosure around{{midpoint, 0}, 0x1p-90};
  EXPECT_EQ(rounded(Format::binary32, around), std::nullopt);
  EXPECT_EQ(rounded(Format::binary64, around), midpoint);
  EXPECT_EQ(rounded(Format::binary16, around), 1);
  EXPECT_EQ(rounded(Format::binary32, hull(midpoint - 0x1p-50, midpoint + 0x1p-50)), std::nullopt);
  EXPECT_EQ(rounded(Format::binary64, hull(1, midpoint)), std::nullopt);
  EXPECT_EQ(rounded(Format::bfloat16, hull(1, midpoint)), 1);
  EXPECT_EQ(rounded(Format::binary32, hull(1, midpoint)), 1) << "the tie itself goes to the even neighbour";
}

TEST(Straddling, TheThresholdOfOverflowIsUndecided) {
  const double threshold = 65520;
  EXPECT_EQ(rounded(Format::binary16, Enclosure{{threshold, 0}, 0x1p-60}), std::nullopt);
  EXPECT_EQ(rounded(Format::binary16, Enclosure{{threshold, 0}, 0}), infinity);
  EXPECT_EQ(rounded(Format::binary16, Enclosure{{threshold, -0x1p-50}, 0x1p-60}), 65504);
  EXPECT_EQ(rounded(Format::binary16, hull(threshold, 1e300)), infinity);
}

/// A real zero has no sign, and a real number of either sign that is too small keeps its own.
TEST(SignOfZero, ARealZeroRoundsToPlusZero) {
  const Enclosure zero{};
  for (const Format format : computing_formats()) {
    EXPECT_TRUE(identical(rounded(format, zero).value(), 0.0));
    EXPECT_TRUE(identical(rounded(format, -zero).value(), 0.0));
    EXPECT_TRUE(identical(rounded(format, enclose(std::int64_t{0})).value(), 0.0));
    EXPECT_TRUE(identical(rounded(format, Interval(-enclose(std::int64_t{0}))).value(), 0.0));
    EXPECT_TRUE(identical(rounded(format, exact_interval(-power_of_two(-1200))).value(), -0.0));
    EXPECT_TRUE(identical(rounded(format, exact_interval(power_of_two(-1200))).value(), 0.0));
    EXPECT_EQ(rounded(format, Enclosure{{0, 0}, 0x1p-1074}), std::nullopt) << "either sign is possible";
  }
}

class Counted {
 public:
  explicit Counted(Rational value) : value_(std::move(value)) {}
  Real real() {
    return [this] {
      ++calls_;
      return enclose(value_);
    };
  }
  int calls() const { return calls_; }

 private:
  Rational value_;
  int calls_ = 0;
};

TEST(ZivLoop, SaysUndecidedOfAnEnclosureThatNeverShrinks) {
  int calls = 0;
  const Real stubborn = [&calls] {
    ++calls;
    return hull(0.25, 0.75);
  };
  for (const Format format : all_formats()) {
    calls = 0;
    EXPECT_EQ(correctly_rounded(format, stubborn), std::nullopt);
    EXPECT_EQ(calls, 6) << "128, 256, ... 4096 bits";
  }
}

TEST(ZivLoop, DecidesAnExactMidpointToEvenAtOnce) {
  Counted down(1 + power_of_two(-24));
  EXPECT_EQ(correctly_rounded(Format::binary32, down.real()), 1.0);
  EXPECT_EQ(down.calls(), 1);
  Counted up(1 + 3 * power_of_two(-24));
  EXPECT_EQ(correctly_rounded(Format::binary32, up.real()), 1 + 0x1p-22);
  EXPECT_EQ(up.calls(), 1);
}

TEST(ZivLoop, RaisesThePrecisionUntilItSeesTheDifference) {
  Counted above(1 + power_of_two(-24) + power_of_two(-3000));
  EXPECT_EQ(correctly_rounded(Format::binary32, above.real()), 1 + 0x1p-23);
  EXPECT_EQ(above.calls(), 6);
  Counted below(1 + 3 * power_of_two(-24) - power_of_two(-200));
  EXPECT_EQ(correctly_rounded(Format::binary32, below.real()), 1 + 0x1p-23);
  EXPECT_EQ(below.calls(), 2);
}

TEST(ZivLoop, SaysUndecidedPastItsCapAndDecidesIfTheCapIsRaised) {
  Counted close(1 + power_of_two(-24) + power_of_two(-9000));
  EXPECT_EQ(correctly_rounded(Format::binary32, close.real()), std::nullopt);
  EXPECT_EQ(correctly_rounded(Format::binary32, close.real(), 16384), 1 + 0x1p-23);
}

RC_GTEST_PROP(EnclosureOf, HoldsTheWholeInterval, ()) {
  const auto bits = *rc::gen::inRange<unsigned>(30, 400);
  const Rational value = *any_number(Format::binary32);
  const Rational width = abs(value) * power_of_two(-*rc::gen::inRange(1, 300));
  const WorkingPrecision precision(bits);
  const Interval interval = enclose(value) + hull(0, 1) * enclose(width);
  const Enclosure enclosure = enclosure_of(interval);
  RC_ASSERT(lies_within(interval, enclosure));
  const WorkingPrecision more(512);
  RC_ASSERT(lies_within(enclosure, interval_of(enclosure)));
}

RC_GTEST_PROP(TightEnclosure, IsTight, ()) {
  const Rational value = *any_number(Format::binary32);
  const Enclosure enclosure = tight_enclosure([&value] { return enclose(value); });
  RC_ASSERT(enclosure.radius <= 0x1p-100 * std::fabs(enclosure.middle.high));
  RC_ASSERT(abs(value - exact_value(enclosure.middle)) <= exact_rational(enclosure.radius));
}

/// A double-double of any shape near 2^exponent: low parts of every size, aligned, opposed or zero.
class RandomDoubleDoubles {
 public:
  DoubleDouble operator()(int exponent) {
    const double high = std::ldexp(significand(), exponent);
    const double half_ulp = ulp_at(Format::binary64, high) / 2;
    const double low =
        pick_(engine_) % 8 == 0 ? 0 : significand() / 2 * half_ulp * std::ldexp(1, -(pick_(engine_) % 4) * 5);
    return fast_two_sum(high, low);
  }
  int exponent() { return pick_(engine_) % 64 - 32; }

 private:
  /// In (-2, -1] or [1, 2), often next to a power of two: the worst cases of the bounds lie there.
  double significand() {
    const std::uint64_t random = engine_();
    const std::uint64_t kept = random % 4 == 0 ? random >> 32 : random;
    const double magnitude = 1 + std::ldexp(static_cast<double>(kept >> 12), -52);
    return random % 2 == 0 ? magnitude : -magnitude;
  }

  std::mt19937_64 engine_{test_seed()};
  std::uniform_int_distribution<int> pick_{0, 1 << 20};
};

/// The largest |computed - exact| / |exact| in units of u^2 over random operands, in exact rational
/// arithmetic.
double worst_relative_error(
    const std::function<std::pair<DoubleDouble, Rational>(DoubleDouble, DoubleDouble)>& operation) {
  RandomDoubleDoubles random;
  Rational worst = 0;
  for (int i = 0; i < 200000; ++i) {
    const auto exponent = random.exponent();
    const auto x = random(exponent);
    const auto y = random(exponent + random.exponent() / 16);
    const auto [computed, exact] = operation(x, y);
    if (exact == 0) {
      EXPECT_EQ(exact_value(computed), 0);
      continue;
    }
    worst = std::max(worst, Rational(abs(exact_value(computed) / exact - 1)));
  }
  return approximately(worst * power_of_two(106));
}

TEST(DoubleDoubleBound, OfTheSumHolds) {
  const double worst = worst_relative_error([](DoubleDouble x, DoubleDouble y) {
    return std::pair(x + y, Rational(exact_value(x) + exact_value(y)));
  });
  std::cout << "double-double sum: largest relative error seen " << worst << " u^2, bound 3 u^2 + 13 u^3\n";
  EXPECT_LE(worst, 3 + 13 * 0x1p-53);
  EXPECT_GT(worst, 1) << "inputs too easy to test the bound";
}

TEST(DoubleDoubleBound, OfTheProductHolds) {
  const double worst = worst_relative_error([](DoubleDouble x, DoubleDouble y) {
    return std::pair(x * y, Rational(exact_value(x) * exact_value(y)));
  });
  std::cout << "double-double product: largest relative error seen " << worst << " u^2, bound 5 u^2\n";
  EXPECT_LE(worst, 5);
  EXPECT_GT(worst, 2) << "inputs too easy to test the bound";
}

TEST(DoubleDoubleBound, ErrorFreeTransformationsAreExact) {
  RandomDoubleDoubles random;
  for (int i = 0; i < 50000; ++i) {
    const double a = random(random.exponent()).high;
    const double b = random(random.exponent()).high;
    ASSERT_EQ(exact_value(two_sum(a, b)), exact_rational(a) + exact_rational(b));
    ASSERT_EQ(exact_value(two_product(a, b)), exact_rational(a) * exact_rational(b));
  }
}

/// The product of two enclosures holds the products of all their corners, and so everything between.
/// The middle of two neighbouring numbers rounds to one of them: the functions must be let move from there to
/// both sides. Multiples of pi / 2 are where a one-sided spread shows.
TEST(SineCosine, HoldsTheValuesAtBothEnds) {
  for (int multiple = -40; multiple <= 40; ++multiple) {
    const auto narrowest = [multiple] {
      const WorkingPrecision precision(128);
      return Interval(multiple * (2 * atan(enclose(std::int64_t{1}))));
    }();
    const auto found = [&] {
      const WorkingPrecision precision(128);
      return sine_cosine(narrowest);
    }();
    const WorkingPrecision precision(300);
    for (const Rational& end : {lower_end(narrowest), upper_end(narrowest)}) {
      EXPECT_TRUE(lies_within(Interval(sin(enclose(end))), found.sine)) << multiple;
      EXPECT_TRUE(lies_within(Interval(cos(enclose(end))), found.cosine)) << multiple;
    }
  }
}

TEST(EnclosureProduct, OfOneIsTheOtherFactor) {
  const Enclosure three{{3, 0x1p-60}, 0x1p-120};
  for (const auto& product : {three * Enclosure{{1, 0}, 0}, Enclosure{{1, 0}, 0} * three}) {
    EXPECT_EQ(product.middle.high, 3);
    EXPECT_EQ(product.middle.low, 0x1p-60);
    EXPECT_EQ(product.radius, 0x1p-120);
  }
}

TEST(EnclosureProduct, HoldsEveryCorner) {
  RandomDoubleDoubles random;
  for (int i = 0; i < 20000; ++i) {
    const auto enclosure = [&] {
      const auto middle = random(random.exponent());
      return Enclosure{middle, i % 3 == 0 ? 0 : std::ldexp(std::fabs(middle.high), -90 - i % 25)};
    };
    const Enclosure x = enclosure();
    const Enclosure y = enclosure();
    const Enclosure product = x * y;
    for (const Rational& a : {lower_end(x), upper_end(x)}) {
      for (const Rational& b : {lower_end(y), upper_end(y)}) {
        ASSERT_LE(lower_end(product), a * b);
        ASSERT_GE(upper_end(product), a * b);
      }
    }
  }
}

}  // namespace
}  // namespace vernier
