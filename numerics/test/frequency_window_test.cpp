// One frequency a pair: honest recipes keep it with room to spare, and what budgets of single elements hide
// does not.

#include "numerics/identification/frequency_window.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iostream>
#include <numbers>
#include <random>

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "numerics/recipes/recipe_registry.hpp"
#include "numerics/test/made_tensors.hpp"
#include "numerics/test/viewed_tensors.hpp"
#include "reference/schemes/sinusoidal.hpp"
#include "reference/test/parsed.hpp"

namespace vernier {
namespace {

const RopeSpec llama3_rope{.head_dim = 128, .rope_theta = 500000};

/// cos and sin of a spec where a function gives the phase, in double, of a position and a pair.
using Phase = std::function<double(std::int64_t position, int pair)>;
std::vector<TableTensor> tables_by(const RopeSpec& spec, Format stored,
                                   std::span<const std::int64_t> positions, const Phase& phase) {
  std::vector<TableTensor> tables;
  for (const auto component : {Component::cosine, Component::sine}) {
    const auto table = spec.table(component);
    std::vector<double> values;
    for (const auto position : positions) {
      for (const auto& column : table.columns) {
        const double f = phase(position, column.pair);
        values.push_back(round_to(stored, component == Component::cosine ? std::cos(f) : std::sin(f)));
      }
    }
    tables.push_back({table, tensor_of(stored, {positions.size(), table.columns.size()}, values),
                      contract_named("float32")});
  }
  return tables;
}

/// The float32 product of position and frequency.
Phase float32_product(const RopeSpec& spec) {
  std::vector<float> frequencies;
  for (int pair = 0; pair < spec.pairs(); ++pair) {
    frequencies.push_back(static_cast<float>(spec.frequencies().approximate(pair)));
  }
  return [frequencies](std::int64_t position, int pair) {
    return static_cast<double>(static_cast<float>(position) * frequencies[static_cast<std::size_t>(pair)]);
  };
}

bool within_budget(const std::vector<TableTensor>& tables, std::span<const std::int64_t> positions) {
  return std::ranges::all_of(tables, [&](const TableTensor& tensor) {
    return audit_tensor(tensor, tensor.table.sines, positions).failing == 0;
  });
}

OneFrequencyReport judged(std::span<const TableTensor> tables, std::span<const std::int64_t> positions) {
  return audit_one_frequency(*deviation_rows(tables, positions), true);
}

/// The same rows, all of which are visited.
class AllRows final : public DeviationRows {
 public:
  explicit AllRows(const DeviationRows& rows) : rows_(rows) {}
  std::size_t rows() const override { return rows_.rows(); }
  int pairs() const override { return rows_.pairs(); }
  double frequency_error(int pair) const override { return rows_.frequency_error(pair); }
  void visit(std::size_t row, const Visit& visit) const override { rows_.visit(row, visit); }

 private:
  const DeviationRows& rows_;
};

void expect_same_bound(const FrequencyWindow::Bound& one, const FrequencyWindow::Bound& other) {
  EXPECT_EQ(one.value, other.value);
  ASSERT_EQ(one.row.has_value(), other.row.has_value());
  EXPECT_TRUE(!one.row || one.row->row == other.row->row);
}

/// The share of the frequency's allowance that is left when all rows have had their say.
double narrowest_share(const OneFrequencyReport& report, const DeviationRows& rows) {
  double least = 1;
  for (int pair = 0; pair < rows.pairs(); ++pair) {
    const auto& window = report.windows[static_cast<std::size_t>(pair)];
    if (rows.frequency_error(pair) > 0) {
      least = std::min(least, (window.greatest.value - window.least.value) / 2 / rows.frequency_error(pair));
    }
  }
  return least;
}

TEST(PhaseDeviation, HoldsTheTrueDeviationOfNoisyComponents) {
  std::mt19937_64 random(1);
  const auto uniform = [&](double least, double greatest) {
    return std::uniform_real_distribution<double>(least, greatest)(random);
  };
  for (int i = 0; i < 20000; ++i) {
    const double m = std::exp2(uniform(-3, 3));
    const double b = m * std::exp2(uniform(-50, -4));
    const double a = m * std::exp2(uniform(-50, -4));
    const double g = uniform(-10, 10);
    const double x = uniform(-1, 1) * std::exp2(uniform(-30, 0));
    const double c = m * std::cos(g + x) + uniform(-b, b);
    const double s = m * std::sin(g + x) + uniform(-a, a);
    const auto both = phase_deviation({std::cos(g), std::sin(g)}, c, b, s, a, m);
    EXPECT_TRUE(both.contains(x)) << both.least << " " << x << " " << both.greatest;
    const double reduced = std::remainder(g, 2 * std::numbers::pi);
    const auto one = phase_deviation_of_one(reduced, c, b, m, 1.25);
    EXPECT_TRUE(one.contains(x)) << one.least << " " << x << " " << one.greatest;
  }
}

TEST(PhaseDeviation, SaysWhatIsFarAwayAndWhatIsTooCoarse) {
  EXPECT_TRUE(phase_deviation({1, 0}, -1, 0x1p-24, 0, 0x1p-24, 1).empty());
  EXPECT_TRUE(phase_deviation({1, 0}, 0, 0.5, 0.1, 0.5, 1).contains(3));
  EXPECT_TRUE(phase_deviation_of_one(0, 1.5, 0.25, 1, 1).empty());
}

TEST(UnitVectors, AreGoodToTheirBoundAtAnyPosition) {
  const DoubleDouble third = tight_enclosure([] { return enclose(Rational(1, 3)); }).middle;
  for (const std::int64_t position :
       {std::int64_t{0}, std::int64_t{1}, std::int64_t{131071}, std::int64_t{-77777777}, largest_position}) {
    const auto truth = [&](Component component) {
      return tight_enclosure([&] {
        return TrigTable{"", ListedFrequencies{{Rational(1, 3)}}, 1, {{0, component}}, {}}.entry(position,
                                                                                                 0)();
      });
    };
    const auto at = unit_vector(position, third);
    EXPECT_LE(std::fabs((truth(Component::cosine).middle - DoubleDouble{at.cosine, 0}).high), 0x1p-51)
        << position;
    EXPECT_LE(std::fabs((truth(Component::sine).middle - DoubleDouble{at.sine, 0}).high), 0x1p-51)
        << position;
  }
}

TEST(OneFrequency, EveryRecipeKeepsItInEveryFormatAndLeavesRoom) {
  std::vector<std::int64_t> positions = positions_from(-40, 1200);
  for (std::int64_t p = 1300; p < 131072; p += 1297) {
    positions.push_back(p);
  }
  for (const auto& recipe : recipes()) {
    if (recipe.narrowed() || recipe.compute() == Format::binary16 || recipe.compute() == Format::bfloat16) {
      continue;  // far out nothing can be said of their phases
    }
    for (const auto stored : storage_formats(recipe)) {
      std::vector<TableTensor> tables;
      for (const auto component : {Component::cosine, Component::sine}) {
        const auto table = llama3_rope.table(component);
        tables.push_back({table,
                          tensor_of(stored, {positions.size(), table.columns.size()},
                                    values_of(RecipeTable(recipe, table, stored), positions)),
                          contract_named(recipe.contract)});
      }
      const auto rows = deviation_rows(tables, positions);
      const auto report = audit_one_frequency(*rows, true);
      EXPECT_FALSE(report.first) << recipe.id << " stored as " << traits(stored).name;
      EXPECT_EQ(report.judged, report.elements) << recipe.id;
      std::cout << recipe.id << " stored as " << traits(stored).name << ": at least "
                << narrowest_share(report, *rows) << " of the frequency's allowance is left\n";
      // Each component alone, of which only one is seen.
      for (const auto& tensor : tables) {
        EXPECT_FALSE(judged(std::span(&tensor, 1), positions).first)
            << recipe.id << " " << tensor.role() << " stored as " << traits(stored).name;
      }
    }
  }
}

TEST(OneFrequency, OneRowThatItsBudgetExcusesIsFound) {
  const auto positions = positions_from(100000, 4096);
  const auto honest = float32_product(llama3_rope);
  // The budget of a single phase: (r + u) p w = 0.023 radians here.
  for (const double turned : {0.018, -0.018}) {
    const auto tables = tables_by(llama3_rope, Format::binary32, positions, [&](std::int64_t p, int pair) {
      return honest(p, pair) + (p == 101234 && pair == 1 ? turned : 0);
    });
    EXPECT_TRUE(within_budget(tables, positions)) << "this is what the audit is for";
    const auto report = judged(tables, positions);
    ASSERT_TRUE(report.first) << turned;
    EXPECT_EQ(report.first->pair, 1);
    EXPECT_EQ(report.first->odd_row.position, 101234);
    EXPECT_EQ(report.failing, 1U);
  }
}

TEST(OneFrequency, NoiseOfHalfABudgetIsFoundInEveryFormat) {
  const auto positions = positions_from(60000, 2048);
  const auto honest = float32_product(llama3_rope);
  const auto model = contract_named("float32")->bind(llama3_rope.table(Component::cosine), Format::binary32);
  const auto noisy = [&](std::int64_t p, int pair) {
    const double sign = (p * 2654435761LL >> 7) % 2 == 0 ? 1 : -1;
    return honest(p, pair) + sign * 0.55 * model.phase_error(p, pair);
  };
  for (const auto stored : {Format::binary32, Format::binary16, Format::bfloat16}) {
    const auto tables = tables_by(llama3_rope, stored, positions, noisy);
    EXPECT_TRUE(within_budget(tables, positions)) << traits(stored).name;
    EXPECT_TRUE(judged(tables, positions).first) << traits(stored).name;
    EXPECT_TRUE(judged(std::span(tables).first(1), positions).first)
        << traits(stored).name << ", cosines alone";
  }
}

TEST(OneFrequency, AFrequencyThatIsOffThroughoutIsTheBudgetsBusiness) {
  const auto positions = positions_from(0, 4096);
  const auto frequencies = llama3_rope.frequencies();
  // 2u and a rounding are within the r of every pair, which is 3u at least.
  const auto tables = tables_by(llama3_rope, Format::binary32, positions, [&](std::int64_t p, int pair) {
    const float w = static_cast<float>(frequencies.approximate(pair) * (pair == 0 ? 1 : 1 + 0x1p-23));
    return static_cast<double>(static_cast<float>(p) * w);
  });
  EXPECT_FALSE(judged(tables, positions).first) << "within r";
  const auto wrong_base = tables_by({.head_dim = 128, .rope_theta = 10000}, Format::binary32, positions,
                                    float32_product({.head_dim = 128, .rope_theta = 10000}));
  std::vector<TableTensor> declared_otherwise;
  for (const auto& tensor : wrong_base) {
    declared_otherwise.push_back(
        {llama3_rope.table(tensor.table.sines.columns.front().component), tensor.tensor, tensor.contract});
  }
  const auto rows = deviation_rows(declared_otherwise, positions);
  const auto left_out = audit_one_frequency(*rows, false);
  EXPECT_GT(left_out.left_out, left_out.judged) << "other checks fail these";
}

TEST(OneFrequency, ATurnedVectorIsFoundInEitherDirection) {
  for (const auto direction : {RopeSpec::Direction::counterclockwise, RopeSpec::Direction::clockwise}) {
    const RopeSpec spec{.head_dim = 64, .rope_theta = 500000, .direction = direction};
    const auto& recipe = *std::ranges::find(recipes(), "float32-pow", &Recipe::id);
    const RecipeRotation rotation(recipe, spec, Format::binary32);
    const auto positions = positions_from(120000, 512);
    std::mt19937_64 random(3);
    std::vector<double> input;
    for (std::size_t i = 0; i < positions.size() * 64; ++i) {
      input.push_back(std::ldexp(static_cast<double>(random() % (1 << 24)), -23) - 1);
    }
    std::vector<double> output(input.size());
    for (std::size_t r = 0; r < positions.size(); ++r) {
      rotation.rotate(positions[r], std::span(input).subspan(r * 64, 64),
                      std::span(output).subspan(r * 64, 64));
    }
    const auto tensor = [&](const std::vector<double>& values) {
      return tensor_of(Format::binary32, {positions.size(), 64}, values);
    };
    RotatedTensor subject{spec.rotation(),           tensor(input), tensor(output),
                          contract_named("float32"), positions,     {}};
    EXPECT_FALSE(audit_one_frequency(*deviation_rows(subject), true).first);
    // The pair 1, dimensions 1 and 33, of row 300 turned further by 0.02.
    const auto a = output[300 * 64 + 1];
    const auto b = output[300 * 64 + 33];
    output[300 * 64 + 1] = round_to(Format::binary32, a * std::cos(0.02) - b * std::sin(0.02));
    output[300 * 64 + 33] = round_to(Format::binary32, a * std::sin(0.02) + b * std::cos(0.02));
    subject.rotated = tensor(output);
    EXPECT_EQ(audit_rotated(subject).elements.failing, 0U) << "this is what the audit is for";
    const auto report = audit_one_frequency(*deviation_rows(subject), true);
    ASSERT_TRUE(report.first);
    EXPECT_EQ(report.first->odd_row.row, 300U);
    EXPECT_EQ(report.first->pair, 1);
  }
}

TEST(OneFrequency, WhatIsLeftOutTellsNothing) {
  auto positions = positions_from(-40, 3000);
  for (std::int64_t far = 1 << 17; far <= std::int64_t{1} << 31; far *= 2) {
    positions.push_back(far);
  }
  const auto honest = float32_product(llama3_rope);
  const std::vector<Phase> phases{
      honest,
      [&](std::int64_t position, int pair) {  // one pair of few rows is off
        return honest(position, pair) + (pair == 7 && position % 97 == 5 ? 2e-6 : 0);
      },
      [&](std::int64_t position, int pair) {  // and by all that there is
        return position % 61 == 3 ? std::nan("") : honest(position, pair) * (position % 7 == 0 ? -1 : 1);
      }};
  for (const auto stored : {Format::binary32, Format::bfloat16}) {
    for (const auto& phase : phases) {
      const auto tables = tables_by(llama3_rope, stored, positions, phase);
      const auto rows = deviation_rows(tables, positions);
      for (const bool beyond_counts : {false, true}) {
        const auto some = audit_one_frequency(*rows, beyond_counts);
        const auto all = audit_one_frequency(AllRows(*rows), beyond_counts);
        EXPECT_EQ(some.elements, all.elements);
        EXPECT_EQ(some.left_out, all.left_out);
        EXPECT_EQ(some.judged, all.judged);
        EXPECT_EQ(some.failing, all.failing);
        EXPECT_EQ(some.inconclusive, all.inconclusive);
        for (std::size_t pair = 0; pair < some.windows.size(); ++pair) {
          expect_same_bound(some.windows[pair].least, all.windows[pair].least);
          expect_same_bound(some.windows[pair].greatest, all.windows[pair].greatest);
        }
      }
    }
  }
}

/// (t f) 2 pi of float32 rounds twice, which bounds that are multiples of pi ask for as frequency_scale does.
TEST(OneFrequency, HoldsOfPhasesThatAreMultipliedByPiLast) {
  const auto positions = positions_from(0, 1001);
  for (const auto* bounds :
       {R"("frequency": "linear", "first": "2pi", "last": "32pi")",
        R"("frequency": "geometric", "first": "pi", "last": "20000pi")", R"("frequency_scale": "2pi")"}) {
    const auto encoding =
        parsed(fmt::format(R"({{"scheme": "sinusoidal", "d_model": 32, "layout": "halves", {}}})", bounds));
    const auto table = encoding->all<TurnedTable>().at(0).sines;
    std::vector<double> values;
    for (const auto position : positions) {
      for (const auto& column : table.columns) {
        const auto turns =
            static_cast<float>(table.frequencies.approximate(column.pair) / (2 * std::numbers::pi));
        const double phase = static_cast<float>(position) * turns * (2 * std::numbers::pi_v<float>);
        values.push_back(column.component == Component::cosine ? std::cos(phase) : std::sin(phase));
      }
    }
    const std::vector<TableTensor> tables{
        {table, tensor_of(Format::binary32, {positions.size(), table.columns.size()}, values),
         contract_named("float32")}};
    const auto report = judged(tables, positions);
    EXPECT_TRUE(within_budget(tables, positions)) << bounds;
    EXPECT_EQ(report.failing, 0U) << bounds;
  }
}

}  // namespace
}  // namespace vernier
