// The decay integrals: functional equations, the field's printed figures, and the zeros.

#include <array>
#include <stdexcept>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "reference/decay/dot_products.hpp"
#include "reference/decay/oscillatory_integral.hpp"
#include "reference/decay/theta_family.hpp"
#include "reference/schemes/sinusoidal.hpp"
#include "reference/test/exact.hpp"
#include "reference/test/rounds_to.hpp"

namespace vernier {
namespace {

constexpr unsigned decay_bits = 128;

bool may_be_equal(const Interval& a, const Interval& b) {
  return contains_zero(Interval(a - b));
}

using Printed = std::pair<Rational, std::string>;

/// The mean cosine of 10000^-t, as printed by others (mpmath).
TEST(Decay, PrintedValuesOfTheExponentialFamily) {
  const WorkingPrecision precision(decay_bits);
  const auto family = exponential_family(10000);
  const std::array<Printed, 19> printed{{{0, "1"},
                                         {1, "0.9739627712"},
                                         {2, "0.9079966676"},
                                         {10, "0.682394263104481"},
                                         {32, "0.5628217827"},
                                         {64, "0.4873353819"},
                                         {100, "0.4367732932"},
                                         {128, "0.4111476824"},
                                         {256, "0.3348637014"},
                                         {512, "0.2601005375"},
                                         {1000, "0.1876906425"},
                                         {1024, "0.1850221999"},
                                         {2000, "0.1132065336"},
                                         {5000, "0.01928120701"},
                                         {8192, "-0.0233167"},
                                         {10000, "-0.0366364826"},
                                         {15708, "-0.0512466"},
                                         {100000, "0.00493541"},
                                         {1000000, "0.000558989"}}};
  for (const auto& [x, decimal] : printed) {
    EXPECT_TRUE(rounds_to(family.mean_cosine(enclose(x)), decimal)) << x;
    EXPECT_LT(radius(family.mean_cosine(enclose(x))), 0x1p-100) << x;
  }
  EXPECT_TRUE(rounds_to(family.mean_rotation(enclose(std::int64_t{10})).imaginary, "0.179944228697254"));
}

/// On both sides of the change from series to expansion, which lies between 90 and 120 at 128 bits, an
/// evaluation at twice the precision uses the other one: they overlap, and both are narrow.
TEST(Decay, SeriesAndExpansionAgree) {
  for (const std::int64_t x : {0, 1, 7, 60, 90, 101, 110, 120, 150, 200, 1000}) {
    for (const Rational& s : {Rational(1, 2), Rational(1), Rational(2), Rational(5, 7), Rational(7, 3)}) {
      const auto at = [&](unsigned bits) {
        const WorkingPrecision precision(bits);
        return scaled_lower_integral(s, enclose(x));
      };
      const auto narrow = at(128);
      const auto narrower = at(300);
      const WorkingPrecision precision(300);
      EXPECT_TRUE(may_be_equal(narrow.real, narrower.real)) << "s " << s << ", x " << x;
      EXPECT_TRUE(may_be_equal(narrow.imaginary, narrower.imaginary)) << "s " << s << ", x " << x;
      EXPECT_LT(radius(narrow.real), 0x1p-115) << "s " << s << ", x " << x;
      EXPECT_LT(radius(narrower.imaginary), 0x1p-280) << "s " << s << ", x " << x;
    }
    const auto entire = [&](unsigned bits) {
      const WorkingPrecision precision(bits);
      return entire_exponential_integral(enclose(x));
    };
    const auto narrow = entire(128);
    const auto narrower = entire(300);
    const WorkingPrecision precision(300);
    EXPECT_TRUE(may_be_equal(narrow.real, narrower.real)) << x;
    EXPECT_TRUE(may_be_equal(narrow.imaginary, narrower.imaginary)) << x;
    EXPECT_LT(radius(narrow.real), 0x1p-115) << x;
  }
}

/// theta = t gives (sin x + i (1 - cos x)) / x, and theta = sqrt t twice sin x / x + (cos x - 1) / x^2.
TEST(Decay, ClosedFormsOfPowerFamilies) {
  const WorkingPrecision precision(decay_bits);
  const auto linear = power_family(1);
  const auto root = power_family(Rational(1, 2));
  for (const std::int64_t number : {1, 3, 50, 99, 130, 10000, 1000000}) {
    const Interval x = enclose(number);
    const auto mean = linear.mean_rotation(x);
    EXPECT_TRUE(may_be_equal(mean.real, Interval(sin(x) / x))) << number;
    EXPECT_TRUE(may_be_equal(mean.imaginary, Interval((1 - cos(x)) / x))) << number;
    const Interval closed = 2 * (sin(x) / x + (cos(x) - 1) / (x * x));
    EXPECT_TRUE(may_be_equal(root.mean_cosine(x), closed)) << number;
    EXPECT_LT(radius(root.mean_cosine(x)), 0x1p-110) << number;
  }
}

/// A wide argument gives all values over it.
TEST(Decay, IntervalsOfArgumentsContainTheValuesOverThem) {
  const WorkingPrecision precision(decay_bits);
  for (const auto& family : {exponential_family(10000), power_family(2)}) {
    for (const double x : {0.5, 40.0, 500.0, 20000.0}) {
      const auto wide = family.mean_rotation(hull(x, x + 0.25));
      const auto slope = family.slope(hull(x, x + 0.25));
      for (const double inside : {x, x + 0.1, x + 0.25}) {
        const auto value = family.mean_rotation(enclose(inside));
        EXPECT_TRUE(lies_within(value.real, wide.real)) << family.name << " at " << inside;
        EXPECT_TRUE(lies_within(value.imaginary, wide.imaginary)) << family.name << " at " << inside;
        EXPECT_TRUE(lies_within(family.slope(enclose(inside)), slope)) << family.name << " at " << inside;
      }
      const Interval chord = (family.mean_cosine(enclose(x + 0.25)) - family.mean_cosine(enclose(x))) / 0.25;
      EXPECT_TRUE(may_be_equal(chord, slope)) << family.name << " at " << x;
    }
  }
}

void expect_zeros(const SmoothFunction& f, double from, double to, const std::vector<std::string>& printed) {
  const auto found = zeros(f, from, to);
  ASSERT_EQ(found.size(), printed.size());
  for (std::size_t i = 0; i < printed.size(); ++i) {
    EXPECT_TRUE(rounds_to(found[i].enclosure(), printed[i]));
  }
}

/// All zeros in the range, each proved. None is below 1: cos(x theta) >= cos 1 there.
TEST(Decay, Zeros) {
  const WorkingPrecision precision(decay_bits);
  expect_zeros(decay_of(exponential_family(10000)), 1, 1e5,
               {"6166.02848472875", "33841.5178", "64269.5570", "95254.754"});
  expect_zeros(decay_of(exponential_family(1000)), 1, 7000, {"617.661568406", "3385.20", "6426.04"});
  expect_zeros(decay_of(power_family(1)), 1, 10, {"3.14159265359", "6.28318530718", "9.42477796077"});
  expect_zeros(decay_of(power_family(Rational(1, 2))), 1, 5, {"2.33112237041"});
  expect_zeros(decay_of(power_family(2)), 1, 1e4, {});
}

/// A zero that is none, and one that is twice one, are not made up.
TEST(Decay, ZerosOfAParabola) {
  const WorkingPrecision precision(decay_bits);
  const auto parabola = [](double offset) {
    return SmoothFunction{
        [offset](const Interval& x) { return Interval((x - 1) * (x - 1) + enclose(offset)); },
        [](const Interval& x) { return Interval(2 * (x - 1)); }};
  };
  EXPECT_TRUE(zeros(parabola(1e-6), 0.25, 3).empty());
  EXPECT_EQ(zeros(parabola(-1e-6), 0.25, 3).size(), 2U);
  EXPECT_THROW(zeros(parabola(0), 0.3, 3), std::runtime_error);
}

/// The fast products lie within their bound of the enclosures, also far out.
TEST(DotProducts, KeepTheirBound) {
  const WorkingPrecision precision(decay_bits);
  for (const std::int64_t d : {2, 6, 64, 514}) {
    const auto frequencies = SinusoidalSpec{.d_model = d}.frequencies();
    for (const std::int64_t first : {0, 1, 1000000}) {
      const auto products = dot_products(frequencies, first, 300);
      ASSERT_EQ(products.size(), 300U);
      for (std::size_t i = 0; i < products.size(); i += 23) {
        const Interval exact = dot_product(frequencies, first + static_cast<std::int64_t>(i));
        const double error = greatest_magnitude(Interval(exact - enclose(products[i])));
        EXPECT_LE(error, dot_product_error(frequencies.pairs)) << d << ", k = " << first << " + " << i;
      }
    }
  }
}

/// cos w and cos 2w meet at w = 2 pi/3, and so do the separations 2 sin(w/2) and 2 sin w: next to it the fast
/// products tell neither, and at it no enclosure of 128 bits does.
TEST(RecordOffsets, AreDecidedByEnclosuresWhereProductsAreNot) {
  const auto third_of_turn = [] {
    const WorkingPrecision precision(300);
    return lower_end(Interval(2 * pi() / 3));
  }();
  const auto records = [](const Rational& w, unsigned bits) {
    const WorkingPrecision precision(bits);
    return record_offsets({.base = w, .step = 1, .pairs = 1, .offset = 1}, 2);
  };
  EXPECT_EQ(records(third_of_turn - power_of_two(-60), decay_bits), (std::vector<std::int64_t>{1}));
  EXPECT_EQ(records(third_of_turn + power_of_two(-60), decay_bits), (std::vector<std::int64_t>{1, 2}));
  EXPECT_THROW(records(third_of_turn, decay_bits), std::runtime_error);
  EXPECT_EQ(records(third_of_turn, 400), (std::vector<std::int64_t>{1}));
}

TEST(MeanSquare, IsThatOfTheDotProducts) {
  const WorkingPrecision precision(decay_bits);
  for (const std::int64_t d : {2, 4, 10}) {
    const auto frequencies = SinusoidalSpec{.d_model = d}.frequencies();
    Interval sum = enclose(std::int64_t{0});
    for (std::int64_t k = 91; k <= 140; ++k) {
      const Interval product = dot_product(frequencies, k);
      sum += product * product;
    }
    const Interval closed = mean_square_dot_product(frequencies, 91, 140);
    EXPECT_TRUE(may_be_equal(Interval(sum / 50), closed)) << d;
    EXPECT_LT(radius(closed), 0x1p-90) << d;
  }
}

/// The field's figure over 10^5 < k <= 4.2 10^6: 1 / sqrt d.
TEST(MeanSquare, OfThePaperIsTheWidthsInverse) {
  const WorkingPrecision precision(decay_bits);
  const std::array<std::pair<std::int64_t, std::string>, 8> printed{{{2, "0.70711"},
                                                                     {4, "0.50000"},
                                                                     {8, "0.35355"},
                                                                     {16, "0.25000"},
                                                                     {32, "0.17676"},
                                                                     {64, "0.12500"},
                                                                     {128, "0.08835"},
                                                                     {512, "0.04388"}}};
  for (const auto& [d, decimal] : printed) {
    const auto frequencies = SinusoidalSpec{.d_model = d}.frequencies();
    const Interval mean = mean_square_dot_product(frequencies, 100001, 4200000);
    EXPECT_TRUE(rounds_to(Interval(sqrt(mean) / frequencies.pairs), decimal)) << d;
  }
}

}  // namespace
}  // namespace vernier
