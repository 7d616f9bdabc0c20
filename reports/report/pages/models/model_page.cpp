#include <algorithm>
#include <string>

#include <fmt/core.h>

#include "reference/configs/catalogue/catalogue.hpp"
#include "reference/support/mapped.hpp"
#include "reference/support/word_list.hpp"
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

std::string spec_text(const Configuration& one) {
  const auto& model = *model_named(one.model->id);
  const auto layer = std::ranges::find(model.layer_specs, one.model->layers, &LayerSpec::layers);
  return model.encoding(*layer)->spec().dump(2);
}

/// The specs of models with one rotation, which differ in what a table does not show, such as the layout.
Json specs(const std::vector<Configuration>& models) {
  Json result = Json::array();
  for (const auto& [text, alike] : grouped(models, spec_text)) {
    result.push_back({{"models", joined(alike, [](const Configuration& one) { return one.model->id; })},
                      {"choice", choice_of(alike.front())},
                      {"index", result.size() + 1},
                      {"text", text}});
  }
  return result;
}

/// \param models that share this kind of layers
Json section(const std::vector<Configuration>& models) {
  const auto& one = models.front();
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
          {"specs", specs(models)},
          {"figure", to_html(reach_of_recipes(one, "reach-" + id))},
          {"table", to_html(recipes_table(one))},
          {"bands", bands ? to_html(*bands) : ""}};
}

Json model_content(const std::string& id) {
  const auto& model = *model_named(id);
  return {{"id", id},
          {"name", model.name},
          {"verified", model.verified},
          {"source", model.source},
          {"note", optional_text(model.note)}};
}

Page page(const std::string& file, const std::vector<Configuration>& all) {
  const auto by_id = grouped(all, [](const Configuration& one) { return one.model->id; });
  const auto by_layers = grouped(all, [](const Configuration& one) { return one.model->layers; });
  const auto& id = by_id.begin()->first;
  const Json content{
      {"id", id},
      {"others", by_id.size() == 1 ? Json(false) : Json(by_id.size() - 1)},
      {"models", array_json(by_id, [](const auto& model) { return model_content(model.first); })},
      {"several", by_layers.size() > 1},
      {"sections", array_json(by_layers, [](const auto& layers) { return section(layers.second); })}};
  return {file, id, id, "model", content, "models.html", false};
}

}  // namespace

std::vector<Page> model_pages(const ReportData& data) {
  return mapped(grouped(configurations(data.field), &Configuration::page),
                [](const auto& one) { return page(one.first, one.second); });
}

}  // namespace vernier
