#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include <fmt/core.h>

#include "numerics/recipes/c_library.hpp"
#include "reports/html/line_chart.hpp"
#include "reports/html/number_text.hpp"
#include "reports/html/table.hpp"
#include "reports/pages/pages.hpp"

namespace vernier {
namespace {

constexpr int digits = 3;

/// What people compute tables with, and what the model table is about.
constexpr std::string_view usual = "float32-pow";
constexpr std::string_view rounded_once = "float32-rounded-frequency";
constexpr std::string_view wide_phase = "float64-pow";

std::string name_of(std::size_t index) {
  return std::string("R") + std::to_string(index + 1);
}

std::string recipe_text(const FieldEntry& entry) {
  return fmt::format("{}, {}", entry.recipe, traits(entry.stored).name);
}

std::string error_text(const GreatestError& greatest) {
  if (greatest.not_finite) {
    return "not finite";
  }
  return (greatest.saturated ? "over " : "") + number_text(greatest.error, digits);
}

std::string horizon_text(const FieldEncoding& encoding, const FieldEntry& entry) {
  return entry.first_unusable ? std::to_string(*entry.first_unusable - 1)
                              : std::string("all ") + std::to_string(encoding.positions);
}

/// The cheapest recipe that serves the whole context, in a sentence.
std::string recommendation(const FieldEncoding& encoding) {
  const auto& plain = field_entry(encoding, usual, Format::binary32);
  if (!plain.first_unusable) {
    return fmt::format("1 / base^(2i/d) and all else in float32 serves the whole context, off by at most {}.",
                       error_text(plain.greatest));
  }
  const auto& rounded = field_entry(encoding, rounded_once, Format::binary32);
  if (!rounded.first_unusable) {
    return fmt::format(
        "Round exact frequencies once to float32, off by at most {}; frequencies computed in float32 serve "
        "to position {} only.",
        error_text(rounded.greatest), horizon_text(encoding, plain));
  }
  const auto& wide = field_entry(encoding, wide_phase, Format::binary32);
  return fmt::format(
      "Compute phases in float64 and store float32, off by at most {}; float32 phases serve to position {} "
      "only, however exact the frequencies.",
      error_text(wide.greatest), horizon_text(encoding, rounded));
}

DataTable models(const std::vector<FieldEncoding>& field) {
  DataTable table{"Catalogued RoPE models over their whole contexts",
                  {{"Model"},
                   {"Rotation"},
                   {"Context", true},
                   {"Largest error of float32-pow", true},
                   {"Usable to position", true},
                   {"Recipe to use"},
                   {"Configuration"}},
                  {},
                  true};
  for (std::size_t i = 0; i < field.size(); ++i) {
    const auto& encoding = field[i];
    const auto& plain = field_entry(encoding, usual, Format::binary32);
    for (const auto& model : encoding.models) {
      table.rows.push_back({model.id + (model.layers == "all" ? "" : ", " + model.layers), name_of(i),
                            std::to_string(encoding.positions), error_text(plain.greatest),
                            horizon_text(encoding, plain), recommendation(encoding),
                            model.verified ? "read" : "not verified"});
    }
  }
  std::ranges::sort(table.rows);
  return table;
}

DataTable rotations(const std::vector<FieldEncoding>& field) {
  DataTable table{"The rotations",
                  {{"Rotation"}, {"What it is"}, {"Context", true}, {"Models", true}, {"Such as"}},
                  {},
                  true};
  for (std::size_t i = 0; i < field.size(); ++i) {
    table.rows.push_back({name_of(i), field[i].summary, std::to_string(field[i].positions),
                          std::to_string(field[i].models.size()), field[i].models.front().id});
  }
  return table;
}

DataTable recipes_on_rotations(const std::vector<FieldEncoding>& field) {
  DataTable table{"Every recipe on every rotation",
                  {{"Rotation"},
                   {"Recipe, stored as"},
                   {"Largest error", true},
                   {"at position", true},
                   {"of pair", true},
                   {"Usable to position", true},
                   {"Drift of the score", true},
                   {"Repeated rows", true}},
                  {},
                  true};
  for (std::size_t i = 0; i < field.size(); ++i) {
    for (const auto& entry : field[i].entries) {
      table.rows.push_back({name_of(i), recipe_text(entry), error_text(entry.greatest),
                            std::to_string(entry.greatest.position), std::to_string(entry.greatest.pair),
                            horizon_text(field[i], entry), number_text(entry.drift, digits),
                            std::to_string(entry.repeated.count)});
    }
  }
  return table;
}

/// Of the models whose context reaches a position, the share that a recipe serves to there.
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
bool in_chart(const FieldEntry& entry) {
  return entry.stored != Format::binary16 && !entry.recipe.starts_with("float16");
}

Figure usable_models(const std::vector<FieldEncoding>& field) {
  constexpr double first = 64;
  constexpr double last = 1 << 20;
  LineChart chart;
  chart.id = "usable-models";
  chart.title = "How far the recipes carry.";
  chart.caption =
      "Of the catalogued models whose context reaches a position, the share whose tables are still usable "
      "there: "
      "no element so far off by more than 2^-8 of the amplitude. Positions or frequencies rounded to "
      "bfloat16 "
      "end early; float32 phases end where contexts are longest.";
  chart.x = {"position", AxisScale::logarithmic};
  chart.y = {"models still served, %", AxisScale::linear};
  for (double position = first; position <= last; position *= 2) {
    chart.x_values.push_back(position);
  }
  for (std::size_t entry = 0; entry < field.front().entries.size(); ++entry) {
    if (!in_chart(field.front().entries[entry])) {
      continue;
    }
    Series series{recipe_text(field.front().entries[entry]), {}};
    for (const double position : chart.x_values) {
      series.values.push_back(share_served(field, entry, static_cast<std::int64_t>(position)));
    }
    chart.series.push_back(std::move(series));
  }
  return line_chart(chart);
}

/// The models that no float32 phase serves to the end of their context.
std::size_t beyond_float32(const std::vector<FieldEncoding>& field) {
  std::size_t count = 0;
  for (const auto& encoding : field) {
    count +=
        field_entry(encoding, rounded_once, Format::binary32).first_unusable ? encoding.models.size() : 0;
  }
  return count;
}

Json field_content(const ReportData& data) {
  const auto& field = data.field;
  std::size_t count = 0;
  for (const auto& encoding : field) {
    count += encoding.models.size();
  }
  return {{"count", count},
          {"rotation_count", field.size()},
          {"c_library", c_library()},
          {"beyond_float32", beyond_float32(field)},
          {"figure", to_html(usable_models(field))},
          {"models", to_html(models(field))},
          {"rotations", to_html(rotations(field))},
          {"recipes", to_html(recipes_on_rotations(field))}};
}

}  // namespace

Page<ReportData> field_page() {
  return {"field.html", "The state of the field", "Models", "field", field_content};
}

}  // namespace vernier
