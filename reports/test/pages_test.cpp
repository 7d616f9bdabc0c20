// Pages of the accuracy report that are made of small studies.

#include "reports/report/pages/pages.hpp"

#include <algorithm>
#include <regex>
#include <set>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "numerics/recipes/c_library.hpp"
#include "reports/html/assets.hpp"
#include "reports/words/value_text.hpp"

namespace vernier {
namespace {

/// Errors of recipes are those of the library whose functions they call: the pages name it.
TEST(ReportPages, NameTheLibraryThatTheRecipesCall) {
  ReportData data;
  data.field = study_field(4, 1, {});
  for (const auto& file : {"models.html", "recipes.html"}) {
    const auto& page = *std::ranges::find(report_pages, file, &ReportPage::file);
    EXPECT_EQ(page.content(data).at("c_library"), c_library()) << page.file;
    EXPECT_THAT(asset(std::string(page.template_name) + ".mustache"), testing::HasSubstr("{{c_library}}"))
        << page.file;
  }
}

/// A grid is told with the worst of its axes: one long axis among short ones decides what it needs.
TEST(ReportPages, ShowModelsOfImagesByTheirGrids) {
  ReportData data;
  data.field = study_field(4, 1, {});
  data.grids = study_grids(1, {});
  ASSERT_GE(data.grids.size(), 60U);
  data.grids.front().lengths = {3, 70000};
  for (auto& entry : data.grids.front().entries) {
    entry.first_unusable = 69999;
  }
  const auto content = models_content(data);
  const auto& rows = content.at("grids");
  ASSERT_EQ(rows.size(), data.grids.size());
  EXPECT_EQ(rows[0].at("lengths"), "3 × 70000");
  EXPECT_EQ(rows[0].at("narrow"), "none");
  EXPECT_NE(rows[0].at("need"), rows[1].at("need"));
  const auto served = std::to_string(data.grids.size() - 1);
  EXPECT_EQ(content.at("grids_told"),
            std::to_string(data.grids.size()) + " grids: the usual float32 is right for " + served);
}

/// A run that measured nothing says so, and boasts of nothing.
TEST(ReportPages, SayWhatWasNotMeasured) {
  const ReportData nothing;
  EXPECT_EQ(field_record_content(nothing).at("any"), false);
}

/// A claim says what was computed of it.
TEST(ReportPages, ClaimsSayWhatWasComputed) {
  ReportData data;
  data.claims = claim_documents();
  data.evidence = {{"wavelengths/top", {Ruling::refuted, "it is less"}}};
  const auto content = claims_content(data);
  for (const auto& group : content.at("groups")) {
    for (const auto& claim : group.at("claims")) {
      if (claim.at("id") == "S2-02") {
        ASSERT_EQ(claim.at("evidence").size(), 1U);
        EXPECT_EQ(claim.at("evidence")[0].at("told"), "it is less");
        EXPECT_EQ(claim.at("verdict"), "false");
        return;
      }
    }
  }
  FAIL() << "no claim S2-02";
}

/// To lack a property is no fault: no cell is red.
TEST(ReportPages, BlameNoEncodingForWhatItIs) {
  ReportData data;
  data.matrix = {{&matrix_rows().front(), std::vector<MatrixCell>(matrix_properties().size())}};
  data.matrix.front().cells.front() = {Answer::no, Method::exact, "by definition"};
  const auto content = properties_content(data);
  EXPECT_EQ(content.at("headline"), "No encoding has all 11 properties that people expect; the most is 0");
  const auto& cell = content.at("rows")[0].at("cells")[0];
  EXPECT_EQ(cell.at("tone"), "none");
  EXPECT_EQ(cell.at("kind"), "follows from its definition");
}

TEST(ReportPages, RaiseAndLowerWhatNamesOfEncodingsDo) {
  const auto name_of = [](std::string_view name) {
    const MatrixRow row{"id", name, {}};
    ReportData data;
    data.matrix = {{&row, std::vector<MatrixCell>(matrix_properties().size())}};
    return properties_content(data).at("rows")[0].at("name").get<std::string>();
  };
  EXPECT_EQ(name_of("10000^(-i/(d-1)), c^-t"), "10000<sup>-i/(d-1)</sup>, c<sup>-t</sup>");
  EXPECT_EQ(name_of("W_Q^T R_(i-j)"), "W<sub>Q</sub><sup>T</sup> R<sub>i-j</sub>");
  EXPECT_EQ(name_of("a < b, [sin, cos]"), "a &lt; b, [sin, cos]");
}

/// A link between pages of the manual leads to a page of the report; one to another file names its path.
TEST(ManualPages, LinkToEachOther) {
  const auto pages = manual_pages();
  ASSERT_FALSE(pages.empty());
  EXPECT_EQ(pages.front().file, "manual.html");
  EXPECT_EQ(pages.front().above, "");
  std::set<std::string> files;
  for (const auto& page : pages) {
    files.insert(page.file);
  }
  const std::regex link("href=\"([^\"#:]+)(#[^\"]*)?\"");
  for (const auto& page : pages) {
    const auto html = page.content.at("page").get<std::string>();
    for (std::sregex_iterator found(html.begin(), html.end(), link); found != std::sregex_iterator();
         ++found) {
      EXPECT_TRUE(files.contains((*found)[1])) << page.file << " links to " << (*found)[1];
    }
    if (page.file != "manual.html") {
      EXPECT_EQ(page.above, "manual.html") << page.file;
      EXPECT_THAT(pages.front().content.at("page").get<std::string>(), testing::HasSubstr(page.file));
    }
  }
}

/// What is said to be a bound stays one when it is shortened.
TEST(BoundText, IsRoundedUp) {
  EXPECT_EQ(bound_text(0.3125, 3), "0.313");
  EXPECT_EQ(bound_text(3.2, 2), "3.2");
  EXPECT_EQ(bound_text(9.999, 2), "10");
  EXPECT_EQ(bound_text(1.21e-7, 2), "1.3e-07");
  EXPECT_EQ(bound_text(0, 2), "0");
}

}  // namespace
}  // namespace vernier
