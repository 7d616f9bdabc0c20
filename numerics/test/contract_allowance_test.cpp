// What explanations say a contract lets pass of a base and of an amplitude: audits of tables that are off by
// less keep the contract, and of tables that are off by more do not.

#include "numerics/contracts/contract_allowance.hpp"

#include <algorithm>
#include <string>

#include <gtest/gtest.h>

#include "numerics/audit/range_audit.hpp"
#include "numerics/contracts/contract.hpp"
#include "numerics/recipes/recipe_registry.hpp"
#include "reference/schemes/rope.hpp"
#include "reference/schemes/sinusoidal.hpp"

namespace vernier {
namespace {

/// How many elements of a table that is computed for `wrong` in double, and stored in float32, break the
/// contract for `right`.
std::uint64_t failures(const TrigTable& right, const TrigTable& wrong, const PositionRange& positions) {
  const auto recipe = std::ranges::find(recipes(), "float64-pow", &Recipe::id);
  const RecipeTable implementation(*recipe, wrong, Format::binary32);
  const Subject subject{&implementation, contract_named("float32")->bind(right, Format::binary32)};
  return audit(right, std::span(&subject, 1), positions).front().failing;
}

Rational less(const Rational& value, double share) {
  return value * (1 - exact_rational(share));
}

/// From where on the slowest pair has turned, so that its frequency shows.
TEST(ContractAllowance, OfABaseIsWhatAuditsLetPass) {
  for (const int base : {10000, 500000}) {
    const RopeSpec spec{.head_dim = 8, .rope_theta = base};
    const double allowed = base_allowance(spec.unscaled_frequencies(), Format::binary32);
    const auto table_of = [&](double share) {
      auto wrong = spec;
      wrong.rope_theta = less(spec.rope_theta, share);
      return wrong.table(Component::sine);
    };
    for (const PositionRange positions : {PositionRange{0, 1, 4096}, PositionRange{600000, 1, 4096}}) {
      EXPECT_EQ(failures(table_of(0), table_of(0.9 * allowed), positions), 0U) << base;
    }
    EXPECT_GT(failures(table_of(0), table_of(1.2 * allowed), {600000, 1, 4096}), 0U) << base;
  }
}

/// Storing rounds as well, by up to half an ulp: a quarter of what is allowed.
TEST(ContractAllowance, OfAnAmplitudeIsWhatAuditsLetPass) {
  const Rational scale(13, 10);
  const auto table_of = [&](double share) {
    return SinusoidalSpec{.d_model = 8, .scale = less(scale, share)}.table();
  };
  const double allowed = amplitude_allowance(contract_named("float32")->bind(table_of(0), Format::binary32));
  EXPECT_EQ(failures(table_of(0), table_of(0.7 * allowed), {0, 1, 4096}), 0U);
  EXPECT_GT(failures(table_of(0), table_of(1.4 * allowed), {0, 1, 4096}), 0U);
}

}  // namespace
}  // namespace vernier
