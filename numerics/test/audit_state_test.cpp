// The algebra of what audits find: any cut, any order, and through its text, the same.

#include "numerics/audit/audit_state.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "numerics/audit/range_audit.hpp"
#include "numerics/contracts/contract.hpp"
#include "numerics/recipes/recipe_registry.hpp"
#include "reference/schemes/rope.hpp"
#include "reference/test/refusal.hpp"

namespace vernier {
namespace {

std::string state_text(const AuditReport& report) {
  return audit_state(report).dump();
}

AuditReport through_text(const AuditReport& report) {
  const auto document = parse_json(state_text(report), "state");
  return read_audit_state(ObjectReader(document, "state", ""));
}

AuditReport merged_in_order(const std::vector<AuditReport>& parts, const std::vector<std::size_t>& order) {
  AuditReport whole;
  for (const auto part : order) {
    whole.merge(parts[part]);
  }
  return whole;
}

std::vector<std::size_t> any_order(std::size_t count) {
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), 0);
  for (std::size_t i = count; i-- > 1;) {
    std::swap(order[i], order[*rc::gen::inRange<std::size_t>(0, i + 1)]);
  }
  return order;
}

/// One row of a table whose errors are drawn from few values, so that maxima are equal in many places.
AuditReport made_row(std::int64_t row) {
  AuditReport report;
  const auto few = [](double unit) { return unit * *rc::gen::inRange(0, 4); };
  const Place place{3 * row - 100, *rc::gen::inRange<std::size_t>(0, 3), row};
  const double error = few(0.3) - 0.3;
  report.statistics.absolute().add(error, place);
  const double ulps = *rc::gen::inRange(0, 99) == 0 ? std::numeric_limits<double>::infinity()
                                                    : std::ldexp(1 / (error + 7), -*rc::gen::inRange(0, 80));
  report.statistics.ulps().add(ulps, place);
  report.statistics.phase_roundings().add(few(0x1p-60), place);
  report.statistics.add_counted(1, 1, 1);
  report.judged = 1;
  report.worst = ElementReport{place, 1, {{1, error}, 0}, {0.1, 0.2, 0.3}, error, few(0.5)};
  if (report.worst->budget_ratio > 1) {
    report.failing = 1;
    report.first_failing = report.worst;
    report.failing_extent = FailingExtent::of(place, 1);
  }
  report.records = {{row, 1, std::fabs(error)}};
  return report;
}

RC_GTEST_PROP(AuditState, IsTheSameFromAnyPartsInAnyOrder, ()) {
  const auto rows = *rc::gen::inRange<std::size_t>(1, 20);
  std::vector<AuditReport> parts;
  for (std::size_t row = 0; row < rows; ++row) {
    parts.push_back(made_row(static_cast<std::int64_t>(row)));
  }
  std::vector<std::size_t> in_order(rows);
  std::iota(in_order.begin(), in_order.end(), 0);
  const auto whole = state_text(merged_in_order(parts, in_order));
  // Each row goes to one of three shards, which are merged in another order.
  std::vector<AuditReport> shards(3);
  for (const auto row : any_order(rows)) {
    shards[*rc::gen::inRange<std::size_t>(0, 3)].merge(parts[row]);
  }
  for (auto& shard : shards) {
    shard = through_text(shard);
  }
  RC_ASSERT(state_text(merged_in_order(shards, any_order(3))) == whole);
}

/// Real rows, near the end of which numbers overflow and budgets prove nothing.
TEST(AuditState, OfTheTasksOfARangeIsThatOfTheRange) {
  const auto table = RopeSpec{.head_dim = 8}.table(Component::cosine);
  const auto& recipe = *std::ranges::find(recipes(), "float16-throughout", &Recipe::id);
  const RecipeTable implementation(recipe, table, Format::binary16);
  const PositionRange positions{-100, 31, 2200};
  const MadeRows rows(implementation, positions);
  const RangeInput subject{&rows, contract_named(recipe.contract)->bind(table, Format::binary16)};
  const RangeAudit audit(table, positions, std::span(&subject, 1), {.threads = 2});
  ASSERT_GE(audit.tasks(), 3);
  const auto whole = audit_range(table, positions, std::span(&subject, 1)).front();
  ASSERT_GT(whole.statistics.non_finite(), 0U);
  AuditReport backwards;
  for (auto task = audit.tasks(); task-- > 0;) {
    backwards.merge(through_text(audit.run(task, task + 1).front()));
  }
  EXPECT_EQ(state_text(backwards), state_text(whole));
  EXPECT_EQ(backwards.statistics.absolute().histogram(), whole.statistics.absolute().histogram());
  EXPECT_EQ(backwards.statistics.ulps().histogram(), whole.statistics.ulps().histogram());
  EXPECT_EQ(backwards.statistics.ulps().rms(), whole.statistics.ulps().rms());
}

TEST(AuditState, IsRefusedIfItIsNone) {
  auto state = audit_state({});
  state["statistics"]["ulps"]["sum"] = "1.5";
  const auto document = parse_json(state.dump(), "f.json");
  EXPECT_EQ(
      refusal_of([&] { read_audit_state(ObjectReader(document, "f.json", "")); }),
      "f.json: statistics.ulps.sum: found the string \"1.5\", expected an exact sum, as \"0x1f3p-1074\"");
}

}  // namespace
}  // namespace vernier
