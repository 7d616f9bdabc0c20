#include <algorithm>
#include <array>

#include <fmt/core.h>

#include "reference/support/word_list.hpp"
#include "reports/html/charts/bar_chart.hpp"
#include "reports/html/number_text.hpp"
#include "reports/report/pages/claims/claims.hpp"
#include "reports/report/pages/findings/findings.hpp"
#include "reports/report/pages/implementations/measured.hpp"
#include "reports/report/pages/models/configuration.hpp"
#include "reports/report/pages/models/model_charts.hpp"
#include "reports/report/pages/page_texts.hpp"
#include "reports/report/pages/recipes/served.hpp"

namespace vernier {
namespace {

std::string text_of(const std::vector<Configuration>& all) {
  std::string text =
      "The usual recipe computes everything in float32, with frequencies 1 / base^(2i/d). The error of its "
      "tables grows with the position: in some it exceeds 2^-8, a step of bfloat16.";
  const auto exact = with_need(all, Need::exact_frequencies);
  const auto wide = with_need(all, Need::wide_phase);
  if (exact + wide > 0) {
    text += fmt::format(
        " Exact frequencies, rounded once, keep {} of them within it; frequencies and phases in float64 keep "
        "{}.",
        exact, with_need(all, Need::unknown) == 0 ? "every one" : std::to_string(exact + wide));
  }
  return text + " The search covers every element, with proof.";
}

ReportFinding make_models_finding(const ReportData& data) {
  const auto all = configurations(data.field);
  const auto unserved = std::ssize(all) - with_need(all, Need::usual_table);
  const bool cut = std::ranges::any_of(all, is_cut);
  const auto picture = served_by_context(all);
  return {.concerns = Concerns::every_model,
          .share = static_cast<double>(unserved) / static_cast<double>(all.size()),
          .headline = headline_of_models(all),
          .text = unserved > 0 ? text_of(all)
                  : cut
                      ? "This run covered only the beginning of long contexts. A run over whole contexts may "
                        "find more, because float32 errors grow with the position."
                      : "No error at any position exceeds a step of bfloat16.",
          .picture = picture ? to_html(*picture) : "",
          .page = "models.html",
          .link = "All models, and what is right for each"};
}

std::string named(const std::vector<Served>& all, bool (Served::*is)() const) {
  std::vector<std::string> names;
  for (const auto& one : all) {
    if ((one.*is)()) {
      names.push_back(recipe_words(one.recipe, one.stored));
    }
  }
  return joined(names, " and ");
}

std::string text_of(const std::vector<Served>& all) {
  const auto good = named(all, &Served::serves_all);
  const auto bad = named(all, &Served::serves_none);
  const auto best = good.empty() ? std::string() : fmt::format("Within a step of bfloat16 in all: {}.", good);
  const auto worst = bad.empty() ? std::string() : fmt::format(" In none: {}.", bad);
  return best + worst;
}

ReportFinding make_recipes_finding(const ReportData& data) {
  const auto all = served(data.field);
  const auto ruinous = std::ranges::count_if(all, &Served::serves_none);
  return {.concerns = Concerns::habits,
          .share = static_cast<double>(ruinous) / static_cast<double>(all.size()),
          .headline = headline_of_recipes(data.field),
          .text = text_of(all) + " " + judged_ways(data.field),
          .picture = to_html(served_by_recipe(data.field)),
          .page = "recipes.html",
          .link = "All recipes, with their errors"};
}

/// A position as a picture: the number itself.
std::string picture_of(std::int64_t position) {
  return fmt::format(
      R"(<p class="big"><strong>{}</strong> is the first position that repeats an earlier encoding</p>)",
      count_text(position));
}

ReportFinding make_repeats_finding(const ReportData& data) {
  const Served* earliest = nullptr;
  const auto all = served(data.field);
  for (const auto& one : all) {
    if (one.first_repeated && (earliest == nullptr || *one.first_repeated < *earliest->first_repeated)) {
      earliest = &one;
    }
  }
  ReportFinding finding{.concerns = Concerns::habits, .page = "recipes.html", .link = "All recipes"};
  if (earliest == nullptr) {
    finding.headline = "No recipe gives two positions the same encoding, at the positions that were examined";
    return finding;
  }
  finding.share = static_cast<double>(earliest->repeating) / static_cast<double>(earliest->all);
  finding.headline =
      fmt::format("With {}, two tokens share one encoding from position {} on",
                  recipe_words(earliest->recipe, earliest->stored), count_text(*earliest->first_repeated));
  finding.text =
      fmt::format("A model cannot distinguish the two tokens. This concerns {} of {} configurations.",
                  earliest->repeating, earliest->all);
  finding.picture = picture_of(*earliest->first_repeated);
  finding.page = recipe_page_file(earliest->recipe);
  finding.link = "More on this recipe";
  return finding;
}

ReportFinding missing(const ReportData& data) {
  const bool listed = !data.comparison.empty();
  return {
      .concerns = Concerns::libraries,
      .missing = true,
      .headline = recorded_headline(),
      .text =
          listed
              ? fmt::format("This run measured fewer than {} libraries. The page has the recorded results.",
                            fewest_libraries)
              : "Run make report, or vernier report --implementations FILE, to ask those that are installed.",
      .picture = {},
      .page = "implementations.html",
      .link = "Implementations"};
}

/// Each implementation's worst table: the share of the elements that break the contract.
Figure broken_shares(const MeasuredEntries& entries) {
  auto chart = described_chart<BarChart>("implementations_finding/broken_shares");
  for (const auto* entry : entries) {
    if (breaks_contract(*entry)) {
      const auto scheme = entry->encoding.substr(0, entry->encoding.find(','));
      chart.bars.push_back({fmt::format("{}, {}, {}", entry->name, scheme, entry->stored),
                            entry->result->failing, entry->result->elements, entry->encoding, MarkTone::bad});
    }
  }
  return bar_chart(chart);
}

ReportFinding make_implementations_finding(const ReportData& data) {
  const auto all = names_of_measured(data.comparison);
  if (libraries_measured(data.comparison) < fewest_libraries) {
    return missing(data);
  }
  const auto breaking = names_of_breaking(data.comparison);
  ReportFinding finding{.concerns = Concerns::libraries,
                        .share = static_cast<double>(breaking.size()) / static_cast<double>(all.size()),
                        .page = "implementations.html",
                        .link = "All implementations, element by element"};
  if (breaking.empty()) {
    finding.headline = fmt::format(
        "All {} implementations that were asked keep the contract of their arithmetic", all.size());
    finding.text = "No error exceeds the rounding of the declared formats.";
    return finding;
  }
  const bool one = breaking.size() == 1;
  finding.headline = fmt::format("{} of {} implementations {} larger errors than {} arithmetic explains",
                                 breaking.size(), all.size(), one ? "has" : "have", one ? "its" : "their");
  finding.text = fmt::format(
      "{}: some errors exceed the rounding in the formats of the contract. The other {} keep "
      "their contract.",
      joined(breaking, " and "), all.size() - breaking.size());
  finding.picture = to_html(broken_shares(measured(data.comparison)));
  return finding;
}

/// The titles as they are given to readers.
Figure false_by_text(const std::vector<ClaimDocument>& documents) {
  auto chart = described_chart<BarChart>("claims_finding/false_by_text");
  for (const auto& document : documents) {
    const auto wrong = std::ranges::count(document.claims, ClaimVerdict::wrong, &Claim::verdict);
    if (document.is_text()) {
      chart.bars.push_back({document.title,
                            static_cast<std::uint64_t>(wrong),
                            document.claims.size(),
                            {},
                            wrong == 0 ? MarkTone::good : MarkTone::bad});
    }
  }
  return bar_chart(chart);
}

ReportFinding make_claims_finding(const ReportData& data) {
  ReportFinding finding{
      .concerns = Concerns::texts, .page = "claims.html", .link = "Every statement, the false ones first"};
  const ClaimCounts counts(data.claims);
  if (counts.statements == 0) {
    finding.missing = true;
    finding.headline = "No statements of texts were checked in this run";
    return finding;
  }
  finding.share = static_cast<double>(counts.wrong) / static_cast<double>(counts.statements);
  finding.headline = headline_of(counts);
  finding.text = computed_text(counts) +
                 (counts.wrong == 0 ? "" : " The correct statement stands beside each false one.");
  finding.picture = to_html(false_by_text(data.claims));
  return finding;
}

bool knows_models(const ReportData& data) {
  return !data.field.empty();
}

constexpr std::array makers{
    ReportFindingMaker{"models", make_models_finding, knows_models},
    ReportFindingMaker{"recipes", make_recipes_finding, knows_models},
    ReportFindingMaker{"repeats", make_repeats_finding, knows_models},
    ReportFindingMaker{"implementations", make_implementations_finding,
                       [](const ReportData& data) { return !data.comparison.empty(); }},
    ReportFindingMaker{"claims", make_claims_finding,
                       [](const ReportData& data) { return !data.evidence.empty(); }}};

}  // namespace

std::span<const ReportFindingMaker> finding_makers() {
  return makers;
}

}  // namespace vernier
