#include "reports/verdict/waivers.hpp"

#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "numerics/test/made_tensors.hpp"
#include "reference/test/refusal.hpp"

namespace vernier {
namespace {

using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::SizeIs;

constexpr auto today =
    std::chrono::year_month_day{std::chrono::year{2026}, std::chrono::month{6}, std::chrono::day{30}};

/// A check that fails in 2 of 100 elements, positions 10 to 20 of pairs 3 to 4, by 2.5 times its budget; and
/// one that passes.
Verdict failing_verdict() {
  Verdict verdict;
  Check failing{"accuracy/cos", Status::fail, "2 of 100 elements are beyond their budget"};
  failing.counts = {100, 100, 2, 0};
  failing.greatest_budget_ratio = 2.5;
  failing.failing_extent = FailingExtent{{10, 20}, {6, 9}, {3, 4}};
  verdict.checks = {failing, {"finite/cos", Status::pass, "all are finite"}};
  return verdict;
}

Waiver waiver_of(std::string check) {
  return {.check = std::move(check),
          .reason = "the kernel rounds its frequencies",
          .issue = "KERNEL-7",
          .expires = today};
}

Verdict judged(const Waiver& waiver, Verdict verdict = failing_verdict()) {
  apply_waivers(verdict, std::span(&waiver, 1), today);
  return verdict;
}

TEST(Waivers, TurnAFailureThatTheyCoverIntoAWaivedOne) {
  const auto verdict = judged(waiver_of("accuracy/cos"));
  EXPECT_EQ(verdict.checks[0].status, Status::waived);
  EXPECT_THAT(verdict.checks[0].reason,
              AllOf(HasSubstr("waived until 2026-06-30 (KERNEL-7): the kernel rounds"),
                    HasSubstr("It failed: 2 of 100 elements are beyond")));
  EXPECT_EQ(outcome(verdict), Conclusion::conforms);
  EXPECT_EQ(exit_code(verdict), 0);
  EXPECT_EQ(summary(verdict),
            "The tensors conform, but for what is waived: 1 check passes. Waived: accuracy/cos.");
}

TEST(Waivers, WaivingEverythingIsNoPass) {
  auto verdict = failing_verdict();
  verdict.checks.pop_back();
  const auto waived = judged(waiver_of("accuracy/cos"), verdict);
  EXPECT_EQ(outcome(waived), Conclusion::nothing_checked);
  EXPECT_EQ(exit_code(waived), 4);
}

TEST(Waivers, AreStaleFromTheDayAfterTheyExpire) {
  auto waiver = waiver_of("accuracy/cos");
  waiver.expires = std::chrono::sys_days(today) - std::chrono::days(1);
  const auto verdict = judged(waiver);
  EXPECT_EQ(verdict.checks[0].status, Status::fail);
  ASSERT_THAT(verdict.stale_waivers, SizeIs(1));
  EXPECT_EQ(verdict.stale_waivers[0].problem, "it expired on 2026-06-29");
  EXPECT_EQ(exit_code(verdict), 5);
  EXPECT_THAT(summary(verdict), EndsWith("Waivers to update: accuracy/cos: it expired on 2026-06-29."));
}

TEST(Waivers, ThatAreNotNeededFailTheRun) {
  const auto verdict = judged(waiver_of("finite/cos"));
  ASSERT_THAT(verdict.stale_waivers, SizeIs(1));
  EXPECT_EQ(verdict.stale_waivers[0].problem, "the check passes without it");
  EXPECT_EQ(exit_code(verdict), 5);
}

TEST(Waivers, OfNoCheckFailTheRun) {
  const auto verdict = judged(waiver_of("accuracy/sin"));
  ASSERT_THAT(verdict.stale_waivers, SizeIs(1));
  EXPECT_EQ(verdict.stale_waivers[0].problem, "no check of this run has that id");
  EXPECT_EQ(exit_code(verdict), 5);
}

/// Whether a failure is there cannot be told of a check that decided nothing.
TEST(Waivers, OfAReplacedCheckAreOfTheOneInItsPlace) {
  Verdict verdict;
  verdict.checks = {{"state/history", Status::fail, "rows after a longer question are wrong"},
                    {"effects/determinism", Status::pass, "the same bits"}};
  const auto renamed = judged(waiver_of("state/longer"), verdict);
  EXPECT_EQ(renamed.checks[0].status, Status::waived);
  EXPECT_THAT(renamed.checks[0].reason, EndsWith("; state/longer is now state/history"));
  EXPECT_THAT(renamed.stale_waivers, SizeIs(0));
  const auto stale = judged(waiver_of("state/repeated"), verdict);
  ASSERT_THAT(stale.stale_waivers, SizeIs(1));
  EXPECT_EQ(stale.stale_waivers[0].problem,
            "the check passes without it; state/repeated is now effects/determinism");
  EXPECT_EQ(judged(waiver_of("use/packed"), verdict).stale_waivers.at(0).problem,
            "no check of this run has that id; use/packed is now use/order");
}

TEST(Waivers, OfAReplacedCheckStayWithItWhereItIsJudged) {
  Verdict verdict;
  verdict.checks = {{"state/longer", Status::fail, "wrong"}, {"state/history", Status::fail, "wrong"}};
  const auto waived = judged(waiver_of("state/longer"), verdict);
  EXPECT_EQ(waived.checks[0].status, Status::waived);
  EXPECT_EQ(waived.checks[1].status, Status::fail);
}

TEST(Waivers, OfChecksThatDecideNothingAreLeftAlone) {
  for (const auto status : {Status::skipped, Status::inconclusive, Status::error}) {
    auto verdict = failing_verdict();
    verdict.checks[0].status = status;
    const auto told = judged(waiver_of("accuracy/cos"), verdict);
    EXPECT_EQ(told.checks[0].status, status);
    EXPECT_THAT(told.stale_waivers, SizeIs(0));
  }
}

TEST(Waivers, SayTheirCeilingInOneClause) {
  const auto ceiling = [](const Waiver& waiver) { return judged(waiver).checks[0].waiver->ceiling; };
  auto waiver = waiver_of("accuracy/cos");
  EXPECT_EQ(ceiling(waiver), "any failure");
  waiver.greatest_budget_ratio = 3;
  waiver.where[0] = ClosedRange{10, 20};
  EXPECT_EQ(ceiling(waiver), "at most 3 times the budget, positions 10 to 20");
}

struct Limit {
  std::string what;
  void (*set)(Waiver& waiver);
  std::string problem;  ///< empty: the waiver covers the failure
};

TEST(Waivers, CoverNoWorseFailureThanTheySay) {
  const std::vector<Limit> limits{
      {"share of the budget", [](Waiver& w) { w.greatest_budget_ratio = 2.5; }, ""},
      {"smaller share", [](Waiver& w) { w.greatest_budget_ratio = 2.4; },
       "the worst is off by 2.50 times its budget, and its ceiling is 2.4"},
      {"elements", [](Waiver& w) { w.failing_share = 0.02; }, ""},
      {"fewer elements", [](Waiver& w) { w.failing_share = 0.01; },
       "2.0 % of the elements fail, and its ceiling is 1.0 %"},
      {"positions",
       [](Waiver& w) {
         w.where[0] = ClosedRange{10, 20};
       },
       ""},
      {"fewer positions",
       [](Waiver& w) {
         w.where[0] = ClosedRange{11, 20};
       },
       "positions 10 to 20 fail, and it covers positions 11 to 20"},
      {"columns",
       [](Waiver& w) {
         w.where[1] = ClosedRange{0, 8};
       },
       "columns 6 to 9 fail, and it covers columns 0 to 8"},
      {"pairs",
       [](Waiver& w) {
         w.where[2] = ClosedRange{4, 4};
       },
       "pairs 3 to 4 fail, and it covers pairs 4 to 4"},
      {"pairs",
       [](Waiver& w) {
         w.where[2] = ClosedRange{3, 63};
       },
       ""},
  };
  for (const auto& limit : limits) {
    SCOPED_TRACE(limit.what);
    auto waiver = waiver_of("accuracy/cos");
    limit.set(waiver);
    const auto verdict = judged(waiver);
    EXPECT_EQ(verdict.checks[0].status, limit.problem.empty() ? Status::waived : Status::fail);
    EXPECT_THAT(verdict.stale_waivers, SizeIs(0));
    if (!limit.problem.empty()) {
      EXPECT_THAT(verdict.checks[0].reason,
                  EndsWith(std::string("; its waiver (KERNEL-7) does not cover this: ") + limit.problem));
    }
  }
}

/// A limit that the check cannot be held to covers nothing.
TEST(Waivers, CoverNothingThatWasNotMeasured) {
  const std::vector<Limit> limits{
      {"no budget", [](Waiver& w) { w.greatest_budget_ratio = 100; }, "the check has no budget"},
      {"no count", [](Waiver& w) { w.failing_share = 1; }, "the check counts no elements"},
      {"no place",
       [](Waiver& w) {
         w.where[2] = ClosedRange{0, 1000};
       },
       "the check does not list all"},
  };
  for (const auto& limit : limits) {
    auto verdict = failing_verdict();
    verdict.checks[0] = {"effects/determinism", Status::fail, "two answers differ"};
    auto waiver = waiver_of("effects/determinism");
    limit.set(waiver);
    const auto told = judged(waiver, verdict);
    EXPECT_EQ(told.checks[0].status, Status::fail);
    EXPECT_THAT(told.checks[0].reason, HasSubstr(limit.problem));
  }
}

TEST(Waivers, NoCeilingCoversANumberThatIsNotFinite) {
  auto verdict = failing_verdict();
  verdict.checks[0].greatest_budget_ratio = std::numeric_limits<double>::infinity();
  auto waiver = waiver_of("accuracy/cos");
  waiver.greatest_budget_ratio = 1e9;
  EXPECT_EQ(judged(waiver, verdict).checks[0].status, Status::fail);
}

TEST(Waivers, DatesAreDaysOfTheCalendar) {
  EXPECT_EQ(date_text(parse_date("2028-02-29").value()), "2028-02-29");
  EXPECT_EQ(date_text(parse_date("0007-01-01").value()), "0007-01-01");
  for (const auto* bad : {"2027-02-29", "2027-13-01", "2027-00-10", "2027-1-1", "27-01-01", "2027-01-01 ",
                          "2027/01/01", "tomorrow", "", "+027-01-01", "2027-01-32"}) {
    EXPECT_FALSE(parse_date(bad)) << bad;
  }
}

class WaiverFile : public ::testing::Test {
 protected:
  std::vector<Waiver> read(const std::string& text) {
    folder_.write("waivers.json", text);
    return read_waivers(folder_.path() / "waivers.json");
  }

  /// A file of one waiver, one of whose keys is replaced by `replacement`.
  static std::string with(const std::string& key, const std::string& replacement) {
    std::string text;
    for (const auto& [name, value] :
         std::vector<std::pair<std::string, std::string>>{{"check", R"("accuracy/cos")"},
                                                          {"ceiling", R"({"budget_ratio": 3})"},
                                                          {"reason", R"("rounded")"},
                                                          {"issue", R"("KERNEL-7")"},
                                                          {"expires", R"("2026-06-30")"}}) {
      const auto shown = std::string("\"") + name + "\": " + value;
      const auto& chosen = name == key ? replacement : shown;
      text += chosen.empty() ? "" : (text.empty() ? "" : ", ") + chosen;
    }
    return std::string("[{") + text + "}]";
  }

  TemporaryFolder folder_;
};

TEST_F(WaiverFile, TellsEverythingOfAWaiver) {
  const auto waivers = read(with("ceiling", R"("ceiling": {"budget_ratio": 3.5, "failing": 0.25},
      "where": {"positions": [-4, 100000], "columns": [0, 1], "pairs": [2, 2]})"));
  ASSERT_THAT(waivers, SizeIs(1));
  const auto& waiver = waivers.front();
  EXPECT_EQ(waiver.check, "accuracy/cos");
  EXPECT_EQ(waiver.greatest_budget_ratio, 3.5);
  EXPECT_EQ(waiver.failing_share, 0.25);
  EXPECT_EQ(waiver.where[0]->least, -4);
  EXPECT_EQ(waiver.where[0]->greatest, 100000);
  EXPECT_EQ(waiver.where[1]->greatest, 1);
  EXPECT_EQ(waiver.where[2]->least, 2);
  EXPECT_EQ(waiver.expires, today);
  EXPECT_THAT(read("[]"), SizeIs(0));
}

TEST_F(WaiverFile, IsRefusedInOneSentence) {
  const std::vector<std::pair<std::string, std::string>> bad{
      {"{}", "expected an array of waivers"},
      {"[7]", "[0]: found 7, expected an object"},
      {"[", "line 1, column 2: not JSON: found the end, expected a value or a closing bracket"},
      {with("check", ""), "[0].check: missing"},
      {with("check", R"("check": " ")"), "[0].check: found the string \" \""},
      {with("reason", R"("reason": "")"), "[0].reason: "},
      {with("issue", R"("issue": 7)"), "[0].issue: found 7"},
      {with("expires", R"("expires": "soon")"), "[0].expires: found the string \"soon\", expected a date"},
      {with("expires", R"("expires": "2027-02-30")"), "expected a date"},
      {with("ceiling", ""), "[0].ceiling: missing"},
      {with("ceiling", R"("ceiling": {})"), "[0].ceiling: expected either"},
      {with("ceiling", R"("ceiling": {"any": true, "budget_ratio": 3})"), "[0].ceiling: expected either"},
      {with("ceiling", R"("ceiling": {"any": false})"), "[0].ceiling: expected either"},
      {with("ceiling", R"("ceiling": {"budget_ratio": 1})"),
       "[0].ceiling.budget_ratio: found 1, expected a multiple"},
      {with("ceiling", R"("ceiling": {"failing": 1.5})"), "[0].ceiling.failing: found 1.5"},
      {with("ceiling", R"("ceiling": {"worst": 3})"), "the unknown key \"worst\""},
      {with("issue", R"("issue": "a", "isue": "b")"), "the unknown key \"isue\""},
      {with("issue", R"("issue": "a", "where": {})"), "[0].where: found no key"},
      {with("issue", R"("issue": "a", "where": {"rows": [0, 1]})"), "the unknown key \"rows\""},
      {with("issue", R"("issue": "a", "where": {"pairs": 3})"), "[0].where.pairs: found 3"},
      {with("issue", R"("issue": "a", "where": {"pairs": [3]})"), "[0].where.pairs: found an array"},
      {with("issue", R"("issue": "a", "where": {"pairs": [3, 2]})"), "in ascending order"},
      {with("issue", R"("issue": "a", "where": {"pairs": [0, 0.5]})"), "[0].where.pairs[1]: found 0.5"},
      {with("issue", R"("issue": "a", "where": {"pairs": [0, 1e40]})"), "[0].where.pairs[1]: found 1e40"},
      {with("", "").insert(1, with("", "").substr(1, with("", "").size() - 2) + ", "), "one waiver a check"},
  };
  for (const auto& [text, sentence] : bad) {
    SCOPED_TRACE(text);
    EXPECT_THAT(refusal_of([&] { read(text); }), AllOf(HasSubstr("waivers.json"), HasSubstr(sentence)));
  }
}

}  // namespace
}  // namespace vernier
