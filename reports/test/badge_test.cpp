// The verdict as a badge: its words, its colour, its sizes, and that no name of a stranger gets into it.

#include "reports/outputs/badge.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "reports/html/markup.hpp"
#include "reports/outputs/output.hpp"
#include "reports/test/made_verdicts.hpp"
#include "reports/test/program.hpp"

namespace vernier {
namespace {

using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

Verdict verdict_of(const std::vector<Status>& statuses) {
  Verdict verdict{.name = "a"};
  for (const auto status : statuses) {
    verdict.checks.push_back({.id = "check/" + std::to_string(verdict.checks.size()), .status = status});
  }
  return verdict;
}

constexpr auto green = "17693c";
constexpr auto red = "b42318";
constexpr auto amber = "7a5200";

void expect_badge(const Verdict& verdict, const std::string& message, const std::string& colour) {
  const auto badge = badge_of(verdict);
  EXPECT_EQ(badge.message, message);
  EXPECT_EQ(badge.colour, colour) << message;
}

TEST(Badge, SaysTheVerdictInAFewWords) {
  using enum Status;
  expect_badge(verdict_of({pass, skipped}), "conforms", green);
  expect_badge(verdict_of({pass, waived, waived, waived}), "conforms, 3 waived", amber);
  expect_badge(verdict_of({pass, fail}), "fails 1 check", red);
  expect_badge(verdict_of({fail, fail, error, waived}), "fails 2 checks, 1 waived", red);
  expect_badge(verdict_of({pass, inconclusive}), "inconclusive", amber);
  expect_badge(verdict_of({pass, error}), "inconclusive", amber);
  expect_badge(verdict_of({skipped}), "nothing checked", "57606a");
}

/// A green badge says that all that was asked conforms.
TEST(Badge, IsNotGreenWithAReserve) {
  auto stale = verdict_of({Status::pass});
  stale.stale_waivers = {{"check/0", "KERNEL-7", "it expired"}};
  expect_badge(stale, "conforms, 1 stale waiver", amber);
  auto quick = verdict_of({Status::pass});
  quick.asking = {.coverage = {{"cos", {.asked = 3, .of = 8, .largest_gap = 2}}}, .quick = true};
  expect_badge(quick, "conforms, quick look", amber);
}

TEST(Badge, HoldsNoNames) {
  for (const auto& verdict : verdicts_of_all_conclusions(hostile_text())) {
    const auto svg = badge_output().render(verdict);
    EXPECT_THAT(svg, AllOf(StartsWith("<svg xmlns=\"http://www.w3.org/2000/svg\""), EndsWith("</svg>\n"),
                           Not(HasSubstr("script")), Not(HasSubstr("alert")), Not(HasSubstr("&lt;"))));
    const auto endpoint = nlohmann::json::parse(badge_output().render_as_json(verdict));
    EXPECT_EQ(endpoint.at("schemaVersion"), 1);
    EXPECT_EQ(endpoint.at("label"), "Vernier");
    EXPECT_EQ(endpoint.at("message"), badge_of(verdict).message);
    EXPECT_EQ(endpoint.at("color"), badge_of(verdict).colour);
    EXPECT_EQ(endpoint.contains("isError"), outcome(verdict) == Conclusion::does_not_conform);
  }
}

TEST(Badge, EscapesItsMessage) {
  EXPECT_THAT(badge_svg({.message = "<b>&\"", .colour = red}),
              AllOf(HasSubstr("&lt;b&gt;&amp;&quot;"), Not(HasSubstr("<b>"))));
  EXPECT_EQ(as_markup("a<b>&\"c"), "a&lt;b&gt;&amp;&quot;c");
}

/// By the widths of DejaVu Sans: 4.65 em of "conforms", 3.65 em of "Vernier", 11 px high, four paddings of 6
/// px.
TEST(Badge, IsAsWideAsItsText) {
  EXPECT_THAT(badge_svg({.message = "conforms", .colour = green}),
              AllOf(HasSubstr("textLength=\"51."), HasSubstr("width=\"115.3\"")));
}

TEST(Badge, StandsOnThePageOfTheVerdict) {
  const auto page = html_output().render(verdict_of({Status::fail}));
  EXPECT_LT(page.find("aria-label=\"Vernier: fails 1 check\""), page.find("<h1>"));
}

TEST(Badge, OfAFileInJsonIsAnEndpoint) {
  const auto verdict = verdict_of({Status::pass});
  EXPECT_THAT(text_for_file(badge_output(), verdict, "badge.svg", false), StartsWith("<svg"));
  EXPECT_THAT(text_for_file(badge_output(), verdict, "-", true), StartsWith("<svg"));
  EXPECT_THAT(text_for_file(badge_output(), verdict, "badge.json", false), StartsWith("{"));
  EXPECT_THAT(text_for_file(text_output(), verdict, "verdict.json", false), StartsWith("a: conforms"));
}

class BadgeOption : public Program {};

TEST_F(BadgeOption, WritesABadge) {
  EXPECT_EQ(run("validate good.json -q --badge good.svg").exit_code, 0);
  EXPECT_THAT(slurp("good.svg"), HasSubstr(">conforms</text>"));
  EXPECT_EQ(run("validate bad.json -q --badge bad.json.json").exit_code, 1);
  EXPECT_EQ(nlohmann::json::parse(slurp("bad.json.json")).at("isError"), true);
  EXPECT_THAT(run("validate good.json --badge -").out, StartsWith("<svg"));
}

}  // namespace
}  // namespace vernier
