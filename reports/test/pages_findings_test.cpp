// What the first page says follows from the data of the run, and says no more than was examined.

#include <algorithm>
#include <set>
#include <string>
#include <string_view>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reports/report/pages/findings/findings.hpp"
#include "reports/report/pages/implementations/measured.hpp"
#include "reports/report/pages/models/configuration.hpp"
#include "reports/report/pages/models/model_charts.hpp"
#include "reports/report/pages/page_texts.hpp"
#include "reports/report/pages/pages.hpp"
#include "reports/test/page_data.hpp"

namespace vernier {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ContainsRegex;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::IsSupersetOf;
using ::testing::MatchesRegex;
using ::testing::Not;
using ::testing::StartsWith;

const ReportData& first_positions() {
  static const auto data = [] {
    ReportData small;
    small.field = study_field(4, 1, {});
    return small;
  }();
  return data;
}

FieldEntry& usual_entry(FieldEncoding& encoding) {
  return const_cast<FieldEntry&>(field_entry(encoding, usual_recipe, Format::binary32));
}

ComparedImplementation implementation(const std::string& name, std::uint64_t failing) {
  ComparedImplementation one{.name = name,
                             .found = name + " 1",
                             .encoding = "RoPE",
                             .stored = "float32",
                             .contract = "float32",
                             .positions = 64};
  one.result.emplace();
  one.result->elements = 1000;
  one.result->failing = failing;
  one.result->growth = {{16, 1e-7}, {64, 2e-7}};
  return one;
}

TEST(Findings, RankWhatIsWrongThenWhomItConcernsThenItsShare) {
  const auto order = [](const std::vector<ReportFinding>& findings) {
    std::vector<std::string> ids;
    for (const auto& one : findings) {
      ids.emplace_back(one.id);
    }
    return ids;
  };
  EXPECT_THAT(order(ranked({{.id = "missing", .concerns = Concerns::every_model, .share = 1, .missing = true},
                            {.id = "nothing", .concerns = Concerns::every_model, .share = 0},
                            {.id = "texts", .concerns = Concerns::texts, .share = 1},
                            {.id = "rare habit", .concerns = Concerns::habits, .share = 0.1},
                            {.id = "habit", .concerns = Concerns::habits, .share = 0.9},
                            {.id = "models", .concerns = Concerns::every_model, .share = 0.01}})),
              ElementsAre("models", "habit", "rare habit", "texts", "nothing", "missing"));
}

/// A run over the first positions says so, and accuses nobody of what it has not seen.
TEST(Findings, OfAShortRunClaimNothingOfWholeContexts) {
  const auto& data = first_positions();
  const auto finding = finding_named("models", data);
  EXPECT_EQ(finding.share, 0);
  EXPECT_THAT(finding.headline,
              AllOf(StartsWith("The usual float32 table is within a step of bfloat16 in all "),
                    HasSubstr("up to position 3")));
  EXPECT_THAT(finding.text, HasSubstr("This run covered only the beginning"));
  const auto repeats = finding_named("repeats", data);
  EXPECT_EQ(repeats.share, 0);
  EXPECT_THAT(repeats.headline, StartsWith("No recipe gives two positions the same encoding"));
}

TEST(Findings, CountTheModelsThatTheUsualTableDoesNotServe) {
  ReportData data = first_positions();
  auto& encoding = data.field.front();
  usual_entry(encoding).first_unusable = 2;
  const auto all = configurations(data.field);
  const auto begin = std::to_string(encoding.models.size()) + " of " + std::to_string(all.size()) + " model";
  EXPECT_THAT(headline_of_models(all), HasSubstr("in at least " + begin));
  for (auto& one : data.field) {
    for (auto& model : one.models) {
      model.context = one.positions;
    }
  }
  const auto finding = finding_named("models", data);
  EXPECT_THAT(finding.headline, HasSubstr(" in " + begin));
  EXPECT_DOUBLE_EQ(finding.share,
                   static_cast<double>(encoding.models.size()) / static_cast<double>(all.size()));
}

/// The position from which rows repeat is found, not known.
TEST(Findings, NameTheFirstPositionThatRepeats) {
  ReportData data = first_positions();
  for (auto& encoding : data.field) {
    for (auto& entry : encoding.entries) {
      entry.repeated = {};
    }
  }
  auto& entry =
      const_cast<FieldEntry&>(field_entry(data.field.front(), "bfloat16-position", Format::binary32));
  entry.repeated = {.count = 1, .first = 3};
  const auto finding = finding_named("repeats", data);
  EXPECT_THAT(finding.headline,
              AllOf(HasSubstr("positions cast to bfloat16"), HasSubstr("from position 3 on")));
  EXPECT_THAT(finding.page, recipe_page_file("bfloat16-position"));
}

TEST(Findings, OfImplementationsNameThoseThatBreakTheirContract) {
  ReportData data = first_positions();
  EXPECT_TRUE(finding_named("implementations", data).missing);
  data.comparison = {implementation("right", 0), implementation("right, once more", 0),
                     implementation("honest", 0)};
  const auto few = finding_named("implementations", data);
  EXPECT_TRUE(few.missing) << "two libraries are no comparison";
  EXPECT_EQ(few.headline, recorded_headline());
  data.comparison.push_back(implementation("good", 0));
  const auto kept = finding_named("implementations", data);
  EXPECT_EQ(kept.share, 0);
  EXPECT_THAT(kept.headline, Not(HasSubstr("larger errors")));
  data.comparison.push_back(implementation("wrong", 5));
  const auto broken = finding_named("implementations", data);
  EXPECT_EQ(broken.share, 0.2);
  EXPECT_THAT(broken.headline, StartsWith("1 of 5 implementations has larger errors"));
  EXPECT_THAT(broken.text, StartsWith("wrong: "));
  EXPECT_EQ(measured(data.comparison).front()->name, "wrong");
}

/// What is recorded is of six libraries at least, of each listed implementation, with its version and a date.
TEST(RecordedResults, NameVersionsDatesAndEveryListedImplementation) {
  std::set<std::string> names;
  std::set<std::string_view> libraries;
  for (const auto& one : recorded_results()) {
    EXPECT_THAT(one.producer, ContainsRegex("[0-9]"));
    EXPECT_THAT(one.label, MatchesRegex("20[0-9][0-9]-[0-9][0-9]-[0-9][0-9]"));
    EXPECT_EQ(one.is_broken(), one.checks.front().budget_ratio().value_or(0) > 1) << one.implementation;
    names.insert(one.implementation);
    libraries.insert(library_of(one.implementation));
  }
  EXPECT_THAT(libraries, IsSupersetOf({"PyTorch", "NumPy", "ONNX", "TensorFlow.js", "SLEEF", "glibc"}));
  const auto matrix = recorded_matrix({implementation("right", 0)});
  EXPECT_EQ(matrix.at("rows").size(), names.size());
  for (const auto& row : matrix.at("rows")) {
    EXPECT_EQ(row.at("cells").size(), matrix.at("headings").size());
  }
}

/// Beside a recorded result stands what this run measured of the same table.
TEST(RecordedResults, HaveTheLiveOnesBesideThem) {
  const auto& recorded = recorded_results().front();
  auto live = implementation(recorded.implementation, 0);
  live.encoding = recorded.encoding;
  live.stored = recorded.stored;
  live.result->greatest_budget_ratio = 0.123;
  EXPECT_THAT(recorded_matrix({live}).dump(), HasSubstr("12.3 %"));
  live.stored = "float8_e5m2";
  EXPECT_THAT(recorded_matrix({live}).dump(), Not(HasSubstr("12.3 %")));
}

TEST(Findings, OfWhatWasNotExaminedSaySo) {
  EXPECT_TRUE(finding_named("claims", first_positions()).missing);
}

TEST(Findings, FirstPageIsWrittenOfASmallRun) {
  const auto content = findings_content(first_positions());
  EXPECT_EQ(content.at("others").size(), finding_makers().size() - 1);
}

/// Every entry of the search leads to a page, and every model, recipe and implementation has one.
TEST(Search, LeadsToPagesThatThereAre) {
  ReportData data = first_positions();
  data.comparison = {implementation("right", 0)};
  std::vector<Page> pages;
  for (const auto make : {model_pages, recipe_pages, implementation_pages}) {
    std::ranges::move(make(data), std::back_inserter(pages));
  }
  std::set<std::string> files;
  for (const auto& page : pages) {
    EXPECT_TRUE(files.insert(page.file).second) << page.file;
  }
  std::set<std::string> kinds;
  for (const auto& entry : search_entries(data, pages)) {
    kinds.insert(entry.kind);
    EXPECT_TRUE(files.contains(entry.address.substr(0, entry.address.find('#')))) << entry.address;
  }
  EXPECT_THAT(kinds, ElementsAre("implementation", "model", "recipe"));
}

TEST(Configuration, FamiliesAreSpeltAsTheirPublishersSpellThem) {
  const auto family = [](const std::string& id, const std::string& name) {
    return family_of({.id = id, .name = name, .layers = "all"});
  };
  EXPECT_EQ(family("qwen2.5-7b", "Qwen/Qwen2.5-7B"), "Qwen");
  EXPECT_EQ(family("llama-3.1-8b", "meta-llama/Meta-Llama-3.1-8B"), "Llama");
  EXPECT_EQ(family("command-r7b", "CohereLabs/c4ai-command-r7b"), "Command");
  EXPECT_EQ(family("olmo-3", "allenai/OLMo-3"), "OLMo");
}

TEST(Configuration, FilesHaveLowerCaseLettersDigitsAndHyphens) {
  EXPECT_EQ(file_word("PyTorch, rotate_half"), "pytorch-rotate-half");
  EXPECT_EQ(page_of("llama-3.1-8b"), "model-llama-3-1-8b.html");
}

/// Charts and lists name recipes in words: each that models are judged with has some.
TEST(RecipeWords, AreThereForAllThatModelsAreJudgedWith) {
  for (const auto& entry : first_positions().field.front().entries) {
    EXPECT_NE(recipe_words(entry.recipe), entry.recipe);
  }
}

TEST(Findings, AreToldOnceEachAsSoonAsTheyAreKnown) {
  std::vector<std::string> told;
  ToldFindings findings([&](const std::string& headline) { told.push_back(headline); });
  ReportData data;
  findings.tell(data);
  EXPECT_THAT(told, IsEmpty());
  data.field = first_positions().field;
  findings.tell(data);
  EXPECT_EQ(told.size(), 3U);
  EXPECT_THAT(told, Contains(headline_of_models(configurations(data.field))));
  data.comparison = {implementation("A", 1), implementation("B", 0), implementation("C", 0)};
  findings.tell(data);
  findings.tell(data);
  ASSERT_EQ(told.size(), 4U);
  EXPECT_EQ(told.back(), "1 of 3 implementations has larger errors than its arithmetic explains");
}

}  // namespace
}  // namespace vernier
