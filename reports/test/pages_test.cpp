// Pages of the accuracy report that are made of small studies.

#include "reports/pages/pages.hpp"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "numerics/c_library.hpp"
#include "reports/html/assets.hpp"
#include "reports/value_text.hpp"

namespace vernier {
namespace {

/// Errors of recipes are those of the library whose functions they call: the pages name it.
TEST(ReportPages, NameTheLibraryThatTheRecipesCall) {
  ReportData data;
  data.field = study_field(4, 1, [](const std::string&) {});
  for (const auto& page : {field_page(), accuracy_page()}) {
    EXPECT_EQ(page.content(data).at("c_library"), c_library()) << page.file;
    EXPECT_THAT(asset(std::string(page.template_name) + ".mustache"), testing::HasSubstr("{{c_library}}"))
        << page.file;
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
