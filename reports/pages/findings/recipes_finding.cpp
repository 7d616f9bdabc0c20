#include <algorithm>

#include <fmt/core.h>

#include "reference/word_list.hpp"
#include "reports/pages/findings/report_finding.hpp"
#include "reports/pages/models/model_charts.hpp"
#include "reports/pages/recipes/recipe_words.hpp"
#include "reports/pages/recipes/served.hpp"

namespace vernier {
namespace {

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
  const auto best = good.empty() ? std::string() : fmt::format("These serve all: {}.", good);
  const auto worst = bad.empty() ? std::string() : fmt::format(" These serve none: {}.", bad);
  return best + worst;
}

ReportFinding make_recipes_finding(const ReportData& data) {
  const auto all = served(data.field);
  const auto ruinous = std::ranges::count_if(all, &Served::serves_none);
  return {.concerns = Concerns::habits,
          .share = static_cast<double>(ruinous) / static_cast<double>(all.size()),
          .headline = headline_of_recipes(data.field),
          .text = text_of(all),
          .picture = to_html(served_by_recipe(data.field)),
          .page = "recipes.html",
          .link = "All recipes, with their errors"};
}

}  // namespace

ReportFindingMaker finding_of_recipes() {
  return {"recipes", make_recipes_finding, [](const ReportData& data) { return !data.field.empty(); }};
}

}  // namespace vernier
