// The check of the trigonometry apart from the frequency, on honest tables and on broken ones that keep
// within their budgets.

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "numerics/test/made_tensors.hpp"
#include "numerics/tolerances/frequency_order.hpp"
#include "reference/schemes/encoding_of.hpp"
#include "reference/schemes/rope.hpp"
#include "reference/schemes/sinusoidal.hpp"
#include "reports/verdict/checks/checks.hpp"

namespace vernier {
namespace {

using testing::HasSubstr;
using testing::Not;

/// Positions as a model's whole context has them.
std::vector<std::int64_t> far_positions() {
  auto positions = positions_from(0, 300);
  std::mt19937_64 random(5);
  for (int i = 0; i < 400; ++i) {
    positions.push_back(static_cast<std::int64_t>(random() % 131072));
  }
  return positions;
}

Case made(std::unique_ptr<Encoding> encoding, const std::vector<TrigTable>& tables, Format stored,
          std::string_view contract, const std::function<std::vector<double>(const TrigTable&)>& values,
          const std::vector<std::int64_t>& positions = far_positions()) {
  Case result{"made", "a test", std::move(encoding), positions, {}, {}};
  for (const auto& table : tables) {
    result.tensors.all<TableTensor>().push_back(
        {table, tensor_of(stored, {result.positions.size(), table.columns.size()}, values(table)),
         contract_named(contract)});
  }
  return result;
}

/// RoPE's cos and sin, one column a pair, of which a function makes the elements.
using MakeElement = std::function<double(Component, std::int64_t position, float frequency)>;
Case rope_by(const RopeSpec& spec, Format stored, const std::vector<std::int64_t>& positions,
             const MakeElement& element) {
  return made(
      std::make_unique<RopeEncoding>(spec), {spec.table(Component::cosine), spec.table(Component::sine)},
      stored, "float32",
      [&](const TrigTable& table) {
        std::vector<double> values;
        for (const auto position : positions) {
          for (const auto& [pair, component] : table.columns) {
            const auto frequency = static_cast<float>(table.frequencies.approximate(pair));
            values.push_back(round_to(stored, element(component, position, frequency)));
          }
        }
        return values;
      },
      positions);
}

/// The same, where a function gives sine and cosine of the float32 phases.
using TrigFunction = std::function<double(Component, float phase)>;
Case rope_by(const RopeSpec& spec, Format stored, const TrigFunction& function) {
  return rope_by(spec, stored, far_positions(),
                 [&](Component component, std::int64_t position, float frequency) {
                   return function(component, static_cast<float>(position) * frequency);
                 });
}

double honest(Component component, double phase) {
  return component == Component::sine ? std::sin(phase) : std::cos(phase);
}

double reduced_by_a_rounded_two_pi(Component component, float phase) {
  constexpr float two_pi = 6.2831853F;
  return honest(component, static_cast<double>(phase - two_pi * std::rint(phase / two_pi)));
}

std::vector<Check> trigonometry_of(const Case& subject) {
  std::vector<Check> checks;
  judge_trigonometry(audited_case(subject, true), "trigonometry/<role>", checks);
  return checks;
}

bool is_accurate(const Case& subject) {
  return std::ranges::all_of(subject.tensors.all<TableTensor>(), [&](const TableTensor& tensor) {
    return audit_tensor(tensor, tensor.table.sines, subject.positions).failing == 0;
  });
}

const RopeSpec small_head{.head_dim = 24};

TEST(Trigonometry, PassesEveryRecipeInEveryFormat) {
  for (const auto& recipe : every_recipe()) {
    if (recipe.narrowed()) {
      continue;  // its contract is none of the narrower format's phases
    }
    // float16 has no positions beyond 65504.
    const auto positions = recipe.compute() == Format::binary16 ? positions_from(0, 2000) : far_positions();
    for (const auto stored : storage_formats(recipe)) {
      const SinusoidalEncoding encoding({.d_model = 24});
      const auto subject = made(
          std::make_unique<SinusoidalEncoding>(encoding.parameters()), encoding.plain_tables(), stored,
          recipe.contract,
          [&](const TrigTable& table) { return values_of(RecipeTable(recipe, table, stored), positions); },
          positions);
      const auto checks = trigonometry_of(subject);
      ASSERT_EQ(checks.size(), 1u);
      EXPECT_EQ(checks[0].status, Status::pass)
          << recipe.id << " stored as " << traits(stored).name << ": " << checks[0].reason;
      // Phases are products of numbers of float32, but where a pair's period is what it computes.
      const program::Declared declared(encoding.plain_tables().front().frequencies, recipe.id);
      const bool all = recipe.compute() == Format::binary32 &&
                       std::ranges::all_of(program::frequencies_of(recipe.program, declared),
                                           [](double w) { return is_member(Format::binary32, w); });
      EXPECT_EQ(checks[0].counts.judged == checks[0].counts.elements, all) << recipe.id << checks[0].reason;
    }
  }
}

TEST(Trigonometry, FailsAReductionByARoundedTwoPi) {
  for (const auto stored : {Format::binary32, Format::bfloat16, Format::binary16}) {
    const auto subject = rope_by(small_head, stored, reduced_by_a_rounded_two_pi);
    for (const auto& check : trigonometry_of(subject)) {
      EXPECT_EQ(check.status, Status::fail) << traits(stored).name << check.reason;
      if (stored == Format::binary32) {
        EXPECT_THAT(check.reason, HasSubstr("errors grow with the phase to the power "));
      }
      ASSERT_TRUE(check.worst);
      EXPECT_GT(check.worst->budget_ratio, 1);
    }
  }
}

TEST(Trigonometry, FailsAReductionThatTheBudgetsHide) {
  // No pair has frequency 1, so that every element has a budget that grows with its phase.
  const RopeSpec stretched{.head_dim = 24, .scaling = LinearScaling{3}};
  const auto subject = rope_by(stretched, Format::binary32, reduced_by_a_rounded_two_pi);
  EXPECT_TRUE(is_accurate(subject)) << "this is what the check is for";
  for (const auto& check : trigonometry_of(subject)) {
    EXPECT_EQ(check.status, Status::fail) << check.reason;
    EXPECT_THAT(check.reason, HasSubstr("reduced by one float32 value of 2 pi"));
  }
}

TEST(Trigonometry, SomeRowsMayRoundTheirPhasesOtherwise) {
  // The body of a vector loop rounds the products, and its tail does not; or the other way round.
  constexpr std::int64_t rows = 4096;
  for (const bool body_rounds : {true, false}) {
    const auto subject =
        rope_by(small_head, Format::binary32, positions_from(0, rows),
                [&](Component component, std::int64_t position, float frequency) {
                  const double phase = static_cast<double>(position) * static_cast<double>(frequency);
                  const bool rounds = (position < rows - 3) == body_rounds;
                  return honest(component, rounds ? static_cast<double>(static_cast<float>(phase)) : phase);
                });
    EXPECT_TRUE(is_accurate(subject));
    for (const auto& check : trigonometry_of(subject)) {
      EXPECT_EQ(check.status, Status::pass) << check.reason;
    }
  }
}

TEST(Trigonometry, PositionsMayBeMultipliedByTheReciprocalOfAFactor) {
  // So many rows that 768 of them at equal distances are multiples of 3, whose quotients and products agree.
  const RopeSpec stretched{.head_dim = 24, .scaling = LinearScaling{3}};
  const auto subject = rope_by(stretched, Format::binary32, positions_from(0, 3 * 767 + 1),
                               [](Component component, std::int64_t position, float frequency) {
                                 const float scaled = static_cast<float>(position) * (1 / 3.0F);
                                 return honest(component, static_cast<double>(scaled * (3 * frequency)));
                               });
  EXPECT_TRUE(is_accurate(subject));
  for (const auto& check : trigonometry_of(subject)) {
    EXPECT_EQ(check.status, Status::pass) << check.reason;
    EXPECT_THAT(check.reason, HasSubstr("multiplied by the reciprocal"));
  }
}

TEST(Trigonometry, FailsACoarseSineOfAnySize) {
  const auto coarse = [](Component component, float phase) {
    return honest(component, static_cast<double>(phase)) * (1 - 0x1p-20);
  };
  for (const auto& check : trigonometry_of(rope_by(small_head, Format::binary32, coarse))) {
    EXPECT_EQ(check.status, Status::fail) << check.reason;
  }
  const auto fine = [](Component component, float phase) {
    return honest(component, static_cast<double>(phase)) * (1 - 0x1p-23);
  };
  for (const auto& check : trigonometry_of(rope_by(small_head, Format::binary32, fine))) {
    EXPECT_EQ(check.status, Status::pass) << check.reason;
  }
}

TEST(Trigonometry, SeesAFaultAtAFewPhasesOnly) {
  const auto wrong_far_out = [](Component component, float phase) {
    return honest(component, static_cast<double>(phase)) + (phase > 120000 ? 1e-5 : 0);
  };
  for (const auto& check : trigonometry_of(rope_by(small_head, Format::binary32, wrong_far_out))) {
    EXPECT_EQ(check.status, Status::fail) << check.reason;
    EXPECT_GT(check.first_failing->position, 120000);
  }
}

TEST(Trigonometry, AWrongBaseIsNoFaultOfTheSine) {
  auto subject = rope_by({.head_dim = 24, .rope_theta = 500000}, Format::binary32,
                         [](Component c, float phase) { return honest(c, static_cast<double>(phase)); });
  for (auto& tensor : subject.tensors.all<TableTensor>()) {
    tensor.table = small_head.table(tensor.table.sines.columns.front().component);
  }
  ASSERT_FALSE(is_accurate(subject));
  for (const auto& check : trigonometry_of(subject)) {
    EXPECT_EQ(check.status, Status::pass) << check.reason;
    ASSERT_TRUE(check.split);
    EXPECT_EQ(check.split->stages.front().stage, "frequency");
    EXPECT_NEAR(check.split->stages.front().share, 1, 1e-3);
  }
}

TEST(Trigonometry, PositionsThatAreOffSayNothingOfTheSine) {
  auto subject = rope_by(small_head, Format::binary32,
                         [](Component c, float phase) { return honest(c, static_cast<double>(phase)); });
  for (auto& position : subject.positions) {
    position += 1;
  }
  for (const auto& check : trigonometry_of(subject)) {
    EXPECT_EQ(check.status, Status::skipped) << check.reason;
    EXPECT_THAT(check.reason, HasSubstr("not attributable"));
  }
}

TEST(Trigonometry, ADamagedRowIsNotCalledABadReduction) {
  auto subject = rope_by(small_head, Format::binary32,
                         [](Component c, float phase) { return honest(c, static_cast<double>(phase)); });
  for (auto& tensor : subject.tensors.all<TableTensor>()) {
    std::vector<double> values(tensor.rows() * tensor.columns());
    tensor.tensor.numbers(0, values);
    std::copy_n(values.begin() + 200 * 12, 12, values.begin() + 201 * 12);
    tensor.tensor = tensor_of(Format::binary32, tensor.tensor.shape(), values);
  }
  for (const auto& check : trigonometry_of(subject)) {
    EXPECT_EQ(check.status, Status::fail);
    EXPECT_EQ(check.first_failing->row, 201u);
    EXPECT_THAT(check.reason, Not(HasSubstr("reduced")));
  }
}

TEST(Trigonometry, IsSkippedWhereTheContractJudgesItAlready) {
  const SinusoidalEncoding encoding({.d_model = 8});
  const auto& recipe = *std::ranges::find(recipes(), "float64-pow", &Recipe::id);
  const auto subject =
      made(std::make_unique<SinusoidalEncoding>(encoding.parameters()), encoding.plain_tables(),
           Format::binary32, "faithful", [&](const TrigTable& table) {
             return values_of(RecipeTable(recipe, table, Format::binary32), far_positions());
           });
  const auto checks = trigonometry_of(subject);
  EXPECT_EQ(checks.at(0).status, Status::skipped);
  EXPECT_THAT(checks[0].reason, HasSubstr("accuracy/encoding already judges"));
}

}  // namespace
}  // namespace vernier
