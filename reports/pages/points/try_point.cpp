#include <algorithm>

#include "numerics/recipes/c_library.hpp"
#include "reports/html/charts/chart.hpp"
#include "reports/html/quantity_text.hpp"
#include "reports/pages/pages.hpp"
#include "reports/pages/points/point_seeds.hpp"

namespace vernier {
namespace {

/// Where the page begins: the usual recipe, of the first model that it does not serve.
Json start_of(const std::vector<TriedConfiguration>& all) {
  const auto unserved = std::ranges::find_if(all, [](const TriedConfiguration& one) {
    return one.configuration.model->verified && need_of(*one.configuration.encoding) != Need::usual_table;
  });
  return {{"model", unserved == all.end() ? 0 : unserved - all.begin()}, {"recipe", usual_recipe}};
}

Json content(const ReportData& data) {
  const auto all = tried_configurations(configurations(data.field));
  auto seeds = point_seeds(all);
  seeds["start"] = start_of(all);
  Json models = Json::array();
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto& one = all[i].configuration;
    models.push_back({{"index", i}, {"name", name_of(one)}, {"anchor", point_anchor(one)}});
  }
  Json recipes = Json::array();
  for (const auto& recipe : seeds.at("recipes")) {
    recipes.push_back({{"id", recipe.at("id")}, {"words", recipe.at("words")}});
  }
  return {{"count", count_text(static_cast<std::int64_t>(all.size()))},
          {"models", std::move(models)},
          {"recipes", std::move(recipes)},
          {"c_library", c_library()},
          {"places", seeds.at("places")},
          {"example", choice_of(all.front().configuration)},
          {"seeds", script_safe_json(seeds)}};
}

}  // namespace

Page<ReportData> try_point_page() {
  return {"try.html", "Try a point", "Try a point", "try_point", content, "manual.html"};
}

}  // namespace vernier
