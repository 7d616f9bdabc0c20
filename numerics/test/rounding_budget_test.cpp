// What an element may be off by that is only rounded, against the definitions: the nearest numbers of the
// format, and the two that enclose the truth, found among all its numbers around.

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "numerics/budgets/budget.hpp"
#include "numerics/errors/metrics.hpp"
#include "reference/numbers/rational.hpp"
#include "reference/numbers/real.hpp"

namespace vernier {
namespace {

constexpr double nearest_rounding = 0.5;
constexpr double faithful_rounding = 1;

bool is_within(Format format, double ulps, double got, const Rational& truth) {
  const WorkingPrecision precision(ziv_first_precision);
  const auto enclosure = enclosure_of(enclose(truth));
  return std::fabs(signed_error(got, enclosure)) <= rounding_budget(format, ulps, got, enclosure);
}

/// A number of the format and some of its neighbours, in order.
std::vector<double> neighbourhood(Format format, double middle) {
  std::vector<double> result{middle};
  for (int steps = 0; steps < 3; ++steps) {
    result.insert(result.begin(), next_down(format, result.front()));
    result.push_back(next_up(format, result.back()));
  }
  std::erase_if(result, [](double value) { return !std::isfinite(value); });
  return result;
}

/// Powers of two, where gaps change, as often as others.
double drawn_number(Format format) {
  const auto& t = traits(format);
  // An enclosure holds what lies between the least numbers of all formats but its own.
  const bool is_double = format == Format::binary64;
  const int least = is_double ? -800 : t.emin - t.precision + 1;
  const double power = std::ldexp(1.0, *rc::gen::inRange(least, t.emax));
  const double digits = *rc::gen::element(1.0, 1.0, 1.25, 1.5);
  const double value = round_to(format, power * digits);
  return *rc::gen::element(value, -value, is_double ? 1.0 : 0.0);
}

RC_GTEST_PROP(RoundingBudget, IsWhatTheDefinitionsSay, ()) {
  const auto format = *rc::gen::elementOf(all_formats());
  const auto numbers = neighbourhood(format, drawn_number(format));
  const auto at = *rc::gen::inRange<std::size_t>(1, numbers.size() - 1);
  const Rational below = exact_rational(numbers[at - 1]);
  const Rational above = exact_rational(numbers[at]);
  // Ends, the middle, and what is close to each, as far as an enclosure tells them apart.
  const Rational share = *rc::gen::element(Rational(0), Rational(1), Rational(1, 2), Rational(1, 3),
                                           Rational(1, 1 << 20), Rational(1) - Rational(1, 1 << 20));
  const Rational truth = below + share * (above - below);
  Rational least = abs(exact_rational(numbers.front()) - truth);
  for (const double one : numbers) {
    least = std::min(least, Rational(abs(exact_rational(one) - truth)));
  }
  for (const double got : numbers) {
    const Rational value = exact_rational(got);
    RC_ASSERT(is_within(format, nearest_rounding, got, truth) == (abs(value - truth) == least));
    const bool encloses = share == 0   ? value == below
                          : share == 1 ? value == above
                                       : value == below || value == above;
    RC_ASSERT(is_within(format, faithful_rounding, got, truth) == encloses);
  }
}

TEST(RoundingBudget, TellsOneFromTheNumberBeforeIt) {
  for (const auto format : all_formats()) {
    const double before = next_down(format, 1);
    EXPECT_FALSE(is_within(format, nearest_rounding, before, 1));
    EXPECT_FALSE(is_within(format, faithful_rounding, before, 1));
    // A cosine just below 1 is nearest to 1, and lies between the two.
    const Rational cosine = 1 - exact_rational(0x1p-70);
    EXPECT_FALSE(is_within(format, nearest_rounding, before, cosine));
    EXPECT_TRUE(is_within(format, faithful_rounding, before, cosine));
  }
}

TEST(RoundingBudget, HasNoEndWhereTheTruthIsUnknown) {
  EXPECT_EQ(rounding_budget(Format::binary64, nearest_rounding, 1, {{infinity, 0}, 0}), infinity);
}

TEST(RoundingBudget, IsSmallHoweverFarTheElementIs) {
  for (const auto format : all_formats()) {
    EXPECT_FALSE(is_within(format, faithful_rounding, traits(format).largest(), 1));
    EXPECT_LE(
        rounding_budget(format, faithful_rounding, traits(format).largest(), {{0.75, 0x1p-80}, 0x1p-100}),
        ulp_at(format, 0.75));
  }
}

}  // namespace
}  // namespace vernier
