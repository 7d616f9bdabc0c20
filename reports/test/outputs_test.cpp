#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "reports/outputs/output.hpp"
#include "reports/test/made_verdicts.hpp"
#include "reports/words/value_text.hpp"

namespace vernier {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

std::string rendered(std::string_view name, const Verdict& verdict) {
  for (const auto& output : outputs()) {
    if (output.name == name) {
      return output.render(verdict);
    }
  }
  ADD_FAILURE() << "no output " << name;
  return {};
}

std::size_t occurrence_count(const std::string& text, std::string_view part) {
  std::size_t count = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
    ++count;
  }
  return count;
}

nlohmann::json sarif(const Verdict& verdict) {
  return nlohmann::json::parse(rendered("sarif", verdict)).at("runs").at(0);
}

TEST(Outputs, ShowNothingThatCommandsATerminalOrHides) {
  const auto verdict = verdict_of_all_kinds(hostile_text());
  for (const auto name : {"text", "full text", "html", "junit", "sarif"}) {
    SCOPED_TRACE(name);
    auto text = std::string_view(name) == "full text" ? render_full_text(verdict) : rendered(name, verdict);
    std::erase(text, '\n');
    EXPECT_THAT(text, AllOf(Not(HasSubstr("\x1b")), Not(HasSubstr("\xc2\x9b")), Not(HasSubstr("\x01")),
                            Not(HasSubstr("\r")), Not(HasSubstr("\xe2\x80\xae")),
                            Not(HasSubstr("\xef\xbf\xbe")), Not(HasSubstr("\xff"))));
  }
}

/// A name with a line break cannot put a line of its own into what the terminal shows.
TEST(Outputs, NoTextOfAStrangerBeginsALine) {
  const auto text = render_full_text(verdict_of_all_kinds(hostile_text()));
  EXPECT_THAT(text, AllOf(HasSubstr("?verdict: conforms"), Not(HasSubstr("\nverdict: conforms"))));
}

TEST(Outputs, MarkupInNamesIsText) {
  const auto verdict = verdict_of_all_kinds(hostile_text());
  const auto html = rendered("html", verdict);
  EXPECT_THAT(html, AllOf(Not(HasSubstr("<script>alert")), HasSubstr("&lt;script&gt;alert")));
  const auto junit = rendered("junit", verdict);
  EXPECT_THAT(junit, AllOf(Not(HasSubstr("<script>")), Not(HasSubstr("]]>")), HasSubstr("&amp;amp;")));
  EXPECT_EQ(occurrence_count(junit, "<testcase "), occurrence_count(junit, "</testcase>"));
}

/// JSON tells a name as it is: a program that reads it gets the bytes back, those that are UTF-8.
TEST(Outputs, JsonKeepsTexts) {
  const std::string name = "a\x1b[31m\n\xe2\x80\xae<b>";
  EXPECT_EQ(nlohmann::json::parse(rendered("json", verdict_of_all_kinds(name))).at("case"), name);
}

TEST(Outputs, JsonTellsWhereAnImplementationIsWrong) {
  Verdict verdict;
  verdict.checks = {{.id = "use/lengths", .status = Status::fail, .finding = "wrong from row 33 on"},
                    {.id = "use/order", .status = Status::pass}};
  auto& boundary = verdict.checks.front().boundary.emplace();
  boundary.wrong_where = {{Coordinate::rows, Relation::at_least, 33}};
  boundary.is_confirmed = true;
  const auto checks = nlohmann::json::parse(rendered("json", verdict)).at("checks");
  EXPECT_EQ(checks.at(0).at("boundary"),
            nlohmann::json({{"where", "rows>=33"}, {"words", "wrong from row 33 on"}, {"confirmed", true}}));
  EXPECT_FALSE(checks.at(1).contains("boundary"));
}

TEST(Outputs, JunitCountsWhatBecameOfTheChecks) {
  const auto junit = rendered("junit", verdict_of_all_kinds("x"));
  EXPECT_THAT(junit, HasSubstr(R"(<testsuite name="x" tests="7" failures="2" errors="2" skipped="2">)"));
  EXPECT_THAT(junit, HasSubstr(R"(<property name="greatest share of the budget used" value="inf"/>)"));
  EXPECT_THAT(junit, HasSubstr("<error message=\"x\" type=\"inconclusive\">"));
}

/// A reader of JUnit takes a suite without failures for a success.
TEST(Outputs, JunitFailsWheneverTheRunDoes) {
  for (const auto& verdict : verdicts_of_all_conclusions("x")) {
    const auto junit = rendered("junit", verdict);
    const bool fails =
        junit.find("<failure") != std::string::npos || junit.find("<error") != std::string::npos;
    EXPECT_EQ(fails, exit_code(verdict) != 0) << junit;
  }
}

TEST(Outputs, SarifTellsFindingsWithTheirRules) {
  const auto run = sarif(verdict_of_all_kinds("x"));
  const auto& results = run.at("results");
  ASSERT_EQ(results.size(), 4U);  // not the check that passes, nor the one that was skipped
  EXPECT_EQ(results[0].at("ruleId"), "accuracy/role");
  EXPECT_EQ(results[0].at("level"), "error");
  EXPECT_THAT(results[0].at("message").at("text").get<std::string>(), HasSubstr("expected 0.5"));
  EXPECT_EQ(results[1].at("suppressions").at(0).at("status"), "accepted");
  EXPECT_EQ(results[2].at("level"), "note");
  for (const auto& result : results) {
    const auto index = result.at("ruleIndex").get<std::size_t>();
    EXPECT_EQ(run.at("tool").at("driver").at("rules").at(index).at("id"), result.at("ruleId"));
    EXPECT_EQ(result.contains("suppressions"), result.at("properties").at("status") == "waived");
  }
}

/// A finding is known again by its fingerprint: the same of the same case and check, whatever was measured.
TEST(Outputs, SarifFingerprintsNameCaseAndCheck) {
  const auto fingerprint = [](const Verdict& verdict, std::size_t index) {
    return sarif(verdict).at("results").at(index).at("partialFingerprints").at("caseAndCheck/v1");
  };
  const auto verdict = verdict_of_all_kinds("x");
  auto another_error = verdict;
  another_error.checks[0].reason = "y";
  auto another_case = verdict;
  another_case.name = "y";
  EXPECT_EQ(fingerprint(verdict, 0), fingerprint(another_error, 0));
  EXPECT_NE(fingerprint(verdict, 0), fingerprint(another_case, 0));
  EXPECT_NE(fingerprint(verdict, 0), fingerprint(verdict, 1));
}

/// Code scanning finds the file by a path from the sources' root, in which spaces are in per cent.
TEST(Outputs, SarifLocatesTheCaseFile) {
  auto verdict = verdict_of_all_kinds("x");
  const auto uri = [&](const std::string& source) {
    verdict.source = source;
    return sarif(verdict)
        .at("results")
        .at(0)
        .at("locations")
        .at(0)
        .at("physicalLocation")
        .at("artifactLocation")
        .at("uri")
        .get<std::string>();
  };
  EXPECT_EQ(uri("cases/my rope#1.json"), "cases/my%20rope%231.json");
  EXPECT_EQ(uri((std::filesystem::current_path() / "case.json").string()), "case.json");
  EXPECT_EQ(uri("/nowhere/case.json"), "file:///nowhere/case.json");
}

TEST(ValueText, OneLineKeepsTextOfAnyLanguage) {
  EXPECT_EQ(one_line("Größe ∆ 位置 \xf0\x9f\x98\x80"), "Größe ∆ 位置 \xf0\x9f\x98\x80");
}

TEST(ValueText, OneLineShowsBytesThatAreNotUtf8) {
  EXPECT_EQ(one_line("\xe2\x82"), "??");                 // cut short
  EXPECT_EQ(one_line("\xc0\xaf\xe0\x80\xaf"), "?????");  // longer than need be
  EXPECT_EQ(one_line("\xed\xa0\x80"), "???");            // a surrogate
  EXPECT_EQ(one_line("\xf4\x90\x80\x80"), "????");       // beyond Unicode
  EXPECT_EQ(one_line("\x80"
                     "a"),
            "?a");
}

}  // namespace
}  // namespace vernier
