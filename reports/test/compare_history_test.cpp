// The history of runs: what is appended, that reading validates it, and the trend that it shows.

#include <limits>

#include "reports/html/charts/sparkline.hpp"
#include "reports/outputs/comparisons/verdict_document.hpp"
#include "reports/test/compare_documents.hpp"

namespace vernier {
namespace {

using enum Status;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsNan;
using ::testing::Not;

class History : public Compare {
 protected:
  History() { write("first.v", verdict(0.2)); }

  static Verdict verdict(double share) {
    return made_verdict({{"a", share > 1 ? fail : pass, share}, {"b", waived, 9}, {"c", pass}});
  }

  RunOutcome append(double share, const std::string& label) const {
    write("next.v", verdict(share));
    return run("compare first.v next.v --history h.jsonl --label " + label + " --html page.html");
  }

  RunHistory read() const { return read_history((folder_.path() / "h.jsonl").string()); }

  void expect_bad_history(const std::string& text, const std::string& sentence) const {
    folder_.write("h.jsonl", text);
    expect_refused("compare first.v first.v --history h.jsonl", sentence);
    EXPECT_EQ(slurp("h.jsonl"), text);
  }
};

TEST_F(History, GrowsByARun) {
  EXPECT_THAT(append(0.2, "one").out, Not(HasSubstr("trend")));
  append(0.25, "two");
  const auto outcome = append(3, "three");
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("  trend   the worst of all: 20.0 %, 25.0 %, 3.00 times\n"),
                                 HasSubstr("  trend   a: 20.0 %, 25.0 %, 3.00 times\n")));
  const auto history = read();
  ASSERT_EQ(history.size(), 3U);
  EXPECT_EQ(history[1].label, "two");
  EXPECT_EQ(history[1].name, "made");
  EXPECT_EQ(history[2].conclusion, Conclusion::does_not_conform);
  EXPECT_EQ(history[2].check_named("a")->status, fail);
  EXPECT_EQ(history[2].check_named("b")->budget_ratio(), 9);
  EXPECT_EQ(history[2].check_named("c")->budget_ratio(), std::nullopt);
  EXPECT_THAT(budget_trend(history, ""), ElementsAre(0.2, 0.25, 3));  // what is waived is no news
  EXPECT_THAT(budget_trend(history, "b"), ElementsAre(9, 9, 9));
  EXPECT_THAT(budget_trend(history, "c"), ElementsAre(IsNan(), IsNan(), IsNan()));
  EXPECT_THAT(slurp("page.html"),
              AllOf(HasSubstr("<svg class=\"sparkline\""), HasSubstr("in the last 3 runs")));
}

TEST_F(History, HoldsManyCases) {
  append(0.2, "one");
  auto other = verdict(0.9);
  other.name = "another";
  other.spec["head_dim"] = 16;
  write("other.v", other);
  EXPECT_THAT(run("compare other.v other.v --history h.jsonl").out, Not(HasSubstr("trend")));
  EXPECT_THAT(append(0.25, "two").out, HasSubstr("the worst of all: 20.0 %, 25.0 %\n"));
  const auto history = read();
  ASSERT_EQ(history.size(), 3U);
  EXPECT_EQ(history[1].name, "another");
  EXPECT_EQ(runs_of_case(history, history[0]).size(), 2U);
}

/// A line as version 0.1.0 wrote it when a file held one spec only.
TEST_F(History, ReadsOlderFiles) {
  const std::string older =
      R"({"vernier_history":1,"label":"one","case":"made","producer":"a library","version":"0.1.0","verdict":"conforms","spec":{"scheme":"rope","head_dim":8},"checks":[{"id":"a","status":"pass","budget_ratio":0.5}]})"
      "\n";
  folder_.write("h.jsonl", older);
  EXPECT_THAT(append(0.25, "two").out, HasSubstr("the worst of all: 50.0 %, 25.0 %\n"));
  EXPECT_EQ(slurp("h.jsonl").substr(0, older.size()), older);
}

/// What `report` is to append to is looked at before anything is computed, and stays as it is if it is not
/// ours.
TEST_F(History, OfAReportIsOnlyAppendedToIfItIsOne) {
  folder_.write("list.json", R"({"implementations": []})");
  expect_refused("report --history h.jsonl", "found --history without --implementations");
  expect_refused("report --implementations list.json --history list.json", "--implementations names as well");
  const std::string notes = "Remember the milk.\n";
  folder_.write("notes.txt", notes);
  expect_refused("report --implementations list.json --history notes.txt",
                 "notes.txt, run 1, line 1, column 1");
  EXPECT_EQ(slurp("notes.txt"), notes);
  expect_refused("report --implementations list.json --history no/h.jsonl -o .", "");
}

TEST_F(History, IsNamedByTheFileWithoutALabel) {
  EXPECT_EQ(run("compare first.v first.v --history h.jsonl").exit_code, 0);
  EXPECT_EQ(read().front().label, "first.v");  // both files have one name, so that it is the path
}

TEST_F(History, KeepsInfiniteShares) {
  append(std::numeric_limits<double>::infinity(), "one");
  append(0.2, "two");
  EXPECT_EQ(budget_trend(read(), "").front(), std::numeric_limits<double>::infinity());
}

TEST_F(History, IsValidatedAsItIsRead) {
  append(0.2, "one");
  append(0.3, "two");
  const auto text = slurp("h.jsonl");
  const auto second = text.find('\n') + 1;
  expect_bad_history(text.substr(0, text.size() - 1), "h.jsonl, run 2: found the end of the file");
  expect_bad_history(text.substr(0, second + 40) + "\n", "h.jsonl, run 2, line 1, column ");
  expect_bad_history(text + "{}\n", "h.jsonl, run 3: vernier_history: missing, expected ");
  const auto changed = [&](const std::string& from, const std::string& to) {
    auto result = text;
    return result.replace(result.find(from, second), from.size(), to);
  };
  expect_bad_history(changed("\"vernier_history\":1", "\"vernier_history\":2"),
                     "run 2: vernier_history: found 2");
  expect_bad_history(changed("\"waived\"", "\"wavered\""),
                     "run 2: checks[1].status: found the string \"wavered\"");
  expect_bad_history(changed("\"budget_ratio\":0.3", "\"budget_ratio\":\"much\""),
                     "run 2: checks[0].budget_ratio");
  expect_bad_history(changed("\"case\"", "\"cases\""), "h.jsonl, run 2: case: missing");
  expect_bad_history(changed("\"head_dim\":8", "\"head_dim\":16"),
                     "h.jsonl, run 2: spec.head_dim: found 16, expected 8 as in first.v");
}

TEST(Sparkline, DrawsSharesBetweenZeroAndTwiceTheBudget) {
  constexpr auto nan = std::numeric_limits<double>::quiet_NaN();
  const auto svg = sparkline(std::vector<double>{0, 1, infinity}, "a \"trend\"");
  EXPECT_THAT(svg, AllOf(HasSubstr("aria-label=\"a &quot;trend&quot;\""),
                         HasSubstr("d=\"M2.0 18.0L48.0 10.0L94.0 2.0\""),
                         HasSubstr("<circle cx=\"94.0\" cy=\"2.0\" r=\"2\"/>"), EndsWith("</svg>")));
  EXPECT_THAT(sparkline(std::vector<double>{0, nan, 2}, ""), HasSubstr("d=\"M2.0 18.0M94.0 2.0\""));
  EXPECT_THAT(sparkline(std::vector<double>{nan}, ""), Not(HasSubstr("circle")));
  EXPECT_THAT(sparkline(std::vector<double>{1}, ""), HasSubstr("d=\"M2.0 10.0\""));
}

}  // namespace
}  // namespace vernier
