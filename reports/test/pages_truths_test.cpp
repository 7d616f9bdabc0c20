// What headlines, subtitles, captions and cards claim of all or of none is made from the data: on data with the opposite truth
// they say something else.

#include <algorithm>
#include <array>
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

/// Data with something of each kind.
ReportData drawn_data() {
  auto data = with_field();
  data.tables = study_accuracy(64, 1, {});
  data.grids = study_grids(1, {});
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
  for (auto& grid : data.grids) {
    for (auto& entry : grid.entries) {
      entry.first_unusable = entry.first_unusable ? std::nullopt : std::optional<std::int64_t>(2);
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
  static const std::regex mark("<[^>]*>");
  static const std::regex blanks("\\s+");
  return std::regex_replace(std::regex_replace(html, mark, ""), blanks, " ");
}

/// The texts of a page that a reader takes for its findings, by what they are.
std::multimap<std::string, std::string> findings_of_page(const FilledPage& page) {
  static const std::array<std::pair<const char*, std::regex>, 5> places{
      {{"headline", std::regex("<h1[^>]*>([^]*?)</h1>")},
       {"subtitle", std::regex("<p class=\"lead\"[^>]*>([^]*?)</p>")},
       {"caption of a chart", std::regex("<figcaption[^>]*>([^]*?)</figcaption>")},
       {"caption of a table", std::regex("<caption>([^]*?)</caption>")},
       {"card", std::regex("class=\"card[^\"]*\">([^]*?)</(?:section|li)>")}}};
  const auto html = render_template(page.template_name, page.content);
  std::multimap<std::string, std::string> found;
  for (const auto& [what, place] : places) {
    for (std::sregex_iterator one(html.begin(), html.end(), place); one != std::sregex_iterator(); ++one) {
      found.emplace(what, without_marks((*one)[1]));
    }
  }
  return found;
}

TEST(Claims, OfAllAndOfNoneAreMadeFromTheData) {
  static const std::regex universal(
      "\\b(every|all|none|no|never|always|only|enough|needs?|proved|nothing|each|any|exactly)\\b",
      std::regex::icase);
  const auto data = drawn_data();
  const auto other_pages = all_pages(opposite(data));
  std::map<std::string, std::pair<int, int>> counts;
  std::set<std::string> fixed;
  for (const auto& page : all_pages(data)) {
    if (page.template_name == "manual") {
      continue;
    }
    const auto other = std::ranges::find(other_pages, page.file, &FilledPage::file);
    std::multimap<std::string, std::string> opposed;
    if (other != other_pages.end()) {
      opposed = findings_of_page(*other);
    }
    for (const auto& [what, text] : findings_of_page(page)) {
      const auto [begin, end] = opposed.equal_range(what);
      const bool is_made = std::none_of(begin, end, [&](const auto& one) { return one.second == text; });
      auto& [all, made] = counts[what];
      ++all;
      made += is_made ? 1 : 0;
      if (!is_made && std::regex_search(text, universal)) {
        fixed.insert(page.template_name + " | " + what + " | " + text);
      }
    }
  }
  for (const auto& [what, count] : counts) {
    std::cout << what << ": " << count.second << " of " << count.first << "\n";
  }
  for (const auto& one : fixed) {
    std::cout << one << "\n";
  }
}

}  // namespace
}  // namespace vernier
