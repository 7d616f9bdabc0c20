#include <cmath>
#include <limits>
#include <random>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "numerics/test/made_tensors.hpp"
#include "reports/test/program.hpp"
#include "reports/verdict/waivers.hpp"

namespace vernier {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::SizeIs;
using ::testing::StartsWith;

constexpr auto drafting_day =
    std::chrono::year_month_day{std::chrono::year{2026}, std::chrono::month{6}, std::chrono::day{30}};

Check failing_check() {
  Check check{"accuracy/cos", Status::fail, "2 of 100 elements are beyond their budget"};
  check.counts = {100, 100, 2, 0};
  check.greatest_budget_ratio = 2.5;
  check.failing_extent = FailingExtent{{-3, 20}, {6, 9}, {3, 4}};
  return check;
}

/// The verdict under the waivers that are drafted from it, as they are read from a file.
Verdict waived(Verdict verdict) {
  const TemporaryFolder folder;
  folder.write("waivers.json", drafted_waivers(verdict, drafting_day).dump());
  apply_waivers(verdict, read_waivers(folder.path() / "waivers.json"), drafting_day);
  return verdict;
}

TEST(DraftedWaivers, SayWhereAndHowBadAndWhatToReplace) {
  Verdict verdict;
  verdict.checks = {failing_check(), {"finite/cos", Status::pass, "all are finite"}};
  EXPECT_EQ(drafted_waivers(verdict, drafting_day), OrderedJson::parse(R"([{"check": "accuracy/cos",
      "where": {"positions": [-3, 20], "columns": [6, 9], "pairs": [3, 4]},
      "ceiling": {"budget_ratio": 2.52, "failing": 0.0202},
      "reason": "drafted by vernier validate --write-waivers: replace this by why the failure is tolerated",
      "issue": "none yet: replace this by the issue that tracks the failure", "expires": "2026-09-28"}])"));
  EXPECT_EQ(exit_code(waived(verdict)), 0);
  EXPECT_EQ(headline(waived(verdict)), "conforms, with 1 waived failure");
}

/// What has no number, or none that a ceiling can have, is waived whatever it is.
TEST(DraftedWaivers, CoverFailuresOfEveryKind) {
  Verdict verdict;
  verdict.checks = {failing_check(),
                    {"effects/determinism", Status::fail, "two answers differ"},
                    {"finite/cos", Status::pass, "all are finite"}};
  verdict.checks[0].counts = {};
  verdict.checks[0].greatest_budget_ratio = std::numeric_limits<double>::infinity();
  verdict.checks[0].failing_extent->pairs = {FailingExtent::no_pair, FailingExtent::no_pair};
  const auto draft = drafted_waivers(verdict, drafting_day);
  ASSERT_THAT(draft, SizeIs(2));
  EXPECT_EQ(draft[0]["ceiling"], OrderedJson({{"any", true}}));
  EXPECT_FALSE(draft[0]["where"].contains("pairs"));
  EXPECT_EQ(draft[1]["ceiling"], OrderedJson({{"any", true}}));
  EXPECT_FALSE(draft[1].contains("where"));
  EXPECT_EQ(exit_code(waived(verdict)), 0);
}

/// Rounding never makes a waiver that does not cover what it was drafted from.
TEST(DraftedWaivers, CoverWhatTheyWereDraftedFrom) {
  std::mt19937_64 draw(20170612);
  for (int round = 0; round < 200; ++round) {
    auto check = failing_check();
    const std::uint64_t elements = 1 + draw() % (std::uint64_t{1} << draw() % 40);
    const std::uint64_t failing = 1 + draw() % elements;
    check.counts = {elements, elements, failing, 0};
    const auto excess =
        static_cast<double>(1 + draw() % 1000000) * std::pow(10.0, static_cast<double>(draw() % 300) - 16);
    check.greatest_budget_ratio = 1 + excess;
    Verdict verdict;
    verdict.checks = {check, {"finite/cos", Status::pass, "all are finite"}};
    ASSERT_EQ(waived(verdict).checks[0].status, Status::waived)
        << failing << " of " << elements << ", " << excess;
  }
}

TEST_F(Program, WritesWaiversThatItThenReads) {
  const std::string draft = "validate bad.json --write-waivers waivers.json --date 2026-06-30";
  const auto written = run(draft);
  EXPECT_EQ(written.exit_code, 1);
  EXPECT_THAT(written.out, StartsWith("small: does not conform"));
  EXPECT_THAT(written.err, AllOf(StartsWith("vernier: waivers.json: "), HasSubstr("until 2026-09-28")));
  const auto fails = static_cast<std::size_t>(OrderedJson::parse(slurp("waivers.json")).size());
  EXPECT_GE(fails, 1U);
  const auto waived = run("validate bad.json --waivers waivers.json --date 2026-09-28");
  EXPECT_EQ(waived.exit_code, 0) << waived.out;
  EXPECT_THAT(waived.out, StartsWith("small: conforms, with " + std::to_string(fails) + " waived failure"));
  EXPECT_EQ(run("validate bad.json --waivers waivers.json --date 2026-09-29").exit_code, 5);
  expect_refused(draft, "waivers.json: exists already");
  EXPECT_EQ(run("validate good.json --write-waivers none.json").exit_code, 0);
  EXPECT_EQ(slurp("none.json"), "[]\n");
}

TEST_F(Program, RefusesToWriteWaiversWhereItCannot) {
  folder_.write("waivers.json", "[]");
  expect_refused("validate bad.json --write-waivers -", "--write-waivers");
  expect_refused("validate bad.json --write-waivers a.json --waivers waivers.json",
                 "expected one of the two");
  expect_refused("validate bad.json --write-waivers a.json --json a.json", "a.json");
  expect_refused("validate bad.json --write-waivers no/such/folder/a.json", "no/such/folder");
}

}  // namespace
}  // namespace vernier
