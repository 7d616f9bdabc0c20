#include "numerics/diagnosis/consequence.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/core.h>

namespace vernier {
namespace {

/// A drift of the score smaller than this is not worth a sentence.
constexpr double least_drift = 0.005;

std::string equal_rows(const Suspect& suspect, const Computation& edited) {
  if (suspect.positions().size() > 1) {
    return {};
  }
  std::map<double, std::int64_t> first;  // the position that has a place, by place
  const auto& positions = suspect.positions().front();
  for (std::size_t row = 0; row < positions.size(); ++row) {
    const double place = edited.places->front()[row];
    const double kept = edited.place_format ? round_to(*edited.place_format, place) : place;
    const auto [entry, is_new] = first.emplace(kept, positions[row]);
    if (!is_new && entry->second != positions[row]) {
      return fmt::format("The rows of positions {} and {} are equal: nothing tells such tokens apart.",
                         entry->second, positions[row]);
    }
  }
  return {};
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
  if (edited.tones.size() != declared.tones.size()) {
    return {};
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
  return at == 0 ? fmt::format("The score of a vector with itself is {:.3g} times what is meant.", is / meant)
                 : fmt::format(
                       "Equal vectors at distance {} score {:.3g} where {:.3g} is meant (1 at distance 0).",
                       at, is, meant);
}

}  // namespace

std::string consequence_of(const Suspect& suspect, const Computation& edited) {
  auto sentence = equal_rows(suspect, edited);
  return sentence.empty() ? drift(suspect, edited) : sentence;
}

}  // namespace vernier
