#include "reports/report/pages/models/model_charts.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string_view>
#include <vector>

#include <fmt/core.h>

#include "reference/support/mapped.hpp"
#include "reference/support/word_list.hpp"
#include "reports/html/charts/bar_chart.hpp"
#include "reports/html/charts/line_chart.hpp"
#include "reports/html/number_text.hpp"
#include "reports/report/pages/page_texts.hpp"
#include "reports/report/pages/recipes/served.hpp"

namespace vernier {
namespace {

MarkTone tone_of(bool serves_all, bool serves_nothing) {
  return serves_all ? MarkTone::good : serves_nothing ? MarkTone::bad : MarkTone::neutral;
}

/// A count of positions that is a power of two: "4 K".
std::string short_count(std::int64_t positions) {
  return fmt::format("{} K", positions / 1024);
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

}  // namespace

std::string headline_of_models(const std::vector<Configuration>& all) {
  const auto unserved = std::ssize(all) - with_need(all, Need::usual_table);
  const bool cut = std::ranges::any_of(all, is_cut);
  if (unserved > 0) {
    return fmt::format(
        "The usual float32 table is off by more than a step of bfloat16 in {}{} of {} model configurations",
        cut ? "at least " : "", unserved, all.size());
  }
  const auto longest =
      std::ranges::max(all, {}, [](const Configuration& one) { return one.encoding->positions; });
  return fmt::format("The usual float32 table is within a step of bfloat16 in all {} model configurations{}",
                     all.size(),
                     cut ? " up to position " + count_text(longest.encoding->positions - 1) : std::string());
}

std::optional<Figure> served_by_context(const std::vector<Configuration>& all) {
  const auto positions_of = [](const Configuration& one) { return one.encoding->positions; };
  const auto [shortest, longest] = std::ranges::minmax(all, {}, positions_of);
  if (positions_of(shortest) == positions_of(longest) || std::ranges::any_of(all, is_cut)) {
    return std::nullopt;
  }
  constexpr std::int64_t first = 4096;
  constexpr std::int64_t last = 262144;
  auto chart = described_chart<BarChart>("model_charts/served_by_context");
  std::int64_t above = 0;
  for (std::int64_t end = first; above < std::numeric_limits<std::int64_t>::max(); end *= 2) {
    const auto most = end > last ? std::numeric_limits<std::int64_t>::max() : end;
    Bar bar{end > last ? fmt::format("longer than {}", short_count(last)) : "up to " + short_count(end)};
    for (const auto& one : all) {
      const bool is_here = one.encoding->positions > above && one.encoding->positions <= most;
      bar.of += is_here ? 1 : 0;
      bar.value += is_here && need_of(*one.encoding) == Need::usual_table ? 1 : 0;
    }
    if (bar.of > 0) {
      bar.tone = tone_of(bar.value == bar.of, bar.value == 0);
      chart.bars.push_back(std::move(bar));
    }
    above = most;
  }
  return bar_chart(chart);
}

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

Figure served_by_recipe(const std::vector<FieldEncoding>& field) {
  auto chart = described_chart<BarChart>("model_charts/served_by_recipe");
  chart.bars = mapped(served(field), [](const Served& one) {
    return Bar{recipe_words(one.recipe, one.stored), static_cast<std::uint64_t>(one.served),
               static_cast<std::uint64_t>(one.all), "", tone_of(one.serves_all(), one.serves_none())};
  });
  std::ranges::stable_sort(chart.bars, std::greater(), &Bar::value);
  return bar_chart(chart);
}

std::string error_text(const GreatestError& greatest) {
  if (greatest.not_finite) {
    return "not finite";
  }
  return greatest.saturated ? fmt::format("over {:.2f}", std::floor(greatest.error * 100) / 100)
                            : measure_text(greatest.error);
}

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

}  // namespace vernier
