// What is proved of all positions without a look at most of them: against a look at all of few, and against
// recipes, sines and contracts of which it is not true.

#include "numerics/searches/usable_context.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <map>
#include <random>
#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "numerics/recipes/recipe_registry.hpp"
#include "numerics/recipes/single_sines/single_sines.hpp"
#include "numerics/searches/catalogued_rotations.hpp"
#include "reference/schemes/joint_table.hpp"
#include "reference/test/parsed.hpp"
#include "reference/test/seed.hpp"

namespace vernier {
namespace {

TrigTable rope_table(const std::string& parameters) {
  return joint_table(*parsed(R"({"scheme": "rope", )" + parameters + "}"));
}

const Recipe& recipe_of(std::string_view id) {
  return *std::ranges::find(recipes(), id, &Recipe::id);
}

/// Few pairs, of which some rows are the same in every format, and more.
const std::vector<std::string>& context_specs() {
  static const std::vector<std::string> all{
      R"("head_dim": 2)",
      R"("head_dim": 4, "rope_theta": 100)",
      R"("head_dim": 8, "rope_theta": 500000)",
      R"("head_dim": 16, "partial_rotary_factor": 0.5, "rope_scaling": {"rope_type": "proportional"})",
      R"("head_dim": 32, "rope_theta": 500000, "rope_scaling": {"rope_type": "llama3", "factor": 8,
         "low_freq_factor": 1, "high_freq_factor": 4, "original_max_position_embeddings": 8192})",
      R"("head_dim": 16, "rope_theta": 150000, "rope_scaling": {"rope_type": "yarn", "factor": 32,
         "original_max_position_embeddings": 4096, "truncate": false})",
      R"("head_dim": 4, "rope_scaling": {"rope_type": "linear", "factor": 2.5})"};
  return all;
}

/// Calls `take(table, recipe, stored, said)` for each of the specs, recipes and formats.
template <class Take>
void for_each_kind(const Take& take) {
  for (const auto& spec : context_specs()) {
    const auto table = rope_table(spec);
    for (const auto& recipe : recipes()) {
      for (const auto stored : storage_formats(recipe)) {
        take(table, recipe, stored,
             spec + ", " + std::string(recipe.id) + ", " + std::string(traits(stored).name));
      }
    }
  }
}

/// Next to powers of two, where more positions or products cease to be exact, and anywhere.
TEST(PhaseRule, IsOffByNoMoreThanItsBound) {
  std::mt19937_64 random(test_seed());
  std::size_t exact = 0;
  for (const auto& spec : context_specs()) {
    const auto table = rope_table(spec);
    const WorkingPrecision precision(192);
    for (const auto& recipe : recipes()) {
      const auto phases = recipe.prepare(table.frequencies);
      for (int draw = 0; draw < 200; ++draw) {
        const auto power = std::int64_t{1} << (random() % 31);
        const auto position =
            draw % 2 == 0 ? std::max<std::int64_t>(0, power + static_cast<std::int64_t>(random() % 5) - 2)
                          : static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(power));
        const int pair = static_cast<int>(random() % static_cast<std::uint64_t>(table.frequencies.pairs()));
        const auto frequency = table.frequencies.at(pair);
        const double bound = phases.phase_error(pair, position, enclosure_of(frequency));
        const double phase = used_phase(phases, position, pair);
        if (std::isfinite(bound)) {
          const Interval off = enclose(phase) - frequency * enclose(position);
          EXPECT_LE(least_magnitude(off), bound)
              << spec << ", " << recipe.id << ", pair " << pair << ", " << position;
          exact += bound == 0 ? 1 : 0;
        }
      }
    }
  }
  EXPECT_GT(exact, 1000U);
}

/// Every row by its bits, as far as the first that repeats another.
FirstRepeat by_all_rows(const RecipeTable& computed, std::int64_t rows) {
  std::map<std::vector<std::uint64_t>, std::int64_t> seen;
  std::vector<double> row(computed.columns());
  for (std::int64_t position = 0; position < rows; ++position) {
    computed.row(position, row);
    std::vector<std::uint64_t> bits;
    std::ranges::transform(row, std::back_inserter(bits),
                           [](double x) { return std::bit_cast<std::uint64_t>(x); });
    if (const auto [found, is_new] = seen.emplace(bits, position); !is_new) {
      return {position, found->second, position};
    }
  }
  return {.examined = rows};
}

TEST(FirstRepeat, IsWhatALookAtAllRowsFinds) {
  constexpr std::int64_t positions = 3000;
  std::size_t repeats = 0;
  for_each_kind([&](const TrigTable& table, const Recipe& recipe, Format stored, const std::string& said) {
    const auto found = first_repeat(recipe, table, stored, positions);
    const auto plain = by_all_rows(RecipeTable(recipe, table, stored), positions);
    EXPECT_EQ(found.position, plain.position) << said;
    EXPECT_EQ(found.examined, plain.examined) << said;
    if (plain.position) {
      EXPECT_EQ(found.earlier, plain.earlier) << said;
      ++repeats;
    }
  });
  EXPECT_GT(repeats, 40U);
}

TEST(FirstRepeat, IsDecidedUpTo31Bits) {
  const auto table = rope_table(R"("head_dim": 128)");
  const auto of = [&](std::string_view recipe, Format stored) {
    return first_repeat(recipe_of(recipe), table, stored, largest_position);
  };
  EXPECT_EQ(of("float64-pow", Format::binary32).examined, largest_position);
  EXPECT_EQ(of("float32-pow", Format::bfloat16).position, (1 << 24) + 1);
  EXPECT_EQ(of("bfloat16-position", Format::binary32).position, 257);
}

TEST(SingleSineErrors, AreLessThanAnUlp) {
  const auto errors = single_sine_errors(40009, 1);
  EXPECT_EQ(errors.arguments, 0x4f000000U / 40009 + 1);
  EXPECT_TRUE(errors.are_faithful());
  EXPECT_GT(errors.unreduced.error, 0.5);
  EXPECT_GT(errors.reduced.error, 0.5);
}

TEST(SingleSineErrors, FindOneWrongSineAmongAll) {
  constexpr std::uint32_t step = 40009;
  for (const std::uint32_t index : {20000U, 26000U, 33000U}) {
    const auto argument = std::bit_cast<float>(index * step);
    for (const bool is_nan : {false, true}) {
      const auto errors = single_sine_errors(
          step, 1,
          [&](std::span<const double> arguments, std::span<double> sines, std::span<double> cosines) {
            single_sines_cosines(arguments, sines, cosines);
            for (std::size_t i = 0; i < arguments.size(); ++i) {
              if (arguments[i] == static_cast<double>(argument)) {
                sines[i] = is_nan ? std::nan("") : sines[i] + 3 * ulp_at(Format::binary32, sines[i]);
              }
            }
          });
      const auto& found = argument < 0.78F ? errors.unreduced : errors.reduced;
      EXPECT_EQ(found.argument, argument);
      EXPECT_EQ(found.component, Component::sine);
      EXPECT_FALSE(errors.are_faithful()) << argument;
    }
  }
}

TEST(ContractProof, EveryRecipeKeepsItsContract) {
  for_each_kind([](const TrigTable& table, const Recipe& recipe, Format stored, const std::string& said) {
    const auto proof = prove_contract(recipe, table, stored, *contract_named(recipe.contract));
    EXPECT_EQ(proof.fate, ContractFate::kept) << said;
    EXPECT_LE(proof.frequency_share, 1) << said;
  });
}

/// A frequency on two thresholds that coincide, as Llama 4 Scout has one in 16 bits, has no bound: then there
/// is no budget, and nothing to break.
TEST(ContractProof, HoldsWhereAFrequencyHasNoBound) {
  const auto table =
      rope_table(R"("head_dim": 128, "rope_theta": 500000, "rope_scaling": {"rope_type": "llama3",
    "factor": 16, "low_freq_factor": 1, "high_freq_factor": 1, "original_max_position_embeddings": 8192})");
  const auto& contract = *contract_named("bfloat16");
  const auto budget = contract.bind(table, Format::binary32);
  EXPECT_TRUE(
      std::ranges::any_of(budget.parameters().frequency_error, [](double r) { return std::isinf(r); }));
  EXPECT_EQ(prove_contract(recipe_of("bfloat16-frequency"), table, Format::binary32, contract).fate,
            ContractFate::kept);
}

TEST(ContractProof, HasAnElementBeyondItsBudgetWhereAContractIsBroken) {
  const auto table = rope_table(R"("head_dim": 128)");
  const auto& contract = *contract_named("float32");
  for (const std::string_view id : {"float32-iterated", "bfloat16-frequency", "bfloat16-position"}) {
    const auto& recipe = recipe_of(id);
    const auto proof = prove_contract(recipe, table, Format::binary32, contract);
    EXPECT_EQ(proof.fate, ContractFate::broken) << id;
    ASSERT_TRUE(proof.witness) << id;
    const auto [position, pair, component] = *proof.witness;
    const auto truth = [&](Component of) {
      return tight_enclosure(table.value(position, pair, of)).approximately();
    };
    const auto other = component == Component::sine ? Component::cosine : Component::sine;
    const auto budget =
        contract.bind(table, Format::binary32).at(position, pair, truth(component), truth(other));
    const RecipeTable computed(recipe, table, Format::binary32);
    std::vector<double> row(computed.columns());
    computed.row(position, row);
    const auto column = std::ranges::find_if(
        table.columns, [&](const Column& one) { return one.pair == pair && one.component == component; });
    EXPECT_GT(std::fabs(row[static_cast<std::size_t>(column - table.columns.begin())] - truth(component)),
              budget.total())
        << id;
  }
  // Nothing is claimed where neither a proof nor a witness is found: the faithful contract says nothing of
  // computations.
  EXPECT_NE(
      prove_contract(recipe_of("float64-pow"), table, Format::binary64, *contract_named("faithful")).fate,
      ContractFate::kept);
}

TEST(UsableContext, HasPlacesThatAreBeyond) {
  const auto table = rope_table(R"("head_dim": 128, "rope_theta": 500000)");
  const SingleSineErrors faithful{.arguments = 1, .unreduced = {0.56F, 0, {}}, .reduced = {0.56F, 0, {}}};
  const auto& recipe = recipe_of("float32-pow");
  const auto found = usable_context(recipe, table, Format::binary32, faithful);
  EXPECT_TRUE(found.is_decided());
  const RecipeTable computed(recipe, table, Format::binary32);
  std::vector<double> row(computed.columns());
  for (std::size_t i = 0; i < usable_exponents.size(); ++i) {
    ASSERT_TRUE(found.first_beyond[i]);
    const auto [position, pair, component] = *found.first_beyond[i];
    const auto column =
        std::ranges::find_if(table.columns, [&, pair = pair, component = component](const Column& one) {
          return one.pair == pair && one.component == component;
        });
    computed.row(position, row);
    const double truth = tight_enclosure(table.value(position, pair, component)).approximately();
    EXPECT_GT(std::fabs(row[static_cast<std::size_t>(column - table.columns.begin())] - truth),
              std::ldexp(1, usable_exponents[i]));
  }
  EXPECT_LT(found.first_beyond[1]->position, found.first_beyond[0]->position);
  // Proofs in float32 rest on sines that were looked at.
  const SingleSineErrors bad{.arguments = 1, .unreduced = {1.5, 0, {}}, .reduced = {0.56F, 0, {}}};
  EXPECT_FALSE(usable_context(recipe, table, Format::binary32, bad).is_decided());
}

TEST(NearestQuarterTurn, IsNearerThanAllOthers) {
  const auto table = rope_table(R"("head_dim": 4, "rope_theta": 100)");
  const auto found = nearest_quarter_turn(table);
  ASSERT_TRUE(found);
  EXPECT_LT(found->distance, 1e-8);
  const WorkingPrecision precision(192);
  const Interval phase = table.frequencies.at(found->pair) * enclose(found->position);
  // One of sine and cosine is the distance, to its cube.
  const double sine = greatest_magnitude(Interval(sin(phase)));
  const double cosine = greatest_magnitude(Interval(cos(phase)));
  EXPECT_NEAR(std::min(sine, cosine), found->distance, 1e-20);
}

TEST(CataloguedRotations, AreEachOnce) {
  const auto [rotations, left_out] = catalogued_rotations();
  EXPECT_GT(rotations.size(), 50U);
  std::size_t models = 0;
  for (const auto& one : rotations) {
    models += one.models.size();
    EXPECT_EQ(std::ranges::count_if(rotations,
                                    [&](const NamedRotation& other) {
                                      return other.table.frequencies == one.table.frequencies &&
                                             other.table.amplitude == one.table.amplitude;
                                    }),
              1)
        << one.summary;
  }
  EXPECT_GT(models, 200U);
  for (const auto& [model, why] : left_out) {
    EXPECT_NE(why, "") << model;
  }
}

}  // namespace
}  // namespace vernier
