#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <set>
#include <string>

#include <fmt/core.h>

#include "numerics/recipes/c_library.hpp"
#include "reference/configs/catalogue/catalogue.hpp"
#include "reports/html/number_text.hpp"
#include "reports/report/pages/models/configuration.hpp"
#include "reports/report/pages/models/model_charts.hpp"
#include "reports/report/pages/pages.hpp"
#include "reports/report/pages/recipes/recipe_words.hpp"

namespace vernier {
namespace {

/// Families with fewer configurations share one group of the list.
constexpr std::size_t fewest_of_a_group = 3;
constexpr std::string_view other_families = "Other families";

constexpr std::array needs{Need::wide_phase, Need::exact_frequencies, Need::usual_table, Need::unknown};

using Groups = std::map<std::string, std::vector<Configuration>>;

std::ptrdiff_t capitals(const std::string& word) {
  return std::ranges::count_if(word, [](char c) { return c >= 'A' && c <= 'Z'; });
}

/// The families, each by the spelling with the most capitals: "GLM" where others write "glm".
Groups by_family(const std::vector<Configuration>& all) {
  std::map<std::string, std::string> spellings;
  for (const auto& one : all) {
    const auto family = family_of(*one.model);
    auto& spelling = spellings[file_word(family)];
    if (spelling.empty() || capitals(family) > capitals(spelling)) {
      spelling = family;
    }
  }
  Groups groups;
  for (const auto& one : all) {
    groups[spellings.at(file_word(family_of(*one.model)))].push_back(one);
  }
  return groups;
}

std::int64_t with_need(const std::vector<Configuration>& all, Need need) {
  return std::ranges::count(all, need, [](const Configuration& one) { return need_of(*one.encoding); });
}

Json row(const Configuration& one, const std::string& family) {
  const auto& usual = field_entry(*one.encoding, usual_recipe, Format::binary32);
  auto layers = one.model->layers == "all" ? std::string() : one.model->layers;
  std::ranges::replace(layers, '_', ' ');
  return {{"page", page_of(one.model->id)},
          {"id", one.model->id},
          {"layers", optional_text(layers)},
          {"unverified", !one.model->verified},
          {"family", family},
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

/// A configuration and the family it is listed under.
struct Member {
  Configuration configuration;
  std::string family;
};

Json group(const std::string& name, const std::vector<Member>& members) {
  Json rows = Json::array();
  Json squares = Json::array();
  std::vector<Configuration> all;
  for (const auto& [one, family] : members) {
    rows.push_back(row(one, family));
    squares.push_back({{"class", text_of_need(one, "class")}});
    all.push_back(one);
  }
  return {{"name", name},
          {"id", "family-" + file_word(name)},
          {"told", told(all)},
          {"rows", std::move(rows)},
          {"squares", std::move(squares)}};
}

Json groups(const Groups& families) {
  Json result = Json::array();
  std::vector<Member> others;
  for (const auto& [name, configurations] : families) {
    std::vector<Member> members;
    for (const auto& one : configurations) {
      members.push_back({one, name});
    }
    if (members.size() < fewest_of_a_group) {
      std::ranges::move(members, std::back_inserter(others));
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
  std::string words;
  for (const auto& entry : grid.entries) {
    const bool is_narrow = entry.stored != Format::binary32 || entry.recipe.starts_with("bfloat16") ||
                           entry.recipe.starts_with("float16");
    if (is_narrow && !entry.first_unusable) {
      words += (words.empty() ? "" : "; ") + recipe_words(entry.recipe, entry.stored);
    }
  }
  return words.empty() ? "none" : words;
}

Json grid_rows(const std::vector<FieldGrid>& grids) {
  Json rows = Json::array();
  for (const auto& grid : grids) {
    const auto need = need_of(grid.entries);
    std::string lengths;
    for (const auto length : grid.lengths) {
      lengths += (lengths.empty() ? "" : " × ") + std::to_string(length);
    }
    rows.push_back({{"id", grid.id},
                    {"unverified", !grid.verified},
                    {"source", grid.source},
                    {"lengths", lengths},
                    {"error", error_text(field_entry(grid.entries, usual_recipe, Format::binary32).greatest)},
                    {"narrow", narrow_ones(grid)},
                    {"need", text_of(need, "tag")},
                    {"class", text_of(need, "class")}});
  }
  return rows;
}

/// "64 grids: the usual float32 is right for all"
std::string told_of_grids(const std::vector<FieldGrid>& grids) {
  const auto served = std::ranges::count_if(
      grids, [](const FieldGrid& grid) { return need_of(grid.entries) == Need::usual_table; });
  return fmt::format("{} grids: the usual float32 is right for {}", grids.size(),
                     served == static_cast<std::int64_t>(grids.size()) ? "all" : std::to_string(served));
}

Json models_content(const ReportData& data) {
  const auto all = configurations(data.field);
  const auto families = by_family(all);
  Json names = Json::array();
  for (const auto& [name, members] : families) {
    names.push_back({{"name", name}});
  }
  const auto examined = std::ranges::max(data.field, {}, &FieldEncoding::positions).positions;
  const auto cut = std::ranges::count_if(all, is_cut);
  const auto catalogued = catalogue().size();
  std::set<std::string> judged;
  std::ranges::transform(all, std::inserter(judged, judged.end()),
                         [](const Configuration& one) { return one.model->id; });
  const auto with_context = judged.size();
  std::ranges::transform(data.grids, std::inserter(judged, judged.end()), &FieldGrid::id);
  return {{"headline", headline_of_models(all)},
          {"count", count_text(static_cast<std::int64_t>(all.size()))},
          {"catalogued", catalogued},
          {"with_context", with_context},
          {"on_grids", data.grids.size()},
          {"not_judged", catalogued - judged.size()},
          {"rotations", count_text(static_cast<std::int64_t>(data.field.size()))},
          {"c_library", c_library()},
          {"is_cut", cut > 0},
          {"cut", count_text(cut)},
          {"examined", count_text(examined)},
          {"has_figure", contexts_differ(all)},
          {"figure", contexts_differ(all) ? to_html(context_against_reach(all, "contexts")) : std::string()},
          {"growth", to_html(models_still_served(data.field))},
          {"kinds", kinds(all)},
          {"families", std::move(names)},
          {"groups", groups(families)},
          {"grids_told", told_of_grids(data.grids)},
          {"grids", grid_rows(data.grids)}};
}

}  // namespace

Page<ReportData> models_page() {
  return {"models.html", "Models: range of their tables", "Models", "models", models_content};
}

}  // namespace vernier
