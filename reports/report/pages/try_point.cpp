#include <algorithm>
#include <array>
#include <span>
#include <stdexcept>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "numerics/recipes/c_library.hpp"
#include "numerics/recipes/recipe_registry.hpp"
#include "reference/configs/catalogue/catalogue.hpp"
#include "reference/numbers/decimal.hpp"
#include "reports/html/charts/chart.hpp"
#include "reports/html/number_text.hpp"
#include "reports/html/template.hpp"
#include "reports/report/pages/models/configuration.hpp"
#include "reports/report/pages/page_texts.hpp"
#include "reports/report/pages/pages.hpp"
#include "reports/words/number_json.hpp"

namespace vernier {
namespace {

/// A configuration whose points a reader can try, and the table of its cosines.
struct TriedConfiguration {
  Configuration configuration;
  TrigTable table;
  std::optional<std::int64_t> sequence_length;  ///< positions from it on have no meaning
};

/// Of frequencies: half a unit of the last place, times the largest position, leaves the truth 2^-122 apart.
constexpr int seed_places = 46;

/// A number in [0, 10) without its point: so many digits and one more. \throws std::logic_error for another,
/// and for one that is zero but for what the digits do not show
std::string digits_of(const Real& number) {
  auto text = correctly_rounded_decimal(number, seed_places).value_or("undecided");
  if (text.size() != seed_places + 2 || text[1] != '.') {
    throw std::logic_error("a point's seed is not in [0, 10): " + text);
  }
  if (text.find_first_not_of("0.") == std::string::npos && tight_enclosure(number).middle.high != 0) {
    throw std::logic_error("a point's seed is too small for its places");
  }
  return text.erase(1, 1);
}

std::string frequencies_of(const TrigTable& table) {
  std::string text;
  for (int pair = 0; pair < table.frequencies.pairs(); ++pair) {
    text += digits_of([&table, pair] { return table.frequencies.at(pair); });
  }
  return text;
}

/// Numbers, each as how many numbers of a format it lies beyond the one nearest to the true frequency: small
/// ones, as all are nearly right.
Json steps_of(const std::vector<double>& factors, const TrigTable& table) {
  constexpr std::array narrowest_first{Format::bfloat16, Format::binary16, Format::binary32,
                                       Format::binary64};
  const auto format = *std::ranges::find_if(narrowest_first, [&](Format one) {
    return std::ranges::all_of(factors, [one](double factor) { return is_member(one, factor); });
  });
  std::vector<std::int64_t> steps;
  for (std::size_t i = 0; i < factors.size(); ++i) {
    const auto nearest = correctly_rounded(format, [&] { return table.frequencies.at(static_cast<int>(i)); });
    if (!nearest) {
      throw std::logic_error("a frequency lies between two numbers");
    }
    steps.push_back(static_cast<std::int64_t>(encode_bits(format, factors[i])) -
                    static_cast<std::int64_t>(encode_bits(format, *nearest)));
  }
  return Json::array({traits(format).name, fmt::format("{}", fmt::join(steps, " "))});
}

Json amplitude_json(const TrigTable& table) {
  return {{"exact", table.amplitude.is_one() ? "" : digits_of([&] { return enclose(table.amplitude); })},
          {"rounded", approximately(table.amplitude)}};
}

Json rotation_json(const TriedConfiguration& one) {
  const auto& table = one.table;
  Json factors = Json::object();
  Json ratios = Json::object();
  for (const auto& recipe : recipes()) {
    const auto rule = recipe.prepare(table.frequencies);
    const auto& seeds = rule.seeds();
    if (rule.is_recursive()) {
      ratios[std::string(recipe.id)] = {{"ratio", seeds.factors.front()}, {"divisors", seeds.divisors}};
    } else {
      factors[std::string(recipe.id)] = steps_of(seeds.factors, table);
    }
  }
  return {{"frequencies", frequencies_of(table)},
          {"amplitude", amplitude_json(table)},
          {"length", one.sequence_length ? Json(*one.sequence_length) : Json(nullptr)},
          {"factors", std::move(factors)},
          {"ratios", std::move(ratios)}};
}

Json recipe_json(const Recipe& recipe, const TrigTable& any) {
  const auto seeds = recipe.prepare(any.frequencies).seeds();
  return {{"id", recipe.id},
          {"words", recipe_words(recipe.id)},
          {"compute", traits(recipe.compute()).name},
          {"positions", traits(seeds.positions).name},
          {"stored", array_json(storage_formats(recipe), [](Format format) { return traits(format).name; })}};
}

bool same_points(const TriedConfiguration& a, const TriedConfiguration& b) {
  return a.table.frequencies == b.table.frequencies && a.table.amplitude == b.table.amplitude &&
         a.sequence_length == b.sequence_length;
}

/// Those of all configurations that have one table of cosines.
std::vector<TriedConfiguration> tried_configurations(const std::vector<Configuration>& all) {
  std::vector<TriedConfiguration> result;
  for (const auto& one : all) {
    const auto& model = *model_named(one.model->id);
    const auto layer = std::ranges::find(model.layer_specs, one.model->layers, &LayerSpec::layers);
    const auto encoding = model.encoding(*layer);
    const auto tables = encoding->plain_tables();
    const auto cosines = std::ranges::find(tables, "cos", &TrigTable::role);
    if (cosines != tables.end()) {
      result.push_back({one, *cosines, encoding->sequence_length()});
    }
  }
  return result;
}

/// From what a page computes points (web/points.mjs): the frequencies and amplitude of each rotation to so
/// many decimal places, proved; what each recipe makes phases from; and of each configuration the place of
/// the worst element of its usual table.
Json point_seeds(std::span<const TriedConfiguration> configurations) {
  std::vector<const TriedConfiguration*> rotations;
  Json models = Json::array();
  for (const auto& one : configurations) {
    auto found = std::ranges::find_if(rotations, [&](const auto* other) { return same_points(one, *other); });
    if (found == rotations.end()) {
      found = rotations.insert(rotations.end(), &one);
    }
    const auto& worst = field_entry(*one.configuration.encoding, usual_recipe, Format::binary32).greatest;
    models.push_back({{"name", name_of(one.configuration)},
                      {"choice", choice_of(one.configuration)},
                      {"rotation", found - rotations.begin()},
                      {"worst", {{"position", worst.position}, {"pair", worst.pair}}}});
  }
  const auto rotation = [](const TriedConfiguration* one) { return rotation_json(*one); };
  const auto recipe = [&](const Recipe& one) { return recipe_json(one, configurations.front().table); };
  return {{"places", seed_places},
          {"models", std::move(models)},
          {"recipes", array_json(recipes(), recipe)},
          {"rotations", array_json(rotations, rotation)}};
}

/// Where the page begins: the usual recipe, of the first model that it does not serve.
Json start_of(const std::vector<TriedConfiguration>& all) {
  const auto unserved = std::ranges::find_if(all, [](const TriedConfiguration& one) {
    return one.configuration.model->verified && need_of(*one.configuration.encoding) != Need::usual_table;
  });
  return {{"model", unserved == all.end() ? 0 : unserved - all.begin()}, {"recipe", usual_recipe}};
}

}  // namespace

Json try_point_content(const ReportData& data) {
  const auto all = tried_configurations(configurations(data.field));
  auto seeds = point_seeds(all);
  seeds["start"] = start_of(all);
  Json models = Json::array();
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto& one = all[i].configuration;
    models.push_back({{"index", i}, {"name", name_of(one)}, {"anchor", point_anchor(one)}});
  }
  const auto choice = [](const Json& recipe) -> Json {
    return {{"id", recipe.at("id")}, {"words", recipe.at("words")}};
  };
  return {{"count", count_text(all.size())},
          {"models", std::move(models)},
          {"recipes", array_json(seeds.at("recipes"), choice)},
          {"c_library", c_library()},
          {"places", seeds.at("places")},
          {"example", choice_of(all.front().configuration)},
          {"seeds", script_safe_json(seeds)}};
}

}  // namespace vernier
