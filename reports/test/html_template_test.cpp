#include <map>
#include <stdexcept>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reports/html/template.hpp"

namespace vernier {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

std::string render(std::map<std::string, std::string> templates, const Json& data) {
  const auto source = [&templates](std::string_view name) -> std::optional<std::string_view> {
    const auto found = templates.find(std::string(name));
    return found == templates.end() ? std::nullopt : std::optional<std::string_view>(found->second);
  };
  return render_template(source, "page", data);
}

auto complaint_about(std::string_view template_name, std::string_view what) {
  return ThrowsMessage<std::logic_error>(
      AllOf(HasSubstr("'" + std::string(template_name) + "'"), HasSubstr(std::string(what))));
}

TEST(Template, ShowsTextIntegersSectionsAndPartials) {
  EXPECT_EQ(
      render({{"page", "{{title}}:{{#rows}} {{name}}={{n}}{{^last}},{{/last}}{{/rows}}{{> end}}"},
              {"end", " {{ title }}!"}},
             {{"title", "T"},
              {"rows",
               {{{"name", "a"}, {"n", 1}, {"last", false}}, {{"name", "b"}, {"n", -2}, {"last", true}}}}}),
      "T: a=1, b=-2 T!");
}

TEST(Template, EscapesUnlessToldOtherwise) {
  EXPECT_EQ(render({{"page", "{{x}}|{{{x}}}|{{&x}}"}}, {{"x", "<b a='\"'>&"}}),
            "&lt;b a=&apos;&quot;&apos;&gt;&amp;|<b a='\"'>&|<b a='\"'>&");
}

TEST(Template, ShownTextIsNotATemplate) {
  EXPECT_EQ(render({{"page", "{{x}}{{{x}}}"}}, {{"x", "{{y}}"}}), "{{y}}{{y}}");
}

TEST(Template, SectionsOverTextReachIt) {
  EXPECT_EQ(render({{"page", "{{#list}}<{{.}}>{{/list}}{{#note}}{{note}}{{/note}}"}},
                   {{"list", {"a", "b"}}, {"note", "n"}}),
            "<a><b>n");
  EXPECT_EQ(render({{"page", "{{#note}}{{note}}{{/note}}{{^note}}none{{/note}}"}}, {{"note", false}}),
            "none");
}

TEST(Template, SectionsAskWhetherThereIsAnything) {
  const std::string page = "{{#has_list}}some{{/has_list}}{{^has_note}} and no note{{/has_note}}";
  EXPECT_EQ(render({{"page", page}}, {{"list", {"a"}}, {"note", ""}}), "some and no note");
  EXPECT_EQ(render({{"page", page}}, {{"list", Json::array()}, {"note", "n"}}), "");
  EXPECT_EQ(render({{"page", page}}, {{"list", {"a"}}, {"has_list", false}, {"note", "n"}}), "");
  EXPECT_THAT([&] { render({{"page", page}}, {{"note", ""}}); }, complaint_about("page", "'has_list'"));
}

TEST(Template, KeysMayBePaths) {
  EXPECT_EQ(render({{"page", "{{a.b}}"}}, {{"a", {{"b", "c"}}}}), "c");
}

TEST(Template, MissingKeyIsNamedWithItsTemplate) {
  EXPECT_THAT([] { render({{"page", "{{gone}}"}}, {{"a", 1}}); }, complaint_about("page", "'gone'"));
  EXPECT_THAT([] { render({{"page", "{{{gone}}}"}}, {{"a", 1}}); }, complaint_about("page", "'gone'"));
  EXPECT_THAT(
      [] {
        render({{"page", "{{#gone}}{{/gone}}"}}, {{"a", 1}});
      },
      complaint_about("page", "'gone'"));
  EXPECT_THAT(
      [] {
        render({{"page", "{{^gone}}{{/gone}}"}}, {{"a", 1}});
      },
      complaint_about("page", "'gone'"));
  EXPECT_THAT(
      [] {
        render({{"page", "{{> inner}}"}, {"inner", "{{#a}}{{b.c}}{{/a}}"}}, {{"a", true}});
      },
      complaint_about("inner", "'b.c'"));
}

TEST(Template, MissingPartialIsNamedWithItsUser) {
  EXPECT_THAT(
      [] {
        render({{"page", "{{> inner}}"}, {"inner", "{{> gone}}"}}, Json::object());
      },
      complaint_about("inner", "'gone'"));
  EXPECT_THAT([] { render({}, Json::object()); }, complaint_about("page", "no template"));
}

TEST(Template, MalformedTemplatesAreRefused) {
  const Json data{{"a", true}, {"b", true}};
  for (const char* text :
       {"{{#a}}", "{{/a}}", "{{#a}}{{/b}}", "{{a", "{{=<% %>=}}", "{{}}", "{{# }}{{/ }}"}) {
    EXPECT_THAT([&] { render({{"page", text}}, data); }, complaint_about("page", "")) << text;
    EXPECT_THAT(
        [&] {
          render({{"page", "{{> inner}}"}, {"inner", text}}, data);
        },
        complaint_about("inner", ""))
        << text;
  }
}

TEST(Template, ValuesThatWouldShowNothingAreRefused) {
  for (const Json& value :
       {Json(true), Json(false), Json(nullptr), Json(0.5), Json::array({"x"}), Json{{"k", "v"}}}) {
    EXPECT_THAT(
        [&] {
          render({{"page", "{{x}}"}}, {{"x", value}});
        },
        complaint_about("page", "'x'"))
        << value;
  }
  EXPECT_THAT([] { render({{"page", "{{#x}}{{/x}}"}}, {{"x", nullptr}}); }, complaint_about("page", "'x'"));
  EXPECT_THAT([] { render({{"page", "x"}}, Json::array()); }, complaint_about("page", "not an object"));
}

TEST(Template, CommentsVanish) {
  EXPECT_EQ(render({{"page", "a{{! gone }}b"}}, Json::object()), "ab");
}

}  // namespace
}  // namespace vernier
