// The command: what it writes, in which form, and what it refuses.

#include <nlohmann/json.hpp>

#include "reports/test/compare_documents.hpp"
#include "reports/test/made_verdicts.hpp"

namespace vernier {
namespace {

using enum Status;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

TEST_F(Compare, TellsTheWorstFirst) {
  finding({{"a", pass}, {"b", pass, 0.4}, {"c", fail, 3}, {"d", pass}},
          {{"a", pass}, {"b", pass, 0.2}, {"c", fail, 40}, {"d", fail}, {"e", pass}}, 1);
  EXPECT_EQ(run("compare before.json after.json").out,
            "2 checks got worse, 1 got better, 1 is new, 1 is the same\n"
            "  before  before.json: made does not conform, made by a library\n"
            "  after   after.json: made does not conform, made by a library\n"
            "  The tensors do not conform: c, d failed; the worst element is off by 40.0 times its budget.\n"
            "  worse   c: fail; is off by 40.0 times its budget, was 3.00 times; so it is\n"
            "  worse   d: fail, was pass; so it is\n"
            "  new     e: pass\n"
            "  better  b: pass; uses 20 % of its budget, was 40 %\n");
  EXPECT_THAT(
      run("compare before.json after.json --verbose").out,
      AllOf(HasSubstr("\n  same    a: pass\n"), HasSubstr("the share of the budget 40, was 3 (worse)\n")));
}

TEST_F(Compare, PutsManyVerdictsIntoATable) {
  write("x.json", made_verdict({{"a", pass, 0.4}, {"b", pass}, {"c", pass}}));
  write("y.json", made_verdict({{"a", fail, 4}, {"b", pass}, {"c", pass}}));
  write("z.json", made_verdict({{"a", pass, 0.4}, {"b", skipped}, {"c", pass}}));
  const auto outcome = run("compare x.json y.json z.json");
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_EQ(outcome.out,
            "1 of 2 verdicts is worse than x: y (1 check)\n"
            "   1  x.json: made conforms, made by a library\n"
            "   2  y.json: made does not conform, made by a library\n"
            "   3  z.json: made conforms, made by a library\n"
            "  check  1             2                         3\n"
            "  a      pass, 40.0 %  fail, 4.00 times (worse)  pass, 40.0 %\n"
            "  b      pass          pass                      skipped\n"
            "  1 more check, the same in all: see --verbose\n");
  EXPECT_THAT(run("compare x.json z.json x.json").out,
              StartsWith("none of 2 verdicts is worse than x.json\n"));
}

/// Of many the page says why where a check is worst: here both are worse, and the last one fails.
TEST_F(Compare, ExplainsTheWorstOfMany) {
  write("x.json", made_verdict({{"a", pass, 0.2}}));
  write("y.json", made_verdict({{"a", pass, 0.4}}));
  write("z.json", made_verdict({{"a", fail, 4}}));
  run("compare x.json y.json z.json --html page.html");
  EXPECT_THAT(slurp("page.html"),
              HasSubstr(">z: fail, was pass; is off by 4.00 times its budget, was 20.0 %; so it is<"));
  EXPECT_THAT(run("compare x.json y.json z.json --verbose").out,
              AllOf(HasSubstr("\n  worse   a in 2: pass; uses 40 % of its budget, was 20 %\n"),
                    HasSubstr("\n  worse   a in 3: fail, was pass; is off by ")));
}

TEST_F(Compare, NamesFilesByTheirPathsWhereNamesAreTheSame) {
  std::filesystem::create_directory(folder_.path() / "a");
  std::filesystem::create_directory(folder_.path() / "b");
  write("a/v.json", made_verdict({{"a", pass}}));
  write("b/v.json", made_verdict({{"a", fail}}));
  EXPECT_THAT(run("compare a/v.json b/v.json a/v.json").out,
              StartsWith("1 of 2 verdicts is worse than a/v.json: b/v.json"));
}

TEST_F(Compare, TellsAllOfItAsJson) {
  finding({{"a", pass, 0.2}, {"b", pass}}, {{"a", pass, 0.4}, {"c", pass}}, 1, "--json out.json");
  const auto document = nlohmann::json::parse(slurp("out.json"));
  EXPECT_EQ(document.at("vernier_comparison"), 1);
  EXPECT_EQ(document.at("documents").at(1).at("file"), "after.json");
  const auto& one = document.at("comparisons").at(0);
  EXPECT_EQ(one.at("got_worse"), true);
  EXPECT_EQ(one.at("counts"),
            nlohmann::json({{"worse", 1}, {"gone", 1}, {"new", 1}, {"better", 0}, {"same", 0}}));
  EXPECT_EQ(one.at("checks").at(0).at("figures").at(0).at("before"), 0.2);
  EXPECT_EQ(one.at("checks").at(2).at("after"), nullptr);
  EXPECT_EQ(nlohmann::json::parse(run("compare before.json after.json --json -").out), document);
}

TEST_F(Compare, WritesOnePage) {
  finding({{"a", pass, 0.2}, {"b", pass}}, {{"a", pass, 0.4}, {"b", fail}}, 1, "--html page.html");
  const auto page = slurp("page.html");
  EXPECT_LT(page.find("<span class=\"status status-fail\">worse</span> fail</td>"),
            page.find("The verdicts"));
  EXPECT_THAT(page, AllOf(StartsWith("<!doctype html>"), HasSubstr("2 checks got worse"),
                          HasSubstr("uses 40 % of its budget, was 20 %"), Not(HasSubstr("<script"))));
}

TEST_F(Compare, ShowsNothingThatCommandsATerminalOrAPage) {
  const auto verdicts = verdicts_of_all_conclusions(hostile_text());
  write("x.json", verdicts[0]);
  write("y.json", verdicts[4]);
  for (const std::string files : {"x.json y.json", "y.json x.json", "x.json y.json x.json"}) {
    auto text = run("compare --verbose " + files + " --html page.html --history h.jsonl").out;
    std::erase(text, '\n');
    EXPECT_THAT(text, AllOf(Not(HasSubstr("\x1b")), Not(HasSubstr("\xc2\x9b")), Not(HasSubstr("\x01")),
                            Not(HasSubstr("\r"))));
    EXPECT_THAT(slurp("page.html"), AllOf(Not(HasSubstr("<script>alert")), HasSubstr("&lt;script&gt;alert")));
  }
}

TEST_F(Compare, RefusesWhatIsNoVerdict) {
  const auto good = made_verdict({{"a", pass, 0.2}});
  write("good.v", good);
  const auto text = json_output().render(good);
  const auto broken = [&](const std::string& from, const std::string& to) {
    auto changed = text;
    const auto at = changed.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    folder_.write("broken.v", changed.replace(at, from.size(), to));
  };
  const auto expect = [&](const std::string& sentence) {
    expect_refused("compare good.v broken.v", sentence);
  };
  folder_.write("broken.v", text);
  expect_refused("compare good.v", "compare: found one verdict document, expected two or more");
  expect_refused("compare good.v none.v", "none.v: no such file");
  expect_refused("compare good.v spec.json",
                 "spec.json: found no key \"vernier_verdict\", expected a verdict document");
  folder_.write("broken.v", text.substr(0, text.size() / 2));
  expect("broken.v, line ");
  folder_.write("broken.v", "");
  expect("broken.v, line 1");
  broken("\"vernier_verdict\": 2", "\"vernier_verdict\": 3");
  expect("broken.v: vernier_verdict: found 3, expected 2: a newer vernier wrote it");
  broken("\"vernier_verdict\": 2", "\"vernier_verdict\": 1");
  expect("broken.v: vernier_verdict: found 1, expected 2: an older vernier wrote it");
  broken("\"head_dim\": 8", "\"head_dim\": 16");
  expect("broken.v: spec.head_dim: found 16, expected 8 as in good.v");
  broken("\"head_dim\": 8", "\"head_dims\": 8");
  expect("broken.v: spec.head_dim: found nothing, expected 8 as in good.v");
  broken("\"status\": \"pass\"", "\"status\": \"ok\"");
  expect("broken.v: checks[0].status: found the string \"ok\", expected pass, fail, waived");
  broken("\"verdict\": \"conforms\"", "\"verdict\": \"fine\"");
  expect("broken.v: verdict: found the string \"fine\", expected conforms, ");
  broken("\"greatest_budget_ratio\": 0.2", "\"greatest_budget_ratio\": -0.2");
  expect("broken.v: checks[0].greatest_budget_ratio: found -0.2, expected a number of 0 or more");
  broken("\"checks\": [", "\"checks\": 7, \"more\": [");
  expect("broken.v: checks: found 7, expected a list");
  auto twice = good;
  twice.checks.push_back(twice.checks[0]);
  write("broken.v", twice);
  expect("broken.v: checks[1].id: found \"a\" once more");
}

TEST_F(Compare, WritesEachOutputToAFileOfItsOwn) {
  write("a.v", made_verdict({{"a", pass}}));
  write("b.v", made_verdict({{"a", pass}}));
  expect_refused("compare a.v b.v --json b.v", "--json: found b.v, which VERDICT names as well");
  expect_refused("compare a.v b.v --history a.v", "--history: found a.v, which VERDICT names as well");
  expect_refused("compare a.v b.v --json x --html x", "which --");
  expect_refused("compare a.v b.v --json x --history x", "which --");
  expect_refused("compare a.v b.v --json - --html -", "found two outputs to '-'");
  expect_refused("compare a.v b.v --slack -1", "--slack");
}

/// Every document that the program writes can be compared with itself.
TEST_F(Compare, ReadsWhatValidateWrites) {
  for (const std::string name : {"good", "bad"}) {
    run("validate " + name + ".json -q --json " + name + ".verdict");
    const auto outcome = run("compare " + name + ".verdict " + name + ".verdict");
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr("checks are the same\n"));
  }
  EXPECT_EQ(run("compare good.verdict bad.verdict").exit_code, 1);
  EXPECT_EQ(run("compare bad.verdict good.verdict").exit_code, 0);
  for (const auto& verdict : verdicts_of_all_conclusions("x")) {
    EXPECT_THAT(finding(verdict, verdict, 0), HasSubstr("the same"));
  }
}

/// The folder holds a document of each form that there has been since 0.2.0, of the same tensors.
TEST_F(Compare, ReadsDocumentsOfEveryVersion) {
  std::size_t documents = 0;
  const std::string latest = VERNIER_VERDICT_DOCUMENTS "/unreleased.json";
  for (const auto& entry : std::filesystem::directory_iterator(VERNIER_VERDICT_DOCUMENTS)) {
    const auto outcome = run("compare -v " + entry.path().string() + " " + latest);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_THAT(outcome.out, AllOf(StartsWith("3 checks are the same\n"),
                                   HasSubstr("\n            the root mean square error "),
                                   HasSubstr("\n            the share that is faithful 1\n")));
    ++documents;
  }
  EXPECT_EQ(documents, 3U);
}

}  // namespace
}  // namespace vernier
