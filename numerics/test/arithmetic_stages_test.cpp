// The rows of arithmetic_stages.json stand where the enumerations of their ways say.

#include "numerics/contracts/arithmetic_stages.hpp"

#include <algorithm>
#include <string_view>
#include <tuple>

#include <gtest/gtest.h>

namespace vernier {
namespace {

TEST(ArithmeticStages, HaveTheirWaysInOrder) {
  using enum ArithmeticStage;
  for (const auto& [stage, last, id] :
       {std::tuple(library, index_of(FormulaLibrary::sleef_float64), "float64-sleef"),
        {phase, index_of(PhaseFormat::iterated), "iterated"},
        {sine, index_of(SineFunction::sleef_float64_by_8), "float64-sleef-8"},
        {amplitude, index_of(AmplitudePlace::after_store), "after-store"},
        {table, index_of(StoreMode::flushed), "flushed"},
        {narrowing, index_of(TableNarrowing::float32), "float32"},
        {store_1, index_of(StoreMode::flushed), "flushed"}}) {
    ASSERT_EQ(ways_of(stage).size(), static_cast<std::size_t>(last) + 1) << id_of(stage);
    EXPECT_EQ(ways_of(stage).back().id, id) << id_of(stage);
  }
  EXPECT_EQ(ways_of(products_0).size(), ways_of(format).size() * product_orders);
}

TEST(ArithmeticStages, NameEachWayOnce) {
  for (std::size_t i = 0; i < arithmetic_stages; ++i) {
    const auto ways = ways_of(static_cast<ArithmeticStage>(i));
    for (const auto& way : ways) {
      EXPECT_EQ(std::ranges::count(ways, way.id, &ArithmeticWay::id), 1) << way.id;
    }
  }
}

}  // namespace
}  // namespace vernier
