// Bounds of one order of operations hold of scaled frequencies too, and are never above the contract's own.

#include <algorithm>
#include <string>

#include <gtest/gtest.h>

#include "numerics/audit/range_audit.hpp"
#include "numerics/contracts/contract.hpp"
#include "numerics/recipes/recipe_registry.hpp"
#include "numerics/tolerances/frequency_order.hpp"
#include "numerics/tolerances/table_errors.hpp"
#include "reference/schemes/joint_table.hpp"
#include "reference/test/parsed.hpp"

namespace vernier {
namespace {

std::unique_ptr<Encoding> scaled_rope(const std::string& scaling) {
  return parsed(R"({"scheme": "rope", "head_dim": 64, "max_position_embeddings": 8192, "rope_scaling": )" +
                scaling + "}");
}

class ScaledTolerances : public ::testing::TestWithParam<std::string> {};

TEST_P(ScaledTolerances, HoldOfEveryRecipeInItsOwnOrder) {
  constexpr std::int64_t rows = 3000;
  const auto encoding = scaled_rope(GetParam());
  const auto table = joint_table(*encoding);
  for (const auto& recipe : every_recipe()) {
    const auto& contract = *contract_named(recipe.contract);
    for (const auto* const of : {&recipe, static_cast<const Recipe*>(nullptr)}) {
      const auto orders = frequency_orders(table.frequencies, contract, of);
      for (const auto stored : storage_formats(recipe)) {
        const auto model = bind_orders(contract, table, stored, orders);
        const RecipeTable implementation(recipe, table, stored);
        const Subject subject{&implementation, model};
        const auto report = audit(table, std::span(&subject, 1), {0, 1, rows}).front();
        const auto bound = table_errors(model, rows - 1).total.total();
        if (report.statistics.non_finite() == 0 && orders) {
          EXPECT_LE(report.statistics.absolute().greatest(), bound * (1 + 1e-6))
              << recipe.id << " stored as " << traits(stored).name;
        }
        const auto loose = contract.bind(table, stored);
        for (int pair = 0; pair < table.frequencies.pairs(); ++pair) {
          EXPECT_LE(model.relative_phase_error(pair), loose.relative_phase_error(pair)) << recipe.id;
        }
      }
    }
  }
}

/// One bound for all orders of operations that keep the contract, by the machine's library.
TEST_P(ScaledTolerances, HoldOfEveryOrderThatTheyName) {
  constexpr std::int64_t rows = 3000;
  const auto table = joint_table(*scaled_rope(GetParam()));
  const auto& contract = *contract_named("float32");
  const auto orders = frequency_orders(table.frequencies, contract);
  ASSERT_TRUE(orders);
  const auto model = bind_orders(contract, table, Format::binary32, orders);
  const auto bound = table_errors(model, rows - 1).total.total();
  std::size_t count = 0;
  for (const auto& order : orders->ways) {
    if (order.way->last == program::Stage::order) {
      const Recipe recipe{order.way->id, "", contract.id, {{Format::binary32}, {order}}};
      const RecipeTable implementation(recipe, table, Format::binary32);
      const Subject subject{&implementation, model};
      const auto report = audit(table, std::span(&subject, 1), {0, 1, rows}).front();
      EXPECT_LE(report.statistics.absolute().greatest(), bound * (1 + 1e-6)) << recipe.id;
      ++count;
    }
  }
  EXPECT_GE(count, 6U);
}

INSTANTIATE_TEST_SUITE_P(
    Scalings, ScaledTolerances,
    ::testing::Values(R"({"type": "linear", "factor": 3})", R"({"type": "ntk", "alpha": 8})",
                      R"({"rope_type": "yarn", "factor": 4, "original_max_position_embeddings": 2048})",
                      R"({"rope_type": "llama3", "factor": 8, "low_freq_factor": 1, "high_freq_factor": 4,
                          "original_max_position_embeddings": 2048})"));

}  // namespace
}  // namespace vernier
