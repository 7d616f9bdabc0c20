// What headlines and captions say is computed again from the tables beside them.

#include <algorithm>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "numerics/recipes/recipe_registry.hpp"
#include "reference/configs/catalogue/catalogue.hpp"
#include "reports/exchange/atlas/atlas.hpp"
#include "reports/report/pages/findings/findings.hpp"
#include "reports/report/pages/implementations/measured.hpp"
#include "reports/report/pages/page_texts.hpp"
#include "reports/report/pages/pages.hpp"
#include "reports/test/page_data.hpp"
#include "reports/test/page_tables.hpp"
#include "reports/words/value_text.hpp"

namespace vernier {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

std::string text_of(const Json& content, std::string_view key) {
  return content.at(std::string(key)).get<std::string>();
}

/// What stands between <figcaption> and its end in a figure of this id.
std::string caption_of(const std::string& html, const std::string& id) {
  const auto begin = html.find("<figcaption id=\"" + id + "-caption\">");
  return begin == std::string::npos ? "" : html.substr(begin, html.find("</figcaption>", begin) - begin);
}

/// The number that begins "30 of 43".
std::size_t first_number(const std::string& text) {
  return std::stoul(text);
}

std::string readme() {
  std::ifstream file(VERNIER_WEB_DIRECTORY "/../../README.md");
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// Theorems and reference values are Vernier's own: no text makes them.
TEST(Headlines, OfClaimsCountTheStatementsOfTexts) {
  ReportData data;
  data.claims = claim_documents();
  const auto content = claims_content(data);
  const std::set<std::string> own{"Reference values", "Theorems that the verdicts rest on"};
  std::size_t texts = 0;
  std::size_t all = 0;
  std::size_t wrong = 0;
  std::size_t open = 0;
  std::size_t apart = 0;
  for (const auto& row : page_rows(text_of(content, "summary"), "Statements by text")) {
    if (own.contains(row[0])) {
      apart += std::stoul(row[1]);
    } else {
      ++texts;
      all += std::stoul(row[1]);
      wrong += std::stoul(row[2]);
      open += std::stoul(row[7]);
    }
  }
  const auto counted = fmt::format("{} statements of {} widely read texts", all, texts);
  const auto headline = fmt::format("{} of {} are false, and {} are not checkable", wrong, counted, open);
  EXPECT_EQ(content.at("headline"), headline);
  EXPECT_EQ(content.at("own"), apart);
  const auto computed =
      fmt::format("{} of the {} were computed; no computation decides the others.", all - open, all);
  EXPECT_EQ(content.at("computed"), computed);
  EXPECT_THAT(readme(), HasSubstr("\n- " + counted + " about positional encodings"));
  const auto finding = finding_named("claims", data);
  EXPECT_EQ(finding.headline, headline);
  EXPECT_THAT(finding.text, StartsWith(computed));
  for (const auto& document : data.claims) {
    for (const auto& claim : document.claims) {
      EXPECT_TRUE(claim.verdict != ClaimVerdict::wrong ||
                  claim.statement.find("does not state") == std::string::npos)
          << claim.id << ": what a text does not state cannot be false of it";
    }
  }
  std::size_t barred = 0;
  for (const auto& row : page_rows(finding.picture, "False statements, by text.")) {
    EXPECT_FALSE(own.contains(row[0])) << row[0];
    barred += std::stoul(row[2]);
  }
  EXPECT_EQ(barred, all);
}

/// ggml's recipe has a contract of its own, and exceeds the budget of the float32 contract.
TEST(Captions, OfRecipesNameThoseAboveTheBudget) {
  auto data = with_field();
  data.tables = study_accuracy(64, 1, {});
  const auto content = recipes_content(data);
  std::size_t exceptions = 0;
  for (const auto& section : content.at("studies")) {
    const auto figure = text_of(section, "figure");
    const auto title = text_of(section, "title");
    const auto columns = page_columns(figure, title);
    const auto rows = page_rows(figure, title);
    ASSERT_FALSE(rows.empty());
    std::vector<std::string> above;
    std::size_t float32s = 0;
    for (std::size_t column = 1; column + 1 < columns.size(); ++column) {
      const auto recipe = std::ranges::find(recipes(), columns[column],
                                            [](const Recipe& one) { return recipe_words(one.id); });
      ASSERT_NE(recipe, recipes().end()) << columns[column];
      const bool is_float32 = recipe->compute() == Format::binary32;
      float32s += is_float32 ? 1 : 0;
      const auto value = [&](const auto& row) { return std::stod(row[column]); };
      if (is_float32 &&
          std::ranges::any_of(rows, [&](const auto& row) { return value(row) > std::stod(row.back()); })) {
        above.push_back(columns[column]);
      }
    }
    exceptions += above.size();
    const auto caption = caption_of(figure, "error-" + text_of(section, "id"));
    EXPECT_THAT(caption, HasSubstr(fmt::format(" {} of {} recipes in float32 stay below the budget",
                                               float32s - above.size(), float32s)));
    for (const auto& one : above) {
      EXPECT_THAT(caption, HasSubstr("contract; not " + one));
    }
    EXPECT_EQ(caption.find("; not ") != std::string::npos, !above.empty());
  }
  EXPECT_GT(exceptions, 0U) << "nothing was tried that exceeds the budget";
}

TEST(Headlines, OfRecipesCountTheBarsBeneath) {
  auto data = with_field();
  for (auto& encoding : data.field) {
    encoding.entries[0].first_unusable = 2;
  }
  data.field.front().entries[1].first_unusable = 3;
  const auto content = recipes_content(data);
  const auto rows = page_rows(text_of(content, "served"), "Configurations with an accurate table to the end");
  const auto all = std::ranges::count_if(rows, [](const auto& row) { return row[1] == row[2]; });
  const auto none = std::ranges::count_if(rows, [](const auto& row) { return row[1] == "0"; });
  EXPECT_THAT(
      text_of(content, "headline"),
      AllOf(
          StartsWith(fmt::format(
              "{} of the {} ways that models are judged with stay within a step of bfloat16 in all {} model",
              all, rows.size(), rows[0][2])),
          EndsWith(fmt::format(", {} in none", none))));
  const auto stored = std::ranges::count_if(
      rows, [](const auto& row) { return row[0].find(", stored in ") != std::string::npos; });
  EXPECT_THAT(
      text_of(content, "ways"),
      HasSubstr(fmt::format("judged with {} ways: {} of {} recipes that store float32, and {} ways that",
                            rows.size(), std::ssize(rows) - stored, content.at("recipes").size(), stored)));
  EXPECT_THAT(finding_named("recipes", data).text, HasSubstr(text_of(content, "ways")));
}

/// The chart tells of no format that nobody in it has, and its encoding is none of the others.
TEST(Captions, OfImplementationsSayWhatTheLinesShow) {
  ReportData data;
  data.comparison = {asked("one", "RoPE", "float64", 4e-15), asked("two", "RoPE", "float64", 1e-15),
                     asked("one", "sinusoidal", "float64", 2e-15)};
  const auto content = implementations_content(data);
  const auto figure = text_of(content, "figure");
  const auto caption = caption_of(figure, "growth");
  EXPECT_THAT(caption, Not(HasSubstr("float32")));
  const auto rows = page_rows(figure, "The largest error up to a position.");
  std::set<double> factors;
  for (std::size_t column = 1; column < rows.front().size(); ++column) {
    factors.insert(std::stod(rows.back()[column]) / std::stod(rows.front()[column]));
  }
  EXPECT_THAT(caption,
              HasSubstr(fmt::format("At the last of the positions drawn it is {} to {} times what it is "
                                    "at the first of them.",
                                    *factors.begin(), *factors.rbegin())));
  EXPECT_THAT(caption, HasSubstr("</strong> RoPE."));
  EXPECT_EQ(content.at("groups")[0].at("encoding"), "RoPE");
  EXPECT_EQ(content.at("groups")[1].at("encoding"), "Other encodings");
  EXPECT_EQ(content.at("groups")[1].at("rows").size(), 1U);
}

/// A law that no drawn case decides does not hold, and one that misses a broken implementation says so.
TEST(Headlines, OfLawsCountTheirTags) {
  using enum CheckStatus;
  ReportData data;
  const auto all = laws();
  data.laws = {{&all[0], {law_result(holds)}, {law_result(fails)}},
               {&all[1], {law_result(holds), law_result(inconclusive)}, {law_result(fails)}},
               {&all[2], {law_result(holds)}, {law_result(holds), law_result(fails)}},
               {&all[3], {law_result(holds)}, {law_result(fails)}}};
  const auto told = [&] {
    const auto content = laws_content(data);
    std::map<std::string, int> tags;
    for (const auto& law : content.at("laws")) {
      const auto numbers = [&](std::string_view key) {
        const auto text = text_of(law, key);
        return std::pair(first_number(text), first_number(text.substr(text.find(" of ") + 4)));
      };
      const auto [held, subjects] = numbers("holds");
      const auto [caught, broken] = numbers("caught");
      const auto tag = text_of(law, "tag");
      EXPECT_EQ(tag == "holds", held == subjects && caught == broken);
      EXPECT_EQ(tag == "misses a broken implementation", held == subjects && caught < broken);
      ++tags[tag];
    }
    auto headline = fmt::format("{} of {} laws hold and catch all implementations that break them",
                                tags["holds"], data.laws.size());
    headline += tags["misses a broken implementation"] == 1 ? "; 1 holds, but misses a broken one" : "";
    headline += tags["not decided by the cases drawn"] == 1 ? "; 1 not decided by the cases drawn" : "";
    headline += tags["broken by a right implementation"] == 1 ? "; 1 broken by a right implementation" : "";
    EXPECT_EQ(content.at("headline"), headline);
    return headline;
  };
  EXPECT_THAT(told(), HasSubstr("not decided"));
  data.laws[0].honest.push_back(law_result(fails));
  EXPECT_THAT(told(), HasSubstr("broken by"));
  data.laws = {data.laws.back()};
  EXPECT_THAT(told(), Not(HasSubstr(";")));
}

void expect_record_headline(const std::vector<RecordedCase>& record) {
  ReportData data;
  data.record = record;
  const auto content = field_record_content(data);
  const auto shares = page_rows(text_of(content, "shares"), "Verdicts on the cases");
  ASSERT_EQ(shares.size(), 4U);
  EXPECT_EQ(content.at("headline"),
            fmt::format("Vernier catches {} real faults and names {}; it accepts {} honest tensors",
                        shares[0][1], first_number(shares[2][1]), shares[3][1]));
  const auto caught = first_number(shares[0][1]);
  EXPECT_EQ(shares[0][1], fmt::format("{} of {}", caught, caught + first_number(shares[1][1])));
  std::size_t named = 0;
  std::size_t faults = 0;
  for (const auto& row : page_rows(text_of(content, "figure"), "Faults that are named, by kind.")) {
    named += first_number(row[1]);
    faults += first_number(row[2]);
  }
  EXPECT_EQ(shares[2][1], fmt::format("{} of {}", named, faults));
  std::map<std::string, std::size_t> outcomes;
  for (const auto& group : content.at("groups")) {
    for (const auto& one : group.at("cases")) {
      ++outcomes[text_of(one, "outcome")];
    }
  }
  EXPECT_EQ(content.at("outcomes").size(), outcomes.size());
  EXPECT_EQ(outcomes["named"], named);
  EXPECT_EQ(outcomes["fault accepted"], first_number(shares[1][1]));
  EXPECT_EQ(outcomes["accepted"], first_number(shares[3][1]));
}

/// Of a record, and of the one in which all that was right is wrong.
TEST(Headlines, OfTheFieldRecordCountItsTables) {
  auto record = drawn_record();
  expect_record_headline(record);
  for (auto& one : record) {
    one.is_accepted = !one.is_accepted;
    one.is_named = one.is_fault() && !one.is_accepted && !one.is_named;
  }
  expect_record_headline(record);
}

/// Texts of strangers are shown as texts, of the built-in record as of any.
TEST(FieldRecord, ShowsTextsOfOthersAsTexts) {
  ReportData data;
  const std::string hostile = "<script>alert(1)</script>\x1b[2J";
  data.record = {{.name = "a",
                  .source = hostile,
                  .kind = hostile,
                  .fault = hostile,
                  .said = hostile,
                  .note = "meant " + hostile}};
  const auto page = render_template("field_record", field_record_content(data));
  EXPECT_THAT(
      page, AllOf(HasSubstr("<li>meant &lt;script&gt;"), Not(HasSubstr("<script>")), Not(HasSubstr("\x1b"))));
  data.record = drawn_record();
  const auto figure = text_of(field_record_content(data), "figure");
  EXPECT_THAT(page_columns(figure, "Faults that are named, by kind."),
              Contains("95 % interval of the share"));
  for (const auto& row : page_rows(figure, "Faults that are named, by kind.")) {
    EXPECT_EQ(row[3], interval_text({std::stoul(row[1]), std::stoul(row[2])}));
  }
  for (const auto& one : recorded_cases()) {
    EXPECT_FALSE(one.name.empty() || one.source.empty() || one.kind.empty()) << one.name;
  }
}

/// A contract that errors of more than the amplitude keep says nothing of them.
TEST(Headlines, OfTheAtlasKeepNoContractWithoutAWord) {
  const auto content = atlas_content({});
  std::size_t silent = 0;
  for (const auto& row : page_rows(text_of(content, "table"), "Every recipe in every format")) {
    const bool is_wild =
        row[3] == "not finite" || (row[3].find("×") == std::string::npos && std::stod(row[3]) > 0.25);
    EXPECT_EQ(row[5].ends_with("where it says anything"), is_wild) << row[0];
    EXPECT_THAT(row[1], Not(HasSubstr("none to")));
    EXPECT_THAT(row[2], Not(HasSubstr("none to")));
    silent += is_wild ? 1 : 0;
  }
  EXPECT_GT(silent, 10U);
  const std::regex wild(R"(  (?:[12]\.\d+|not finite) .*  kept$)");
  std::istringstream words(atlas_words(built_in_atlas()));
  for (std::string line; std::getline(words, line);) {
    EXPECT_FALSE(std::regex_search(line, wild)) << line;
  }
}

/// Models are counted once: each of the catalogue is in one of three groups.
TEST(Headlines, OfModelsAddUpToTheCatalogue) {
  auto data = with_field();
  data.grids = study_grids(1, {});
  const auto content = models_content(data);
  std::set<std::string> models;
  std::set<std::string> pages;
  std::size_t configurations = 0;
  for (const auto& group : content.at("groups")) {
    for (const auto& row : group.at("rows")) {
      models.insert(row.at("id"));
      pages.insert(row.at("page"));
      ++configurations;
    }
  }
  EXPECT_EQ(content.at("count"), std::to_string(configurations));
  EXPECT_EQ(content.at("with_context"), models.size());
  EXPECT_LT(pages.size(), models.size());
  EXPECT_EQ(content.at("on_grids"), content.at("grids").size());
  EXPECT_EQ(content.at("catalogued"), catalogue().size());
  EXPECT_EQ(models.size() + content.at("grids").size() + content.at("not_judged").get<std::size_t>(),
            catalogue().size());
}

}  // namespace
}  // namespace vernier
