#include "numerics/searches/score_drift.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "numerics/searches/phase_turns.hpp"

namespace vernier {
namespace {

/// All cosines, then all sines.
TrigTable both_components(const TrigTable& table) {
  TrigTable result{table.role, table.frequencies, table.amplitude, {}, std::nullopt, table.positions};
  for (const auto component : {Component::cosine, Component::sine}) {
    for (int pair = 0; pair < table.frequencies.pairs(); ++pair) {
      result.columns.push_back({pair, component});
    }
  }
  return result;
}

}  // namespace

ScoreDrift::ScoreDrift(const TrigTable& table, std::int64_t positions)
    : table_(both_components(table)),
      positions_(positions),
      true_scores_(static_cast<std::size_t>(std::min(positions, most_offsets))) {
  const WorkingPrecision precision(192);
  const auto frequencies = table.frequencies.enclosures();
  for (const auto& frequency : frequencies) {
    const PhaseTurns turns(frequency);
    for (std::size_t offset = 0; offset < true_scores_.size(); ++offset) {
      true_scores_[offset] +=
          turns.at(static_cast<std::int64_t>(offset)).cosine / static_cast<double>(frequencies.size());
    }
  }
}

double ScoreDrift::of(const Recipe& recipe, Format stored) const {
  const RecipeTable computed(recipe, table_, stored);
  const auto offsets = true_scores_.size();
  const auto width = computed.columns();
  std::vector<double> rows(offsets * width);
  computed.rows({positions_ - 1, -1, static_cast<std::int64_t>(offsets)}, rows);
  const double amplitude = approximately(table_.amplitude);
  const double weight = 2 / (static_cast<double>(width) * amplitude * amplitude);
  double greatest = 0;
  for (std::size_t offset = 0; offset < offsets; ++offset) {
    double score = 0;
    for (std::size_t c = 0; c < width; ++c) {
      score += rows[c] * rows[offset * width + c];
    }
    const double drift = std::fabs(weight * score - true_scores_[offset]);
    if (std::isnan(drift)) {
      return std::numeric_limits<double>::quiet_NaN();
    }
    greatest = std::max(greatest, drift);
  }
  return greatest;
}

}  // namespace vernier
