#include "reports/report/pages/models/model_charts.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include <fmt/core.h>

#include "reference/support/mapped.hpp"
#include "reference/support/word_list.hpp"
#include "reports/html/charts/bar_chart.hpp"
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

}  // namespace vernier
