// What headlines, subtitles, captions and cards claim of all or of none is made from the data: on data with
// the opposite truth they say something else.

#include <algorithm>
#include <array>
#include <iostream>
#include <map>
#include <regex>
#include <set>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reports/report/pages/pages.hpp"
#include "reports/test/page_data.hpp"

namespace vernier {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

/// Data with something of each kind.
ReportData drawn_data() {
  auto data = with_field();
  data.tables = study_accuracy(64, 1, {});
  data.comparison = {asked("one", "RoPE", "float32", 4e-7), asked("two", "RoPE", "float32", 1e-7),
                     asked("one", "sinusoidal", "float64", 2e-15)};
  data.comparison[0].result->failing = 3;
  data.comparison[0].result->greatest_budget_ratio = 2;
  data.record = drawn_record();
  data.claims = claim_documents();
  for (const auto& law : laws()) {
    data.laws.push_back({&law, {law_result(CheckStatus::holds)}, {law_result(CheckStatus::fails)}});
  }
  return data;
}

/// The same with the opposite truth: what is right is wrong, what is greatest is least.
ReportData opposite(ReportData data) {
  for (auto& encoding : data.field) {
    for (auto& entry : encoding.entries) {
      entry.first_unusable = entry.first_unusable ? std::nullopt : std::optional<std::int64_t>(2);
      std::swap(entry.repeated, encoding.entries.front().repeated);
    }
  }
  for (auto& study : data.tables) {
    for (std::size_t i = 0; i < study.entries.size() / 2; ++i) {
      std::swap(study.entries[i].report, study.entries[study.entries.size() - 1 - i].report);
    }
  }
  for (auto& one : data.comparison) {
    one.result->failing = one.result->failing == 0 ? 5 : 0;
    one.result->greatest_budget_ratio = one.result->failing == 0 ? 0.5 : 3;
    std::swap(one.result->growth.front().error, one.result->growth.back().error);
  }
  for (auto& one : data.record) {
    one.is_accepted = !one.is_accepted;
    one.is_named = one.is_fault() && !one.is_accepted && !one.is_named;
  }
  for (auto& document : data.claims) {
    for (auto& claim : document.claims) {
      claim.verdict = claim.verdict == ClaimVerdict::wrong ? ClaimVerdict::correct : ClaimVerdict::wrong;
    }
  }
  for (auto& law : data.laws) {
    std::swap(law.honest, law.broken);
  }
  return data;
}

std::string without_marks(const std::string& html) {
  std::string text;
  bool is_mark = false;
  for (const char c : html) {
    is_mark = c == '<' || (is_mark && c != '>');
    const bool is_blank = c == '\n' || c == ' ';
    if (!is_mark && c != '>' && !(is_blank && text.ends_with(' '))) {
      text += is_blank ? ' ' : c;
    }
  }
  return text;
}

/// What a reader takes for the findings of a page: where each begins and ends in its HTML.
struct FindingPlace {
  std::string_view what;
  std::string_view begin;
  std::string_view end;
};
constexpr std::array finding_places{FindingPlace{"headline", "<h1", "</h1>"},
                                    FindingPlace{"subtitle", "<p class=\"lead\"", "</p>"},
                                    FindingPlace{"caption of a chart", "<figcaption", "</figcaption>"},
                                    FindingPlace{"caption of a table", "<caption", "</caption>"},
                                    FindingPlace{"card", "<section class=\"card", "</section>"}};

std::multimap<std::string, std::string> findings_of_page(const Page& page) {
  const auto html = render_template(page.template_name, page.content);
  std::multimap<std::string, std::string> found;
  for (const auto& place : finding_places) {
    for (auto at = html.find(place.begin); at != std::string::npos; at = html.find(place.begin, at + 1)) {
      const auto begin = html.find('>', at) + 1;
      found.emplace(place.what, without_marks(html.substr(begin, html.find(place.end, begin) - begin)));
    }
  }
  return found;
}

/// What stays the same on other data though it speaks of all or of none: what a page, a chart or a column is
/// of, how it was made, or what the built-in atlas, which is other data, proves. Anything else has to be made
/// from the data.
constexpr std::array fixed_texts{
    "Every recipe in every format, over all rotations",     // what the table lists
    "Every rotation, and the nearest that one",             // likewise
    "off by no more than 2⁻⁸ at every position up to the",  // what the share is of
    "are right at every position to 2³¹",                   // of the atlas: its own test reads the table
    "Proved over all positions below 2",                    // likewise
    "Share of the refused faults of each kind",             // what the share is of
    "Vernier judged each as vernier validate does",         // how the record was made
    "at every examined position",                           // what a bar counts
    "of papers not every statement is",                     // how the list was made
    "All models",                                           // a link
    "Every element was compared with certified truth",      // how it was made
    "All laws",                                             // what the table lists
    "an identity that every correct implementation obeys",  // what a law is
    "/offset-only: must ",                                  // the name of a law
    "Every number is compared with a proved true value",    // how the report is made
    "counts as right while no error exceeds",               // what "right" is
    "Definition of each property",                          // what the table lists
    "No encoding was asked in this run",                    // of data without a matrix
    "Every cell was computed in this run",                  // how it was made
    "each recipe in its own format",                        // what a line is; Captions.OfRecipes counts again
    "every element at the positions 0 to 63 was compared",  // how it was made
    "Below each name stands its name in the command"};      // how to read it

std::vector<Page> pages_of(const ReportData& data) {
  return mapped(report_pages, [&](const ReportPage& page) { return filled_page(page, data); });
}

TEST(PageClaims, OfAllAndOfNoneAreMadeFromTheData) {
  static const std::regex universal(
      "\\b(every|all|none|no|never|always|only|enough|needs?|proved|nothing|each|any|exactly)\\b",
      std::regex::icase);
  const auto data = drawn_data();
  const auto other_pages = pages_of(opposite(data));
  std::map<std::string, std::pair<int, int>> counts;
  for (const auto& page : pages_of(data)) {
    const auto other = std::ranges::find(other_pages, page.file, &Page::file);
    ASSERT_NE(other, other_pages.end()) << page.file;
    const auto opposed = findings_of_page(*other);
    for (const auto& [what, text] : findings_of_page(page)) {
      const auto [begin, end] = opposed.equal_range(what);
      const bool is_made = std::none_of(begin, end, [&](const auto& one) { return one.second == text; });
      auto& [all, made] = counts[what];
      ++all;
      made += is_made ? 1 : 0;
      const bool is_known = std::ranges::any_of(
          fixed_texts, [&](const char* known) { return text.find(known) != std::string::npos; });
      EXPECT_TRUE(is_made || is_known || !std::regex_search(text, universal))
          << page.file << ": the " << what << " says the same of data with the opposite truth: " << text;
    }
  }
  for (const auto& [what, count] : counts) {
    std::cout << what << ": " << count.second << " of " << count.first << " say something else\n";
  }
  EXPECT_GE(counts["headline"].second, 6);
}

/// A report knows which tables are right to a step of bfloat16, and not what a model needs. The errors of
/// models are proved, on every page.
TEST(PageClaims, SayTheConditionAndOneMeaningOfProof) {
  std::string methods;
  std::string models;
  for (const auto& page : pages_of(drawn_data())) {
    const auto text = without_marks(render_template(page.template_name, page.content));
    if (page.template_name == "model" || page.template_name == "models" || page.template_name == "findings") {
      EXPECT_FALSE(std::regex_search(text, std::regex("\\b(it|each) needs\\b|\\bNeeds\\b"))) << page.file;
    }
    methods += page.template_name == "methods" ? text : "";
    models += page.template_name == "models" ? text : "";
  }
  EXPECT_THAT(models, AllOf(HasSubstr("Right with"), HasSubstr("The search is exhaustive"),
                            HasSubstr("exceeds the largest one found by a thousandth at most")));
  EXPECT_THAT(methods,
              AllOf(HasSubstr("The errors of recipes and of models, and the right positions, are proved"),
                    HasSubstr("no other is greater by more than a thousandth")));
}

}  // namespace
}  // namespace vernier
