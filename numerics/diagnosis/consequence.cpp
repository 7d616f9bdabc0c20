#include "numerics/diagnosis/consequence.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include <fmt/core.h>

namespace vernier {
namespace {

/// A drift of the score smaller than this is not worth a sentence.
constexpr double least_drift = 0.005;

/// A position, and that whose row it is given.
struct Coincidence {
  std::int64_t kept;
  std::int64_t repeating;
};

/// The first position that is given the row of an earlier one, where all before it have their own; else any
/// two that have the same row. The earlier one need not be among the rows: every one before has its own.
std::optional<Coincidence> first_coincidence(const Suspect& suspect, const Computation& edited) {
  const auto& positions = suspect.positions().front();
  const double size = edited.place_sizes.front();
  std::map<std::int64_t, double> kept;  // the place that a position is given
  for (std::size_t row = 0; row < positions.size(); ++row) {
    const double place = edited.places->front()[row];
    kept[positions[row]] = edited.place_format ? (*edited.place_format)(place * size) / size : place;
  }
  std::map<double, std::int64_t> first;  // the first position that is given a place
  std::optional<Coincidence> any;
  for (const auto& [position, place] : kept) {
    const auto [entry, is_new] = first.emplace(place, position);
    if (!is_new) {
      any = {entry->second, position};
      break;
    }
  }
  if (!any) {
    return std::nullopt;
  }
  if (!suspect.encoding().positions().is_plain()) {
    return any;  // a place between two positions is none
  }
  const auto other = std::ranges::find_if(
      kept, [](const auto& one) { return one.second != static_cast<double>(one.first); });
  const auto [position, place] = *other;
  const bool is_earlier = place == std::rint(place) && place < static_cast<double>(position) &&
                          place >= static_cast<double>(kept.begin()->first);
  return is_earlier ? Coincidence{std::llround(place), position} : *any;
}

std::string equal_rows(const Suspect& suspect, const Computation& edited) {
  if (suspect.positions().size() > 1) {
    return {};
  }
  const auto coincidence = first_coincidence(suspect, edited);
  const auto& map = suspect.encoding().positions();
  return coincidence
             ? fmt::format("Positions {} and {} have the same row: a model cannot distinguish such tokens.",
                           map.text(coincidence->kept), map.text(coincidence->repeating))
             : std::string();
}

/// The score of two equal vectors at a distance, as a share of that of the declared computation at distance
/// 0.
double score(const Computation& computation, double distance, double amplitude) {
  double sum = 0;
  for (int pair = 0; pair < computation.pairs(); ++pair) {
    sum += std::cos(distance * computation.frequency(pair));
  }
  const double factor = computation.amplitude / amplitude;
  return factor * factor * sum / computation.pairs();
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
  double worst = 0;
  std::int64_t at = 0;
  for (std::int64_t distance = 0; distance <= greatest - least;
       distance = std::max(distance + 1, distance + distance / 8)) {
    const auto d = static_cast<double>(distance);
    const double by = score(edited, d, declared.amplitude) - score(declared, d, declared.amplitude);
    if (std::fabs(by) > std::fabs(worst)) {
      worst = by;
      at = distance;
    }
  }
  if (std::fabs(worst) < least_drift) {
    return {};
  }
  const auto d = static_cast<double>(at);
  const double is = score(edited, d, declared.amplitude);
  const double meant = score(declared, d, declared.amplitude);
  const auto& positions = suspect.encoding().positions();
  return at == 0 ? fmt::format("A vector scores {:.3g} times the correct value with itself.", is / meant)
                 : fmt::format("Two equal vectors {:.10g} tokens apart score {:.3g}; correct is {:.3g}.",
                               positions.approximate(at) - positions.approximate(0), is, meant);
}

}  // namespace

std::string consequence_of(const Suspect& suspect, const Computation& edited) {
  auto sentence = equal_rows(suspect, edited);
  return sentence.empty() ? drift(suspect, edited) : sentence;
}

}  // namespace vernier
