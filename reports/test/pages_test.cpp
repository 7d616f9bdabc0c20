// Pages of the accuracy report that are made of small studies.

#include "reports/pages/pages.hpp"

#include <regex>
#include <set>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "numerics/recipes/c_library.hpp"
#include "reports/html/assets.hpp"
#include "reports/pages/manual.hpp"
#include "reports/value_text.hpp"

namespace vernier {
namespace {

/// Errors of recipes are those of the library whose functions they call: the pages name it.
TEST(ReportPages, NameTheLibraryThatTheRecipesCall) {
  ReportData data;
  data.field = study_field(4, 1, {});
  for (const auto& page : {models_page(), recipes_page()}) {
    EXPECT_EQ(page.content(data).at("c_library"), c_library()) << page.file;
    EXPECT_THAT(asset(std::string(page.template_name) + ".mustache"), testing::HasSubstr("{{c_library}}"))
        << page.file;
  }
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
