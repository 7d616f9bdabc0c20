#include "numerics/searches/usable_context.hpp"

#include <cmath>
#include <memory>

#include "numerics/contracts/contract.hpp"
#include "numerics/searches/near_quarter_turns.hpp"
#include "numerics/searches/phase_turns.hpp"

namespace vernier {
namespace {

/// Of the search for the greatest error, in elements: some hundredths of a second.
constexpr std::int64_t patience = std::int64_t{1} << 20;

/// The errors of the elements at one position.
class ErrorsAt {
 public:
  ErrorsAt(const Recipe& recipe, const TrigTable& table, Format stored)
      : table_(table),
        phases_(recipe.prepare(table.frequencies)),
        elements_(recipe, phases_, table, stored),
        amplitude_(approximately(table.amplitude)) {}

  double of(const ErrorPlace& place) const {
    const WorkingPrecision precision(192);
    const PhaseTurns turns(table_.frequencies.at(place.pair));
    const auto truth = turns.at(place.position);
    const double value = place.component == Component::cosine ? truth.cosine : truth.sine;
    return std::fabs(elements_.element(place.component, used_phase(*phases_, place.position, place.pair)) -
                     amplitude_ * value);
  }

  /// The component of a pair that is off by more, or is no number.
  Component worse(std::int64_t position, int pair) const {
    return of({position, pair, Component::cosine}) >= of({position, pair, Component::sine})
               ? Component::cosine
               : Component::sine;
  }

  /// The first element of a row that is off by more than a threshold; nothing if none is for certain.
  std::optional<ErrorPlace> first_beyond(std::int64_t position, double threshold) const {
    for (int pair = 0; pair < table_.frequencies.pairs(); ++pair) {
      for (const auto component : {Component::cosine, Component::sine}) {
        const ErrorPlace place{position, pair, component};
        if (!(of(place) <= threshold + 2 * amplitude_ * PhaseTurns::error)) {
          return place;
        }
      }
    }
    return std::nullopt;
  }

 private:
  const TrigTable& table_;
  std::shared_ptr<const PhaseRule> phases_;
  RecipeTable elements_;
  double amplitude_;
};

}  // namespace

bool UsableContext::is_decided() const {
  return !is_on_edge && contract.fate != ContractFate::undecided &&
         (repeat.position || repeat.examined == largest_position);
}

std::optional<NearestQuarterTurn> nearest_quarter_turn(const TrigTable& table) {
  std::optional<NearestQuarterTurn> nearest;
  for (int pair = 0; pair < table.frequencies.pairs(); ++pair) {
    if (table.frequencies.approximate(pair) == 0) {
      continue;
    }
    const auto position =
        near_quarter_turns([&] { return table.frequencies.at(pair); }, largest_position - 1).back();
    const WorkingPrecision precision(192);
    const Interval turns = table.frequencies.at(pair) * 2 * enclose(position) / pi();
    const double distance = middle(Interval(
        abs(Interval(turns - enclose(static_cast<std::int64_t>(std::llrint(middle(turns)))))) * pi() / 2));
    if (!nearest || distance < nearest->distance) {
      nearest = NearestQuarterTurn{position, pair, distance};
    }
  }
  return nearest;
}

UsableContext usable_context(const Recipe& recipe, const TrigTable& table, Format stored,
                             const SingleSineErrors& sines) {
  const ErrorSearch search(recipe, table, stored, largest_position);
  const ErrorsAt errors(recipe, table, stored);
  UsableContext result;
  result.recipe = recipe.id;
  result.stored = stored;
  result.greatest = search.greatest(patience);
  const auto& greatest = result.greatest;
  result.component_of_greatest = errors.worse(greatest.position, greatest.pair);
  for (std::size_t i = 0; i < usable_exponents.size(); ++i) {
    const double amplitude = approximately(table.amplitude);
    const double threshold = std::ldexp(amplitude, usable_exponents[i]);
    // Those before are off by less, whatever PhaseTurns is off by.
    if (const auto position = search.first_beyond(threshold - 2 * amplitude * PhaseTurns::error)) {
      result.first_beyond[i] = errors.first_beyond(*position, threshold);
      result.is_on_edge = result.is_on_edge || !result.first_beyond[i];
    }
  }
  result.repeat = first_repeat(recipe, table, stored, largest_position);
  result.contract = prove_contract(recipe, table, stored, *contract_named(recipe.contract));
  if (recipe.compute() != Format::binary64 && !sines.are_faithful()) {
    result.contract.fate = ContractFate::undecided;
  }
  return result;
}

}  // namespace vernier
