#include <algorithm>
#include <array>
#include <iterator>
#include <limits>
#include <map>
#include <set>
#include <string>

#include <fmt/format.h>

#include "numerics/recipes/c_library.hpp"
#include "reference/configs/catalogue/catalogue.hpp"
#include "reference/support/mapped.hpp"
#include "reports/html/charts/line_chart.hpp"
#include "reports/html/number_text.hpp"
#include "reports/report/pages/models/configuration.hpp"
#include "reports/report/pages/models/model_charts.hpp"
#include "reports/report/pages/page_texts.hpp"
#include "reports/report/pages/pages.hpp"
#include "reports/words/number_json.hpp"

namespace vernier {
namespace {

/// Families with fewer configurations share one group of the list.
constexpr std::size_t fewest_of_a_group = 3;
constexpr std::string_view other_families = "Other families";

constexpr std::array needs{Need::wide_phase, Need::exact_frequencies, Need::usual_table, Need::unknown};

using Groups = std::map<std::string, std::vector<Configuration>>;

Json row(const Configuration& one) {
  const auto& usual = field_entry(*one.encoding, usual_recipe, Format::binary32);
  const auto layers = one.model->layers == "all" ? std::string() : layers_of(*one.model);
  return {{"page", one.page},
          {"id", one.model->id},
          {"layers", optional_text(layers)},
          {"unverified", !one.model->verified},
          {"family", one.family},
          {"context", count_text(one.model->context)},
          {"reach", reach_text(*one.encoding, usual)},
          {"error", error_text(usual.greatest)},
          {"need", text_of_need(one, "tag")},
          {"class", text_of_need(one, "class")}};
}

/// "34 configurations: 12 exceed a step of bfloat16"
std::string told(const std::vector<Configuration>& group) {
  const auto served = with_need(group, Need::usual_table);
  const auto all = static_cast<std::int64_t>(group.size());
  const auto more =
      served == all ? std::string(text_of_need(group.front(), "tag"))
      : served == 0
          ? std::string(all == 1 ? "exceeds a step of bfloat16" : "all exceed a step of bfloat16")
          : fmt::format("{} exceed{} a step of bfloat16", all - served, all - served == 1 ? "s" : "");
  return fmt::format("{} configuration{}: {}", all, all == 1 ? "" : "s", more);
}

Json group(const std::string& name, const std::vector<Configuration>& members) {
  const auto square = [](const Configuration& one) { return Json{{"class", text_of_need(one, "class")}}; };
  return {{"name", name},
          {"id", "family-" + file_word(name)},
          {"told", told(members)},
          {"rows", array_json(members, row)},
          {"squares", array_json(members, square)}};
}

Json groups(const Groups& families) {
  Json result = Json::array();
  std::vector<Configuration> others;
  for (const auto& [name, members] : families) {
    if (members.size() < fewest_of_a_group) {
      std::ranges::copy(members, std::back_inserter(others));
    } else {
      result.push_back(group(name, members));
    }
  }
  if (!others.empty()) {
    result.push_back(group(std::string(other_families), others));
  }
  return result;
}

Json kinds(const std::vector<Configuration>& all) {
  Json result = Json::array();
  for (const auto need : needs) {
    if (const auto count = with_need(all, need); count > 0) {
      result.push_back({{"tag", text_of(need, "tag")},
                        {"class", text_of(need, "class")},
                        {"count", count_text(count)},
                        {"advice", text_of(need, "advice")}});
    }
  }
  return result;
}

/// Recipes that serve a grid though they compute or store less than float32.
std::string narrow_ones(const FieldGrid& grid) {
  std::vector<std::string> words;
  for (const auto& entry : grid.entries) {
    const bool is_narrow = entry.stored != Format::binary32 || entry.recipe.starts_with("bfloat16") ||
                           entry.recipe.starts_with("float16");
    if (is_narrow && !entry.first_unusable) {
      words.push_back(recipe_words(entry.recipe, entry.stored));
    }
  }
  return words.empty() ? "none" : fmt::format("{}", fmt::join(words, "; "));
}

Json grid_row(const FieldGrid& grid) {
  const auto need = need_of(grid.entries);
  return {{"id", grid.id},
          {"unverified", !grid.verified},
          {"source", grid.source},
          {"lengths", fmt::format("{}", fmt::join(grid.lengths, " × "))},
          {"error", error_text(field_entry(grid.entries, usual_recipe, Format::binary32).greatest)},
          {"narrow", narrow_ones(grid)},
          {"need", text_of(need, "tag")},
          {"class", text_of(need, "class")}};
}

/// "64 grids: the usual float32 is right for all"
std::string told_of_grids(const std::vector<FieldGrid>& grids) {
  const auto served = std::ranges::count_if(
      grids, [](const FieldGrid& grid) { return need_of(grid.entries) == Need::usual_table; });
  return fmt::format("{} grids: the usual float32 is right for {}", grids.size(),
                     served == static_cast<std::int64_t>(grids.size()) ? "all" : std::to_string(served));
}

/// Of the configurations whose context reaches a position, the share that a recipe serves to there.
double share_served(const std::vector<FieldEncoding>& field, std::size_t entry, std::int64_t position) {
  double reaching = 0;
  double served = 0;
  for (const auto& encoding : field) {
    const auto count = static_cast<double>(encoding.models.size());
    const auto& first = encoding.entries[entry].first_unusable;
    reaching += encoding.positions > position ? count : 0;
    served += encoding.positions > position && (!first || *first > position) ? count : 0;
  }
  return reaching > 0 ? 100 * served / reaching : std::numeric_limits<double>::quiet_NaN();
}

/// The chart has room for eight: float16 does as bfloat16, a little later.
bool in_line_chart(const FieldEntry& entry) {
  return entry.stored != Format::binary16 && !entry.recipe.starts_with("float16");
}

/// Of the configurations whose context reaches a position, the share that each recipe serves to there.
Figure models_still_served(const std::vector<FieldEncoding>& field) {
  auto chart = described_chart<LineChart>("model_charts/models_still_served");
  chart.x_values = powers_of_two(6, 20);
  for (std::size_t entry = 0; entry < field.front().entries.size(); ++entry) {
    const auto& one = field.front().entries[entry];
    if (in_line_chart(one)) {
      chart.series.push_back(
          {recipe_words(one.recipe, one.stored), mapped(chart.x_values, [&](double position) {
             return share_served(field, entry, static_cast<std::int64_t>(position));
           })});
    }
  }
  return line_chart(chart);
}

}  // namespace

Json models_content(const ReportData& data) {
  const auto all = configurations(data.field);
  const auto families = grouped(all, &Configuration::family);
  const auto name = [](const auto& family) { return Json{{"name", family.first}}; };
  const auto examined = std::ranges::max(data.field, {}, &FieldEncoding::positions).positions;
  const auto cut = std::ranges::count_if(all, is_cut);
  const auto catalogued = catalogue().size();
  const auto figure = served_by_context(all);
  std::set<std::string> judged;
  std::ranges::transform(all, std::inserter(judged, judged.end()),
                         [](const Configuration& one) { return one.model->id; });
  const auto with_context = judged.size();
  std::ranges::transform(data.grids, std::inserter(judged, judged.end()), &FieldGrid::id);
  return {{"headline", headline_of_models(all)},
          {"count", count_text(all.size())},
          {"catalogued", catalogued},
          {"with_context", with_context},
          {"on_grids", data.grids.size()},
          {"not_judged", catalogued - judged.size()},
          {"rotations", count_text(data.field.size())},
          {"c_library", c_library()},
          {"is_cut", cut > 0},
          {"cut", count_text(cut)},
          {"examined", count_text(examined)},
          {"figure", figure ? to_html(*figure) : std::string()},
          {"growth", to_html(models_still_served(data.field))},
          {"kinds", kinds(all)},
          {"families", array_json(families, name)},
          {"groups", groups(families)},
          {"grids_told", told_of_grids(data.grids)},
          {"grids", array_json(data.grids, grid_row)}};
}

}  // namespace vernier
