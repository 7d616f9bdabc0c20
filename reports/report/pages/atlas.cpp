#include "reports/exchange/atlas/atlas.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include <fmt/core.h>

#include "numerics/recipes/c_library.hpp"
#include "reference/support/mapped.hpp"
#include "reports/html/charts/line_chart.hpp"
#include "reports/html/number_text.hpp"
#include "reports/html/table.hpp"
#include "reports/report/pages/models/configuration.hpp"
#include "reports/report/pages/page_texts.hpp"
#include "reports/report/pages/pages.hpp"

namespace vernier {
namespace {

/// The last usable position by a first one beyond; 2^31 - 1 where none is.
std::int64_t last_usable(const std::optional<ErrorPlace>& first_beyond) {
  return first_beyond ? first_beyond->position - 1 : largest_position - 1;
}

std::string reach_text(std::int64_t last) {
  return last < 0 ? "none" : last == largest_position - 1 ? "all" : count_text(last);
}

/// One recipe and format over all rotations.
struct Kind {
  std::string_view recipe;
  Format stored;
  std::vector<const UsableContext*> of_rotations;

  /// The last usable position of the rotation that ends first, and of the one that ends last.
  std::int64_t least(std::size_t threshold) const { return std::ranges::min(last_of_each(threshold)); }
  std::int64_t most(std::size_t threshold) const { return std::ranges::max(last_of_each(threshold)); }
  /// The share that is right at a position, of 100.
  double share_right(std::int64_t position) const {
    const auto right = std::ranges::count_if(of_rotations, [&](const UsableContext* one) {
      return last_usable(one->first_beyond[0]) >= position;
    });
    return 100.0 * static_cast<double>(right) / static_cast<double>(of_rotations.size());
  }

 private:
  std::vector<std::int64_t> last_of_each(std::size_t threshold) const {
    return mapped(of_rotations,
                  [&](const UsableContext* one) { return last_usable(one->first_beyond[threshold]); });
  }
};

std::vector<Kind> recipe_kinds(const Atlas& atlas) {
  return mapped(atlas.rotations.front().kinds, [&](const UsableContext& first) {
    return Kind{first.recipe, first.stored, mapped(atlas.rotations, [&](const AtlasRotation& rotation) {
                  return rotation.of(first.recipe, first.stored);
                })};
  });
}

/// "Frequencies and phases in float64 are right at every position to 2^31; no other recipe serves one beyond
/// position N".
std::string headline(const std::vector<Kind>& kinds) {
  bool wide_serves = true;
  std::int64_t furthest = -1;
  for (const auto& kind : kinds) {
    if (kind.recipe == wide_recipe) {
      wide_serves = wide_serves && kind.least(0) == largest_position - 1;
    } else {
      furthest = std::max(furthest, kind.most(0));
    }
  }
  const auto others = furthest == largest_position - 1
                          ? std::string("some of the others do")
                          : fmt::format("no other recipe is right beyond position {}", count_text(furthest));
  return wide_serves
             ? fmt::format("Frequencies and phases in float64 are right at every position to 2³¹; {}", others)
             : fmt::format("No recipe is right at every position to 2³¹ for every rotation; {}", others);
}

bool in_chart(const Kind& kind) {
  return kind.stored == Format::binary32 && !kind.recipe.starts_with("float16") &&
         kind.recipe != "float32-interpolated" && kind.recipe != "float32-ratio-power";
}

Figure right_by_position(const std::vector<Kind>& kinds) {
  auto chart = described_chart<LineChart>("atlas/right_by_position");
  chart.x_values = powers_of_two(6, 31);
  for (const auto& kind : kinds) {
    if (in_chart(kind) && chart.series.size() < max_series) {
      chart.series.push_back({recipe_words(kind.recipe), mapped(chart.x_values, [&](double position) {
                                return kind.share_right(static_cast<std::int64_t>(position) - 1);
                              })});
    }
  }
  return line_chart(chart);
}

/// "4096 to 8192", "8192 or none".
std::string usable_range_text(std::int64_t least, std::int64_t most) {
  return least == most ? reach_text(least)
         : least < 0   ? reach_text(most) + " or none"
                       : reach_text(least) + " to " + reach_text(most);
}

std::string earliest_repeat(const Kind& kind) {
  std::optional<std::int64_t> earliest;
  for (const auto* one : kind.of_rotations) {
    if (one->repeat.position && (!earliest || *one->repeat.position < *earliest)) {
      earliest = one->repeat.position;
    }
  }
  return earliest ? count_text(*earliest) : "none";
}

std::string greatest_text(const Kind& kind) {
  double greatest = 0;
  for (const auto* one : kind.of_rotations) {
    if (one->greatest.not_finite) {
      return "not finite";
    }
    greatest = std::max(greatest, one->greatest.error);
  }
  return measure_text(greatest);
}

std::string contract_text(const Kind& kind) {
  const auto kept = std::ranges::count_if(
      kind.of_rotations, [](const UsableContext* one) { return one->contract.fate == ContractFate::kept; });
  const auto all = static_cast<std::ptrdiff_t>(kind.of_rotations.size());
  const bool is_silent = std::ranges::any_of(
      kind.of_rotations, [](const UsableContext* one) { return is_beyond_judgement(*one); });
  return (kept == all ? "kept" : fmt::format("kept by {} of {}", kept, all)) +
         (kept > 0 && is_silent ? " where it says anything" : "");
}

DataTable recipes_table(const std::vector<Kind>& kinds) {
  return filled_table("atlas/recipes", kinds, [](const Kind& kind) -> TableRow {
    return {recipe_words(kind.recipe, kind.stored),
            usable_range_text(kind.least(0), kind.most(0)),
            usable_range_text(kind.least(1), kind.most(1)),
            greatest_text(kind),
            earliest_repeat(kind),
            contract_text(kind)};
  });
}

std::string name_of(const AtlasRotation& rotation) {
  const auto others = rotation.models.size() - 1;
  return others == 0 ? rotation.models.front()
                     : fmt::format("{} and {} more", rotation.models.front(), others);
}

DataTable rotations_table(const Atlas& atlas) {
  auto table = described_table("atlas/rotations");
  const auto reach = [](const UsableContext* one, std::size_t threshold) {
    return one == nullptr ? "–" : reach_text(last_usable(one->first_beyond[threshold]));
  };
  for (const auto& rotation : atlas.rotations) {
    const auto* usual = rotation.of(usual_recipe, Format::binary32);
    table.rows.push_back({name_of(rotation), std::to_string(rotation.pairs), reach(usual, 0), reach(usual, 1),
                          reach(rotation.of(best_float32_recipe, Format::binary32), 0),
                          rotation.nearest ? count_text(rotation.nearest->position) : "–",
                          rotation.nearest ? std::to_string(rotation.nearest->pair) : "–",
                          rotation.nearest ? measure_text(rotation.nearest->distance) : "–"});
  }
  table.sortable = true;
  return table;
}

}  // namespace

Json atlas_content(const ReportData& /*data*/) {
  const auto& atlas = built_in_atlas();
  if (atlas.rotations.empty()) {
    return {{"any", false}};
  }
  const auto kinds = recipe_kinds(atlas);
  const auto models =
      sum_of(atlas.rotations, [](const AtlasRotation& rotation) { return rotation.models.size(); });
  const auto& sines = atlas.sines;
  return {{"any", true},
          {"headline", headline(kinds)},
          {"rotations", count_text(atlas.rotations.size())},
          {"models", count_text(models)},
          {"kinds", count_text(kinds.size())},
          {"figure", to_html(right_by_position(kinds))},
          {"table", to_html(recipes_table(kinds))},
          {"list", to_html(rotations_table(atlas))},
          {"undecided", atlas.undecided() == 0 ? "none" : count_text(atlas.undecided())},
          {"c_library", atlas.c_library},
          {"other_library", atlas.c_library == c_library() ? Json(false) : Json(c_library())},
          {"arguments", count_text(sines.arguments)},
          {"ulps", number_text(sines.unreduced.error, 3)},
          {"roundoffs", number_text(sines.reduced.error, 3)},
          {"left_out", count_text(atlas.left_out.size())}};
}

}  // namespace vernier
