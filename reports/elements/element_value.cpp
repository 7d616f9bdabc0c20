#include "reports/elements/element_value.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <memory>

#include "numerics/contracts/contract.hpp"
#include "numerics/errors/metrics.hpp"
#include "reference/decimal.hpp"
#include "reference/input_error.hpp"

namespace vernier {
namespace {

/// \param number whose nearest numbers are known
std::optional<int> bits_beyond(Format format, const NearestNumber& number, const Enclosure& truth) {
  if (number.is_exact) {
    return 1;
  }
  const double half = ((number.beyond > 0 ? number.above : number.below) - number.nearest) / 2;
  if (!std::isfinite(half)) {
    return std::nullopt;
  }
  // What is next to the nearest number is a double, exactly; so is half a step.
  const double rest = (truth.middle.high - number.nearest) - half + truth.middle.low;
  const double distance = std::max(std::fabs(rest), truth.radius) / ulp_at(format, truth.approximately());
  return std::max(1, static_cast<int>(std::ceil(-std::log2(distance))));
}

std::optional<NearestNumber> nearest_number(Format format, const Real& truth, const Enclosure& enclosure) {
  const auto nearest = correctly_rounded(format, truth);
  if (!nearest) {
    return std::nullopt;
  }
  if (std::isnan(*nearest)) {  // beyond the greatest of a format without infinities
    const double nan = *nearest;
    const double largest = traits(format).largest();
    const bool is_positive = enclosure.approximately() > 0;
    return NearestNumber{.format = format,
                         .nearest = nan,
                         .below = is_positive ? largest : nan,
                         .above = is_positive ? nan : -largest};
  }
  const bool is_exact =
      enclosure.radius == 0 && enclosure.middle.high == *nearest && enclosure.middle.low == 0;
  NearestNumber result{.format = format,
                       .nearest = *nearest,
                       .below = next_down(format, *nearest),
                       .above = next_up(format, *nearest),
                       .beyond = is_exact ? 0 : -signed_ulp_error(format, *nearest, enclosure),
                       .is_exact = is_exact};
  result.bits_beyond = bits_beyond(format, result, enclosure);
  return result;
}

/// Nothing for a phase up to pi/4, and where the nearest multiple of pi/2 is undecided.
std::optional<ReducedPhase> reduced(const Real& phase) {
  const auto turns = correctly_rounded_decimal([&] { return Interval(phase() * 2 / pi()); }, 0);
  if (!turns || *turns == "0" || *turns == "-0") {
    return std::nullopt;
  }
  const Rational count(*turns);
  const auto rest = tight_enclosure([&] { return Interval(phase() - enclose(count) * pi() / 2); });
  return ReducedPhase{*turns, rest.approximately()};
}

Component other_component(Component component) {
  return component == Component::sine ? Component::cosine : Component::sine;
}

RecipeValue recipe_value(const SineEntry& entry, std::int64_t position, const Enclosure& truth,
                         const RecipeWish& wish) {
  const auto& [table, column] = entry;
  const auto& [pair, component] = table.columns[column];
  const std::shared_ptr<const PhaseRule> rule =
      wish.recipe->prepare(RecipeFrequencies(table.frequencies, wish.recipe->id));
  const RecipeTable computed(*wish.recipe, rule, table, wish.stored);
  std::vector<double> row(table.columns.size());
  computed.row(position, row);

  RecipeValue result{.recipe = wish.recipe, .stored = wish.stored, .got = row[column]};
  if (table.is_zero(position, column)) {
    result.correct_library = result.got;
  } else if (const auto value =
                 rounded_component(component, wish.recipe->compute, used_phase(*rule, position, pair))) {
    result.correct_library = computed.element_of(*value);
  }
  result.error = signed_error(result.got, truth);
  result.ulps = signed_ulp_error(wish.stored, result.got, truth);
  const auto* contract = contract_named(wish.recipe->contract);
  assert(contract != nullptr);
  const auto model = contract->bind(table, wish.stored);
  if (!table.is_zero(position, column)) {
    const auto partner = tight_enclosure(table.value(position, pair, other_component(component)));
    result.budget = model.at(position, pair, truth.approximately(), partner.approximately());
  }
  result.is_inconclusive = model.inconclusive(result.budget);
  result.budget_ratio = result.error == 0 ? 0 : std::fabs(result.error) / result.budget.total();
  return result;
}

}  // namespace

ElementValue element_value(const DefinedElement& element, std::int64_t position, int digits,
                           const std::optional<RecipeWish>& wish) {
  ElementValue value{.role = element.role,
                     .meaning = element.meaning,
                     .integer = element.integer,
                     .digits = digits,
                     .truth = correctly_rounded_decimal(element.truth, digits)};
  if (element.sine) {
    const auto& table = element.sine->table;
    const auto& places = table.positions;
    const auto place = places.place(position);
    const Real frequency = [frequencies = table.frequencies,
                            pair = table.columns[element.sine->column].pair] { return frequencies.at(pair); };
    value.frequency =
        correctly_rounded_decimal([&] { return Interval(enclose(places.stride()) * frequency()); }, digits);
    const Real phase = [&] { return Interval(enclose(place) * frequency()); };
    value.phase = correctly_rounded_decimal(phase, digits);
    value.reduced = reduced(phase);
  }
  const auto enclosure = tight_enclosure(element.truth);
  for (const auto format : all_formats()) {
    value.nearest.push_back(nearest_number(format, element.truth, enclosure));
  }
  if (wish) {
    if (!element.sine) {
      throw InputError(
          "--recipe: found {}, expected none, as recipes compute sines and cosines, and {} are none",
          wish->recipe->id, element.role);
    }
    value.by_recipe =
        recipe_value(*element.sine, element.sine->table.positions.place(position), enclosure, *wish);
  }
  return value;
}

}  // namespace vernier
