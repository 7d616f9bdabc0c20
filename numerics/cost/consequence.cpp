#include "numerics/cost/consequence.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include <fmt/core.h>

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
    const double held = edited.place_format ? (*edited.place_format)(place * size) / size : place;
    if (const auto [given, is_new] = places.emplace(positions[row], held); !is_new && given->second != held) {
      return {};  // some heads or batches only
    }
  }
  std::map<double, std::int64_t> first;  // the first position that is given a place
  const auto repeating = std::ranges::find_if(
      places, [&](const auto& given) { return !first.emplace(given.second, given.first).second; });
  if (repeating == places.end()) {
    return {};
  }
  auto [earlier, later] = std::pair(first.at(repeating->second), repeating->first);
  const auto& map = suspect.encoding().positions();
  if (map.is_plain()) {  // else a place between two positions is none
    const auto [position, moved] = *std::ranges::find_if(
        places, [](const auto& given) { return given.second != static_cast<double>(given.first); });
    if (moved == std::rint(moved) && moved < static_cast<double>(position) &&
        moved >= static_cast<double>(places.begin()->first)) {
      std::tie(earlier, later) = std::pair(std::llround(moved), position);
    }
  }
  return fmt::format("Positions {} and {} have the same row: a model cannot distinguish such tokens.",
                     map.text(earlier), map.text(later));
}

std::string drift(const Suspect& suspect, const Computation& edited) {
  const auto& declared = suspect.declared();
  if (edited.tones.size() != declared.tones.size() || suspect.has_operation()) {
    return {};  // what is turned back makes no scores
  }
  if (edited.place_format || edited.phase_format || edited.phase_step != 0 || edited.places_are_sums) {
    return {};  // what is rounded in each row makes other scores at other positions
  }
  const auto maps = suspect.maps();
  if (std::ranges::count(maps, maps.front()) != std::ssize(maps)) {
    return {};  // a step along one axis is not as far as one along another
  }
  const auto [least, greatest] = std::ranges::minmax(suspect.positions().front());
  const auto* rotation = suspect.encoding().rotation();
  const auto passing = static_cast<double>(rotation == nullptr ? 0 : rotation->passed_through().size());
  // Of two equal vectors, all dimensions of which have one size: a share of the right score of one with
  // itself, but for the amplitude of the declared one.
  const auto score = [&](const Computation& by, std::int64_t distance) {
    double sum = 0;
    for (const double frequency : by.frequencies()) {
      sum += 2 * std::cos(static_cast<double>(distance) * frequency);
    }
    return (sum * std::pow(by.amplitude, 2) + passing) /
           (2 * by.pairs() * std::pow(declared.amplitude, 2) + passing);
  };
  std::int64_t worst = 0;  // the nearest of those that drift the most
  double meant = 0;
  double is = 0;
  for (std::int64_t distance = 0; distance <= greatest - least;
       distance = std::max(distance + 1, distance + distance / 8)) {
    const double right = score(declared, distance);
    const double got = score(edited, distance);
    if (std::fabs(got - right) > std::fabs(is - meant)) {
      std::tie(worst, meant, is) = std::tuple(distance, right, got);
    }
  }
  if (!(std::fabs(is - meant) >= least_drift)) {
    return {};
  }
  const auto& positions = suspect.encoding().positions();
  return worst == 0 ? fmt::format("A vector scores {:.3g} times the correct value with itself.", is / meant)
                    : fmt::format("Two equal vectors {:.10g} tokens apart score {:.3g}; correct is {:.3g}.",
                                  positions.approximate(worst) - positions.approximate(0), is, meant);
}

}  // namespace

std::string consequence_of(const Suspect& suspect, const Computation& edited) {
  auto sentence = suspect.positions().size() > 1 ? std::string() : equal_positions(suspect, edited);
  return sentence.empty() ? drift(suspect, edited) : sentence;
}

}  // namespace vernier
