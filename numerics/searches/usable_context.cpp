#include "numerics/searches/usable_context.hpp"

#include <cmath>

#include "numerics/contracts/contract.hpp"
#include "numerics/searches/near_quarter_turns.hpp"

namespace vernier {
namespace {

/// Of the search for the greatest error, in elements: some hundredths of a second.
constexpr std::int64_t patience = std::int64_t{1} << 20;

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
  UsableContext result;
  result.recipe = recipe.id;
  result.stored = stored;
  result.greatest = search.greatest(patience);
  for (std::size_t i = 0; i < usable_exponents.size(); ++i) {
    const double amplitude = approximately(table.amplitude);
    const double threshold = std::ldexp(amplitude, usable_exponents[i]);
    // Those before are off by less, whatever PhaseTurns is off by.
    if (const auto position = search.first_beyond(threshold - 2 * amplitude * PhaseTurns::error)) {
      result.first_beyond[i] = search.certainly_beyond(*position, threshold);
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
