// Tables made by an honest recipe for one spec and declared as another: the diagnosis must name the
// difference, and only then.

#include "numerics/identification/diagnosis.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "numerics/recipes/recipe_registry.hpp"
#include "numerics/test/made_tensors.hpp"
#include "reference/schemes/rope.hpp"
#include "reference/schemes/sinusoidal.hpp"

namespace vernier {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const Recipe& float32_recipe() {
  for (const auto& recipe : recipes()) {
    if (recipe.id == "float32-pow") {
      return recipe;
    }
  }
  return recipes().front();
}

/// The tables `made`, computed at the positions `computed`, that claim to be the tables `declared`.
std::vector<TableTensor> claims(const std::vector<TrigTable>& declared, const std::vector<TrigTable>& made,
                                const std::vector<std::int64_t>& computed) {
  std::vector<TableTensor> result;
  for (std::size_t i = 0; i < declared.size(); ++i) {
    const RecipeTable implementation(float32_recipe(), made[i], Format::binary32);
    result.push_back({declared[i],
                      tensor_of(Format::binary32, {computed.size(), made[i].columns.size()},
                                values_of(implementation, computed)),
                      contract_named("float32")});
  }
  return result;
}

std::vector<std::string> edits(const std::vector<TrigTable>& declared, const std::vector<TrigTable>& made,
                               const std::vector<std::int64_t>& positions,
                               const std::vector<std::int64_t>& computed) {
  std::vector<std::string> result;
  for (const auto& finding : diagnose(claims(declared, made, computed), positions)) {
    EXPECT_LE(finding.greatest_budget_ratio, 1);
    EXPECT_GT(finding.conclusive, 0.2);
    result.push_back(finding.edit);
  }
  return result;
}

std::vector<std::string> sinusoidal_edits(const SinusoidalSpec& declared, const SinusoidalSpec& made) {
  const auto positions = positions_from(0, 400);
  return edits({SinusoidalEncoding(declared).table()}, {SinusoidalEncoding(made).table()}, positions,
               positions);
}

TEST(Diagnosis, NamesOneEditOfASinusoidalSpec) {
  using Spec = SinusoidalSpec;
  const Spec declared{.d_model = 32};
  EXPECT_THAT(sinusoidal_edits(declared, {.d_model = 32, .base = 500000}),
              Contains("the base is 500000, not 10000"));
  EXPECT_THAT(sinusoidal_edits(declared, {.d_model = 32, .layout = Spec::Layout::halves}),
              Contains(HasSubstr("laid out in halves")));
  EXPECT_THAT(sinusoidal_edits({.d_model = 32, .layout = Spec::Layout::halves}, declared),
              Contains(HasSubstr("are interleaved")));
  EXPECT_THAT(sinusoidal_edits(declared, {.d_model = 32, .order = Spec::Order::cos_sin}),
              Contains(HasSubstr("exchanged")));
  EXPECT_THAT(sinusoidal_edits(declared, {.d_model = 32, .frequency = Spec::FrequencyRule::tensor2tensor}),
              Contains(HasSubstr("tensor2tensor")));
  EXPECT_THAT(sinusoidal_edits(declared, {.d_model = 32, .scale = Rational(3, 2)}),
              Contains(HasSubstr("multiplied by 1.5")));
}

TEST(Diagnosis, NamesWhatHappenedToThePositions) {
  const RopeEncoding encoding({.head_dim = 16});
  const std::vector tables{encoding.table(Component::cosine), encoding.table(Component::sine)};
  const auto positions = positions_from(0, 3000);
  auto computed = positions;
  std::ranges::for_each(computed, [](auto& p) { p %= 1024; });
  EXPECT_THAT(edits(tables, tables, positions, computed), Contains("positions wrap at 1024"));
  EXPECT_THAT(edits(tables, tables, positions, positions_from(1, 3000)),
              Contains("positions are larger by one"));
  EXPECT_THAT(edits(tables, tables, positions, positions_from(-1, 3000)),
              Contains("positions are smaller by one"));
  std::ranges::transform(positions, computed.begin(), std::negate{});
  EXPECT_THAT(edits(tables, tables, positions, computed),
              Contains(HasSubstr("the sine has the opposite sign")));
}

TEST(Diagnosis, SaysNothingWhereNoEditPredictsEveryElement) {
  const RopeEncoding encoding({.head_dim = 16, .rope_theta = 500000});
  const RopeEncoding declared({.head_dim = 16});
  const auto positions = positions_from(0, 300);
  auto tensors = claims({declared.table(Component::cosine)}, {encoding.table(Component::cosine)}, positions);
  ASSERT_EQ(diagnose(tensors, positions).size(), 1U);
  // One element away from the other encoding: no single edit explains the table any more.
  std::vector<double> values(tensors[0].tensor.elements());
  tensors[0].tensor.numbers(0, values);
  values[1001] += 0.125;
  tensors[0].tensor = tensor_of(Format::binary32, {300, 8}, values);
  EXPECT_THAT(diagnose(tensors, positions), IsEmpty());
  EXPECT_THAT(sinusoidal_edits({.d_model = 32}, {.d_model = 32, .base = 12345}), IsEmpty());
}

TEST(Diagnosis, SaysNothingWhereLittleIsConclusive) {
  const auto table = RopeEncoding({.head_dim = 16}).table(Component::cosine);
  const auto far = positions_from((std::int64_t{1} << 31) - 300, 300);
  const std::vector<double> zeros(300 * 8, 0.0);
  const std::vector<TableTensor> tensors{
      {table, tensor_of(Format::bfloat16, {300, 8}, zeros), contract_named("bfloat16")}};
  EXPECT_THAT(diagnose(tensors, far), IsEmpty());
}

}  // namespace
}  // namespace vernier
