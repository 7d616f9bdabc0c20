#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/core.h>

#include "reference/configs/catalogue/catalogue.hpp"
#include "reference/support/mapped.hpp"
#include "reference/support/word_list.hpp"
#include "reports/html/charts/bar_chart.hpp"
#include "reports/html/charts/line_chart.hpp"
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

struct TreatedPairs {
  PairTreatment treatment;
  std::string_view label;
  std::vector<int> pairs = {};
};

std::array<TreatedPairs, 3> treated_pairs(const ScaledFrequencies& scaled) {
  std::array<TreatedPairs, 3> result{{{PairTreatment::unchanged, "kept"},
                                      {PairTreatment::blended, "blended"},
                                      {PairTreatment::divided, "divided"}}};
  for (int pair = 0; pair < scaled.size(); ++pair) {
    result[static_cast<std::size_t>(scaled.treatment(pair))].pairs.push_back(pair);
  }
  return result;
}

/// "0 to 17", or "0, 2 to 5".
std::string runs_text(const std::vector<int>& pairs) {
  std::vector<std::string> runs;
  for (std::size_t first = 0; first < pairs.size();) {
    auto last = first;
    while (last + 1 < pairs.size() && pairs[last + 1] == pairs[last] + 1) {
      ++last;
    }
    runs.push_back(first == last ? std::to_string(pairs[first])
                                 : fmt::format("{} to {}", pairs[first], pairs[last]));
    first = last + 1;
  }
  return joined(runs);
}

/// "Pairs 29 to 34 turn 1.21 to 5.26 times slower."
std::string clause(const TreatedPairs& treated, const std::vector<double>& multipliers) {
  const bool single = treated.pairs.size() == 1;
  const auto subject = (single ? "Pair " : "Pairs ") + runs_text(treated.pairs);
  if (treated.treatment == PairTreatment::unchanged) {
    return subject + (single ? " keeps its frequency." : " keep their frequency.");
  }
  const auto of = [&](int pair) { return multipliers[static_cast<std::size_t>(pair)]; };
  const auto [least, greatest] = std::ranges::minmax(treated.pairs, {}, of);
  if (of(greatest) == 0) {
    return subject + (single ? " does not turn." : " do not turn.");
  }
  const auto slower = readable_number(1 / of(greatest));
  const auto slowest = readable_number(1 / of(least));
  return fmt::format("{} {} {} times slower.", subject, single ? "turns" : "turn",
                     slower == slowest ? slower : slower + " to " + slowest);
}

/// Which pairs a RoPE scaling leaves alone, blends and divides: each frequency as a share of the unscaled
/// one. Nothing where all pairs are treated alike.
std::optional<Figure> scaling_bands(const Frequencies& frequencies, const std::string& id) {
  const auto* scaled = frequencies.scaled();
  if (scaled == nullptr) {
    return std::nullopt;
  }
  const auto treated = treated_pairs(*scaled);
  auto chart = described_chart<LineChart>("scaling_bands/scaling_bands", id);
  std::vector<double> multipliers;
  for (int pair = 0; pair < scaled->size(); ++pair) {
    chart.x_values.push_back(pair);
    multipliers.push_back(middle(scaled->multiplier(pair)));
  }
  if (std::ranges::all_of(multipliers, [&](double one) { return one == multipliers.front(); })) {
    return std::nullopt;
  }
  std::string clauses;
  for (const auto& one : treated) {
    if (one.pairs.empty()) {
      continue;
    }
    Series series{std::string(one.label),
                  std::vector<double>(multipliers.size(), std::numeric_limits<double>::quiet_NaN())};
    for (const int pair : one.pairs) {
      series.values[static_cast<std::size_t>(pair)] = multipliers[static_cast<std::size_t>(pair)];
    }
    chart.series.push_back(std::move(series));
    clauses += (clauses.empty() ? "" : " ") + clause(one, multipliers);
  }
  chart.caption = filled(chart.caption, clauses);
  return line_chart(chart);
}

/// How many positions each recipe serves.
Figure reach_of_recipes(const Configuration& configuration, const std::string& id) {
  const auto& encoding = *configuration.encoding;
  auto chart = described_chart<BarChart>("model_charts/reach_of_recipes", id);
  chart.title = filled(chart.title, name_of(configuration));
  chart.caption = filled(chart.caption, count_text(encoding.positions));
  for (const auto& entry : encoding.entries) {
    const auto served = last_usable(encoding, entry) + 1;
    chart.bars.push_back(
        {recipe_words(entry.recipe, entry.stored), static_cast<std::uint64_t>(served),
         static_cast<std::uint64_t>(encoding.positions),
         (entry.greatest.saturated ? "off by " : "off by up to ") + error_text(entry.greatest),
         entry.first_unusable ? MarkTone::bad : MarkTone::good});
  }
  return bar_chart(chart);
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
