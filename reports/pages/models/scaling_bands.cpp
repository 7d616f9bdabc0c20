#include "reports/pages/models/scaling_bands.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <string_view>
#include <vector>

#include <fmt/core.h>

#include "reference/word_list.hpp"
#include "reports/html/charts/line_chart.hpp"
#include "reports/html/number_text.hpp"

namespace vernier {
namespace {

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

/// "pairs 29 to 34 turn 1.21 to 5.26 times slower"
std::string clause(const TreatedPairs& treated, const std::vector<double>& multipliers) {
  const bool single = treated.pairs.size() == 1;
  const auto subject = (single ? "pair " : "pairs ") + runs_text(treated.pairs);
  if (treated.treatment == PairTreatment::unchanged) {
    return subject + (single ? " keeps its frequency" : " keep their frequency");
  }
  const auto of = [&](int pair) { return multipliers[static_cast<std::size_t>(pair)]; };
  const auto [least, greatest] = std::ranges::minmax(treated.pairs, {}, of);
  if (of(greatest) == 0) {
    return subject + (single ? " does not turn" : " do not turn");
  }
  const auto slower = readable_number(1 / of(greatest));
  const auto slowest = readable_number(1 / of(least));
  return fmt::format("{} {} {} times slower", subject, single ? "turns" : "turn",
                     slower == slowest ? slower : slower + " to " + slowest);
}

}  // namespace

std::optional<Figure> scaling_bands(const Frequencies& frequencies, const std::string& id) {
  const auto* scaled = frequencies.scaled();
  if (scaled == nullptr) {
    return std::nullopt;
  }
  const auto treated = treated_pairs(*scaled);
  std::vector<double> multipliers;
  for (int pair = 0; pair < scaled->size(); ++pair) {
    multipliers.push_back(middle(scaled->multiplier(pair)));
  }
  if (std::ranges::all_of(multipliers, [&](double one) { return one == multipliers.front(); })) {
    return std::nullopt;
  }
  LineChart chart;
  chart.id = id;
  chart.title = "What its scaling does to each pair.";
  chart.x = {"pair, the fastest first"};
  chart.y = {"frequency as a share of the unscaled one"};
  std::string clauses;
  for (int pair = 0; pair < scaled->size(); ++pair) {
    chart.x_values.push_back(pair);
  }
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
    clauses += (clauses.empty() ? "" : "; ") + clause(one, multipliers);
  }
  chart.caption = fmt::format(
      "Fast pairs tell near tokens apart, slow ones carry the context that the scaling stretches. Here "
      "{}.",
      clauses);
  return line_chart(chart);
}

}  // namespace vernier
