#include <algorithm>
#include <map>
#include <string>

#include <fmt/core.h>

#include "reference/configs/catalogue/catalogue.hpp"
#include "reference/support/mapped.hpp"
#include "reports/html/number_text.hpp"
#include "reports/html/table.hpp"
#include "reports/report/pages/models/configuration.hpp"
#include "reports/report/pages/models/model_charts.hpp"
#include "reports/report/pages/page_texts.hpp"
#include "reports/report/pages/pages.hpp"
#include "reports/words/number_json.hpp"
#include "reports/words/value_text.hpp"

namespace vernier {
namespace {

std::string repeated_text(const RepeatedRows& repeated) {
  return repeated.first
             ? fmt::format("{}, from {} on", count_text(repeated.count), count_text(*repeated.first))
             : "none";
}

DataTable recipes_table(const Configuration& one) {
  const auto& encoding = *one.encoding;
  auto table = described_table("model_page/recipes", name_of(one), count_text(encoding.positions - 1));
  for (const auto& entry : encoding.entries) {
    table.rows.push_back({recipe_words(entry.recipe, entry.stored), std::string(entry.recipe),
                          reach_text(encoding, entry), error_text(entry.greatest),
                          count_text(entry.greatest.position), std::to_string(entry.greatest.pair),
                          measure_text(entry.drift), repeated_text(entry.repeated)});
  }
  return table;
}

/// Other models with the same rotation over the same context.
Json relatives(const Configuration& one) {
  std::map<std::string, std::string> pages;
  for (const auto& model : one.encoding->models) {
    if (model.id != one.model->id) {
      pages[model.id] = page_of(model.id);
    }
  }
  return array_json(pages, [](const auto& page) { return Json{{"id", page.first}, {"page", page.second}}; });
}

std::string spec_text(const CatalogueModel& model, const std::string& layers) {
  const auto layer = std::ranges::find(model.layer_specs, layers, &LayerSpec::layers);
  return model.encoding(*layer)->spec().dump(2);
}

Json section(const Configuration& one, const CatalogueModel& model) {
  const auto& encoding = *one.encoding;
  const auto need = need_of(encoding);
  const auto& used = field_entry(encoding, recipe_of(need), Format::binary32);
  const auto id = file_word(one.model->layers);
  const auto bands = scaling_bands(encoding.table.frequencies, "bands-" + id);
  return {{"id", id},
          {"layers", layers_of(*one.model)},
          {"tag", text_of_need(one, "tag")},
          {"class", text_of_need(one, "class")},
          {"finding", finding_of(one)},
          {"advice", text_of_need(one, "advice")},
          {"advised_error", measure_text(std::stod(bound_text(used.greatest.bound, 3)))},
          {"recipe_page", recipe_page_file(used.recipe)},
          {"is_cut", is_cut(one)},
          {"examined", count_text(encoding.positions)},
          {"context", count_text(one.model->context)},
          {"context_digits", std::to_string(one.model->context)},
          {"rotation", encoding.summary},
          {"choice", choice_of(one)},
          {"point", point_anchor(one)},
          {"spec", spec_text(model, one.model->layers)},
          {"figure", to_html(reach_of_recipes(one, "reach-" + id))},
          {"table", to_html(recipes_table(one))},
          {"bands", bands ? to_html(*bands) : ""},
          {"relatives", relatives(one)}};
}

Page page(const std::string& id, const std::vector<Configuration>& kinds) {
  const auto& model = *model_named(id);
  const auto section_of = [&](const Configuration& one) { return section(one, model); };
  const Json content{{"id", id},
                     {"name", model.name},
                     {"verified", model.verified},
                     {"source", model.source},
                     {"note", optional_text(model.note)},
                     {"several", kinds.size() > 1},
                     {"sections", array_json(kinds, section_of)}};
  return {page_of(id), id, id, "model", content, "models.html", false};
}

}  // namespace

std::vector<Page> model_pages(const ReportData& data) {
  return mapped(grouped(configurations(data.field), [](const Configuration& one) { return one.model->id; }),
                [](const auto& model) { return page(model.first, model.second); });
}

}  // namespace vernier
