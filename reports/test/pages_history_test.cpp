// The history of a report's implementations: what a run adds to it, and the trend that their pages show.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reports/implementations/comparison.hpp"
#include "reports/report/pages/pages.hpp"

namespace vernier {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

ComparedImplementation judged(double share) {
  ComparedImplementation one{.name = "A library",
                             .found = "library 1.2",
                             .encoding = "RoPE",
                             .stored = "float32",
                             .contract = "float32",
                             .positions = 64};
  one.spec = OrderedJson::parse(R"({"scheme": "rope", "head_dim": 8})");
  one.result.emplace();
  one.result->elements = 1000;
  one.result->failing = share > 1 ? 5 : 0;
  one.result->greatest_budget_ratio = share;
  one.result->errors.add(40, 0, share);
  one.result->growth = {{16, 1e-7}, {64, 2e-7}};
  return one;
}

/// The page of the only implementation, after runs with other figures.
std::string page_after(const RunHistory& earlier, const ComparedImplementation& now) {
  ReportData data;
  data.comparison = {now};
  data.history = earlier;
  data.history.push_back(history_entry(now, "now"));
  return render_template("implementation", implementation_pages(data).front().content);
}

TEST(ImplementationHistory, TellsWhoWasJudgedOnWhat) {
  const auto entry = history_entry(judged(0.25), "");
  EXPECT_EQ(entry.label, "library 1.2");
  EXPECT_EQ(entry.name, "RoPE, float32, float32 contract, 64 positions");
  EXPECT_EQ(entry.implementation, "A library");
  EXPECT_EQ(entry.conclusion, Conclusion::conforms);
  EXPECT_EQ(entry.check_named("accuracy")->budget_ratio(), 0.25);
  EXPECT_EQ(history_entry(judged(2), "a date").label, "a date");
  EXPECT_EQ(history_entry(judged(2), "").conclusion, Conclusion::does_not_conform);
  auto unknown = judged(0.5);
  unknown.result->inconclusive = 1;
  EXPECT_EQ(history_entry(unknown, "").conclusion, Conclusion::inconclusive);
}

TEST(ImplementationHistory, HasALineForEachThatWasJudged) {
  const ComparedImplementation absent{.name = "B", .found = {}, .encoding = {}, .stored = {}, .contract = {}};
  EXPECT_EQ(history_entries({judged(0.25), absent, judged(2)}, "").size(), 2U);
}

TEST(ImplementationHistory, IsShownAsATrendOfWhatCanBeCompared) {
  auto other_spec = judged(0.3);
  other_spec.spec = OrderedJson::parse(R"({"scheme": "rope", "head_dim": 16})");
  auto fewer_positions = judged(0.4);
  fewer_positions.positions = 16;
  auto other_name = judged(0.5);
  other_name.name = "Another library";
  const auto page =
      page_after(history_entries({judged(0.2), other_spec, fewer_positions, other_name}, "then"), judged(3));
  EXPECT_THAT(page, AllOf(HasSubstr("in the last 2 runs, from 20.0 % to 3.00 times: <svg"),
                          HasSubstr("aria-label=\"share of the budget: 20.0 %, 3.00 times\""),
                          HasSubstr("then"), HasSubstr("does not conform")));
  EXPECT_THAT(page, Not(HasSubstr("30.0 %")));
  EXPECT_THAT(page_after({}, judged(3)), Not(HasSubstr("sparkline")));
}

TEST(ImplementationHistory, ShowsTheLastRunsOfALongOne) {
  const RunHistory many(500, history_entry(judged(0.2), "earlier"));
  EXPECT_THAT(page_after(many, judged(3)), AllOf(HasSubstr("in the last 20 runs"), HasSubstr("3.00 times")));
}

}  // namespace
}  // namespace vernier
