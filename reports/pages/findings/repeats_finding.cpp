#include <algorithm>

#include <fmt/core.h>

#include "reports/html/quantity_text.hpp"
#include "reports/pages/findings/report_finding.hpp"
#include "reports/pages/models/configuration.hpp"
#include "reports/pages/recipes/recipe_words.hpp"
#include "reports/pages/recipes/served.hpp"

namespace vernier {
namespace {

constexpr std::string_view page_with_all = "recipes.html";

/// The configurations in which a recipe gives some row twice.
std::int64_t hit(const std::vector<FieldEncoding>& field, const Served& recipe) {
  std::size_t count = 0;
  for (const auto& encoding : field) {
    const auto& entry = field_entry(encoding, recipe.recipe, recipe.stored);
    count += entry.repeated.first ? encoding.models.size() : 0;
  }
  return static_cast<std::int64_t>(count);
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
  ReportFinding finding{
      .concerns = Concerns::habits, .page = std::string(page_with_all), .link = "All recipes"};
  if (earliest == nullptr) {
    finding.headline = "No recipe gives two positions the same encoding, at the positions that were examined";
    return finding;
  }
  const auto models = hit(data.field, *earliest);
  finding.share = static_cast<double>(models) / static_cast<double>(earliest->all);
  finding.headline =
      fmt::format("With {}, two tokens share one encoding from position {} on",
                  recipe_words(earliest->recipe, earliest->stored), count_text(*earliest->first_repeated));
  finding.text = fmt::format("The model cannot tell the two tokens apart. It hits {} of {} configurations.",
                             models, earliest->all);
  finding.picture = picture_of(*earliest->first_repeated);
  finding.page = recipe_page_file(earliest->recipe);
  finding.link = "More on this recipe";
  return finding;
}

}  // namespace

ReportFindingMaker finding_of_repeats() {
  return {"repeats", make_repeats_finding, [](const ReportData& data) { return !data.field.empty(); }};
}

}  // namespace vernier
