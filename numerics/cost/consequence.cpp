#include "numerics/cost/consequence.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/core.h>

#include "numerics/cost/score_row.hpp"

namespace vernier {
namespace {

/// A drift of the score smaller than this is not worth a sentence.
constexpr double least_drift = 0.005;

/// The first position that is given the row of an earlier one, where all before it have their own; else any
/// two that have the same row. The earlier one need not be among the rows: every one before has its own.
std::string equal_positions(const Suspect& suspect, const Computation& edited) {
  const auto& positions = suspect.positions().front();
  const double size = edited.place_sizes.front();
  std::map<std::int64_t, double> places;  // that positions are given
  for (std::size_t row = 0; row < positions.size(); ++row) {
    const double place = edited.places->front()[row];
    places[positions[row]] = edited.place_format ? (*edited.place_format)(place * size) / size : place;
  }
  std::map<double, std::int64_t> first;  // the first position that is given a place
  const auto repeating = std::ranges::find_if(
      places, [&](const auto& given) { return !first.emplace(given.second, given.first).second; });
  if (repeating == places.end()) {
    return {};
  }
  auto later = repeating->first;
  auto earlier = first.at(repeating->second);
  const auto& map = suspect.encoding().positions();
  if (map.is_plain()) {  // else a place between two positions is none
    const auto [position, moved] = *std::ranges::find_if(
        places, [](const auto& given) { return given.second != static_cast<double>(given.first); });
    if (moved == std::rint(moved) && moved < static_cast<double>(position) &&
        moved >= static_cast<double>(places.begin()->first)) {
      earlier = std::llround(moved);
      later = position;
    }
  }
  return fmt::format("Positions {} and {} have the same row: a model cannot distinguish such tokens.",
                     map.text(earlier), map.text(later));
}

std::vector<PhaseTurns> computed_turns(const Computation& computation) {
  const WorkingPrecision precision(192);
  std::vector<PhaseTurns> result;
  for (const double frequency : computation.frequencies()) {
    result.emplace_back(enclose(frequency));
  }
  return result;
}

/// What a computation turns by in place of another at distances from a query at 0, the farthest first.
Rotations edited_rotations(const Computation& declared, const Computation& edited, std::int64_t farthest) {
  Rotations result{computed_turns(declared), declared.amplitude, {}, {}};
  for (std::int64_t distance = 0; distance <= farthest;
       distance = std::max(distance + 1, distance + distance / 8)) {
    result.positions.push_back(-distance);
  }
  std::ranges::reverse(result.positions);
  result.read = [positions = result.positions, turns = computed_turns(edited), amplitude = edited.amplitude](
                    std::size_t first, std::span<Rotations::PairRows> out) {
    for (std::size_t i = 0; i < out.size(); ++i) {
      for (const auto position : positions) {
        const auto [sine, cosine] = turns[first + i].at(position);
        out[i].factors.emplace_back(amplitude * cosine, amplitude * sine);
      }
    }
  };
  return result;
}

std::string drift(const Suspect& suspect, const Computation& edited) {
  const auto& declared = suspect.declared();
  if (edited.tones.size() != declared.tones.size() || suspect.has_operation()) {
    return {};  // what is turned back makes no scores
  }
  const auto maps = suspect.maps();
  if (std::ranges::count(maps, maps.front()) != std::ssize(maps)) {
    return {};  // a step along one axis is not as far as one along another
  }
  const auto [least, greatest] = std::ranges::minmax(suspect.positions().front());
  const auto rotations = edited_rotations(declared, edited, greatest - least);
  const auto row = equal_scores(rotations);
  // The nearest of those that drift the most.
  std::size_t worst = row.changes.size() - 1;
  for (auto at = worst; at-- > 0;) {
    worst = std::fabs(row.changes[at]) > std::fabs(row.changes[worst]) ? at : worst;
  }
  if (!(std::fabs(row.changes[worst]) >= least_drift)) {
    return {};
  }
  const double meant = row.scores[worst];
  const double is = meant + row.changes[worst];
  const auto distance = -rotations.positions[worst];
  const auto& positions = suspect.encoding().positions();
  return distance == 0
             ? fmt::format("A vector scores {:.3g} times the correct value with itself.", is / meant)
             : fmt::format("Two equal vectors {:.10g} tokens apart score {:.3g}; correct is {:.3g}.",
                           positions.approximate(distance) - positions.approximate(0), is, meant);
}

}  // namespace

std::string consequence_of(const Suspect& suspect, const Computation& edited) {
  auto sentence = suspect.positions().size() > 1 ? std::string() : equal_positions(suspect, edited);
  return sentence.empty() ? drift(suspect, edited) : sentence;
}

}  // namespace vernier
