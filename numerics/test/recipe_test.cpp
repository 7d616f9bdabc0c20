// The tables of recipes against the definition of an element: one phase, one function, each operation
// rounded.

#include "numerics/recipes/recipe.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <random>
#include <utility>

#include <gtest/gtest.h>

#include "numerics/tolerances/frequency_order.hpp"
#include "reference/schemes/rope.hpp"
#include "reference/schemes/sinusoidal.hpp"

namespace vernier {
namespace {

/// The sign of a zero and of a NaN count.
bool equal_bits(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

std::vector<double> phases_of(const PhaseRule& rule, int pairs, std::int64_t position) {
  const double rounded = rule.rounded(position);
  double phase = 0;
  std::vector<double> result;
  for (int pair = 0; pair < pairs; ++pair) {
    rule.advance(pair, {&rounded, 1}, {&phase, 1});
    result.push_back(phase);
  }
  return result;
}

/// A row, column by column.
std::vector<double> plain_row(const Recipe& recipe, const TrigTable& table, Format stored,
                              std::int64_t position) {
  const auto rule = recipe.prepare(table.frequencies);
  const auto phases = phases_of(rule, table.frequencies.pairs(), position);
  const double amplitude = round_to(recipe.compute(), approximately(table.amplitude));
  std::vector<double> row;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    const auto& [pair, component] = table.columns[c];
    const double phase = phases[static_cast<std::size_t>(pair)];
    const double value = component == Component::sine ? recipe_sine(recipe.compute(), phase)
                                                      : recipe_cosine(recipe.compute(), phase);
    const double scaled = amplitude == 1 ? value : multiply(recipe.compute(), amplitude, value);
    row.push_back(table.is_zero(position, c) ? 0 : round_to(stored, scaled));
  }
  return row;
}

/// Both components of a rotary encoding, some columns twice.
TrigTable repeating_table() {
  const RopeSpec spec{.head_dim = 24, .rope_theta = 500000};
  auto table = spec.table(Component::cosine);
  for (const auto component : {Component::sine, Component::cosine}) {
    const auto more = spec.table(component).columns;
    table.columns.insert(table.columns.end(), more.begin(), more.end());
  }
  return table;
}

std::vector<TrigTable> recipe_tables() {
  std::vector<TrigTable> result{repeating_table(), RopeSpec{.head_dim = 16}.table(Component::sine)};
  for (const auto& spec :
       {SinusoidalSpec{.d_model = 13, .padding_idx = 3},
        SinusoidalSpec{.d_model = 10, .frequency = SinusoidalSpec::FrequencyRule::tensor2tensor},
        SinusoidalSpec{.d_model = 9, .scale = Rational(7, 3)}}) {
    result.push_back(spec.table());
  }
  return result;
}

/// Ranges with steps of either sign, longer than what is computed at once; positions that several recipes
/// round to the same, that binary16 has not, and the padding position among them.
std::vector<PositionRange> ranges() {
  return {{0, 1, 100},
          {60, -1, 77},
          {-3, 0, 20},
          {2040, 1, 40},
          {65490, 1, 30},
          {(1 << 24) - 9, 1, 41},
          {largest_position, -37, 50},
          {5, 1, 1},
          {5, 1, 0}};
}

void expect_plain_rows(const Recipe& recipe, const TrigTable& table, Format stored) {
  const RecipeTable made(recipe, table, stored);
  for (const auto& range : ranges()) {
    const auto columns = made.columns();
    std::vector<double> rows(static_cast<std::size_t>(range.count) * columns, 99);
    std::vector<double> row(columns, 99);
    made.rows(range, rows);
    for (std::int64_t r = 0; r < range.count; ++r) {
      const auto plain = plain_row(recipe, table, stored, range.at(r));
      made.row(range.at(r), row);
      ASSERT_TRUE(std::ranges::equal(row, plain, equal_bits)) << recipe.id << ", position " << range.at(r);
      ASSERT_TRUE(std::ranges::equal(std::span(rows).subspan(static_cast<std::size_t>(r) * columns, columns),
                                     plain, equal_bits))
          << recipe.id << ", row " << r << ", position " << range.at(r);
    }
  }
}

TEST(RecipeTables, HoldWhatTheDefinitionOfAnElementGives) {
  for (const auto& recipe : every_recipe()) {
    for (const auto stored : storage_formats(recipe)) {
      for (const auto& table : recipe_tables()) {
        expect_plain_rows(recipe, table, stored);
      }
    }
  }
}

/// Sine and cosine of one argument, written so that the compiler takes them together ...
template <class Number>
std::pair<Number, Number> together(Number phase) {
  return {std::sin(phase), std::cos(phase)};
}

/// ... and apart, by calls that it cannot see into.
template <class Number>
std::pair<Number, Number> apart(Number phase) {
  Number (*volatile sine)(Number) = std::sin;
  Number (*volatile cosine)(Number) = std::cos;
  return {sine(phase), cosine(phase)};
}

template <class Number>
bool same_apart_and_together(Number phase) {
  const auto [s, c] = together(phase);
  const auto [sine, cosine] = apart(phase);
  return equal_bits(static_cast<double>(s), static_cast<double>(sine)) &&
         equal_bits(static_cast<double>(c), static_cast<double>(cosine));
}

/// Every 4099th bit pattern of float32 (4099 is prime), infinities and NaN included.
TEST(CLibrary, SineAndCosineTakenTogetherAreThoseTakenApartInFloat32) {
  for (std::uint64_t bits = 0; bits < std::uint64_t{1} << 32; bits += 4099) {
    const auto phase = std::bit_cast<float>(static_cast<std::uint32_t>(bits));
    ASSERT_TRUE(same_apart_and_together(phase)) << std::hexfloat << phase;
  }
}

/// A million doubles: phases of tables, and any bit patterns.
TEST(CLibrary, SineAndCosineTakenTogetherAreThoseTakenApartInFloat64) {
  std::mt19937_64 random(20);
  std::uniform_real_distribution<double> exponent(-40, 32);
  for (int i = 0; i < 500000; ++i) {
    const double phase = std::exp2(exponent(random));
    ASSERT_TRUE(same_apart_and_together(phase)) << std::hexfloat << phase;
    ASSERT_TRUE(same_apart_and_together(-phase)) << std::hexfloat << phase;
    const auto any = std::bit_cast<double>(random());
    ASSERT_TRUE(same_apart_and_together(any)) << std::hexfloat << any;
  }
}

/// The phase as a program elsewhere makes it from what the rule tells of itself.
double phase_from(const PhaseSeeds& seeds, const Recipe& recipe, bool is_recursive, std::int64_t position,
                  int pair) {
  const auto format = recipe.compute();
  const auto at = static_cast<std::size_t>(pair);
  double phase = round_to(format, round_to(seeds.positions, static_cast<double>(position)));
  if (!is_recursive) {
    return multiply(format, phase, seeds.factors[at]);
  }
  for (int i = 0; i < pair; ++i) {
    phase = multiply(format, phase, seeds.factors.front());
  }
  return seeds.divisors.empty() ? phase : round_to(format, phase / seeds.divisors[at]);
}

TEST(Recipe, TellsWhatItsPhasesAreMadeFrom) {
  const std::array specs{RopeSpec{.head_dim = 16},
                         RopeSpec{.head_dim = 16, .rope_theta = 500000, .scaling = LinearScaling{4}}};
  for (const auto& spec : specs) {
    const auto table = spec.table(Component::cosine);
    for (const auto& recipe : every_recipe()) {
      const auto rule = recipe.prepare(table.frequencies);
      const auto& seeds = rule.seeds();
      for (const std::int64_t position : {0, 1, 257, 2051, 70001, 16777219, -5}) {
        for (int pair = 0; pair < table.frequencies.pairs(); ++pair) {
          const double phase = used_phase(rule, position, pair);
          ASSERT_TRUE(equal_bits(phase, phase_from(seeds, recipe, rule.is_recursive(), position, pair)))
              << recipe.id << ", position " << position << ", pair " << pair;
          const RecipeTable computed(recipe, table, recipe.compute());
          std::vector<double> row(computed.columns());
          computed.row(position, row);
          ASSERT_TRUE(
              equal_bits(computed.element(Component::cosine, phase), row[static_cast<std::size_t>(pair)]));
        }
      }
    }
  }
}

/// One radian: Abramowitz and Stegun, table 4.6.
TEST(Recipe, RoundsComponentsCorrectlyWhereAsked) {
  const auto at = [](Component component, Format format, double phase) {
    return *rounded_component(component, format, phase);
  };
  EXPECT_EQ(at(Component::sine, Format::binary64, 1), 0x1.aed548f090ceep-1);
  EXPECT_EQ(at(Component::sine, Format::binary32, 1), static_cast<double>(0.84147098F));
  EXPECT_EQ(at(Component::cosine, Format::bfloat16, 1), 0x1.14p-1);
  EXPECT_EQ(at(Component::cosine, Format::binary32, 0), 1);
  EXPECT_TRUE(equal_bits(at(Component::sine, Format::binary32, -0.0), -0.0));
  EXPECT_TRUE(std::isnan(at(Component::sine, Format::binary16, HUGE_VAL)));
}

/// The C library's functions are never more than a step away from the ones that are rounded correctly.
TEST(Recipe, ComputesComponentsNearTheCorrectOnes) {
  std::mt19937_64 random(11);
  for (int i = 0; i < 2000; ++i) {
    const double phase = round_to(Format::binary32, std::ldexp(static_cast<double>(random() >> 40), -16));
    for (const auto format : {Format::binary64, Format::binary32}) {
      const double correct = *rounded_component(Component::sine, format, phase);
      const double got = recipe_sine(format, phase);
      ASSERT_TRUE(got == correct || got == next_up(format, correct) || got == next_down(format, correct))
          << phase;
    }
  }
}

}  // namespace
}  // namespace vernier
