#include "reports/elements/element_value.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <memory>

#include <mpfi.h>

#include "numerics/contracts/contract.hpp"
#include "numerics/errors/metrics.hpp"
#include "numerics/recipes/scaled_phases.hpp"
#include "reference/decimal.hpp"
#include "reference/input_error.hpp"
#include "reference/real.hpp"

namespace vernier {
namespace {

/// ceil(-log2 distance), at least 1; nothing for a distance of zero. One that the cap of Ziv's loop does not
/// tell from a power of two is that power.
std::optional<int> bits_to_tell(const Real& distance) {
  std::optional<int> result;
  for (unsigned bits = ziv_first_precision; bits <= ziv_precision_cap; bits *= 2) {
    const WorkingPrecision precision(bits);
    const Interval enclosed = distance();
    const auto* ends = enclosed.backend().data();
    if (mpfr_sgn(&ends->left) <= 0) {
      continue;
    }
    const auto exponent = mpfr_get_exp(&ends->right);
    result = std::max(1, static_cast<int>(1 - exponent));
    if (mpfr_get_exp(&ends->left) == exponent) {
      break;
    }
  }
  return result;
}

/// Says where the truth lies, in multiprecision: it may be nearer to the number than doubles can tell.
/// \param number finite, its neighbours known
void place_truth(NearestNumber& number, const Real& truth) {
  const Real off = [&] { return Interval(truth() - enclose(number.nearest)); };
  const auto sign = decided_sign(off);
  const int side = sign.value_or(0);
  const double neighbour = side > 0 ? number.above : number.below;
  const bool has_neighbour = std::isfinite(neighbour);
  // One ulp of the truth: beside a power of two the gap below is half of that above.
  const double gap =
      has_neighbour ? std::fabs(neighbour - number.nearest) : ulp_at(number.format, number.nearest);
  const auto ulps = tight_enclosure([&] { return Interval(off() / enclose(gap)); });
  number.beyond = side * std::max(std::fabs(ulps.approximately()), std::numeric_limits<double>::denorm_min());
  number.is_exact = sign == 0;
  if (side == 0 || has_neighbour) {
    number.bits_beyond = bits_to_tell([&] { return Interval(0.5 - side * off() / enclose(gap)); });
    number.is_midpoint = !number.bits_beyond;
  }
}

std::optional<NearestNumber> nearest_number(Format format, const Real& truth) {
  const auto nearest = correctly_rounded(format, truth);
  if (!nearest) {
    return std::nullopt;
  }
  if (std::isnan(*nearest)) {  // beyond the greatest of a format without infinities
    const double nan = *nearest;
    const double largest = traits(format).largest();
    const bool is_positive = decided_sign(truth) == 1;
    return NearestNumber{.format = format,
                         .nearest = nan,
                         .below = is_positive ? largest : nan,
                         .above = is_positive ? nan : -largest};
  }
  NearestNumber result{.format = format,
                       .nearest = *nearest,
                       .below = next_down(format, *nearest),
                       .above = next_up(format, *nearest)};
  if (std::isfinite(*nearest)) {
    place_truth(result, truth);
  }
  return result;
}

Component other_component(Component component) {
  return component == Component::sine ? Component::cosine : Component::sine;
}

RecipeValue recipe_value(const SineEntry& entry, std::int64_t position, const Enclosure& truth,
                         const RecipeWish& wish) {
  const auto& [table, column] = entry;
  const auto& [pair, component] = table.columns[column];
  const std::shared_ptr<const PhaseRule> rule = phases_of(*wish.recipe, table);
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

std::optional<ReducedPhase> reduced_phase(const Real& phase) {
  const auto turns = correctly_rounded_decimal([&] { return Interval(phase() * 2 / pi()); }, 0);
  if (!turns || *turns == "0" || *turns == "-0") {
    return std::nullopt;
  }
  const Rational count(*turns);
  const auto rest = tight_enclosure([&] { return Interval(phase() - enclose(count) * pi() / 2); });
  return ReducedPhase{*turns, rest.approximately()};
}

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
    value.reduced = reduced_phase(phase);
  }
  for (const auto format : all_formats()) {
    value.nearest.push_back(nearest_number(format, element.truth));
  }
  if (wish) {
    if (!element.sine) {
      throw InputError(
          "--recipe: found {}, expected none, as recipes compute sines and cosines, and {} are none",
          wish->recipe->id, element.role);
    }
    value.by_recipe = recipe_value(*element.sine, element.sine->table.positions.place(position),
                                   tight_enclosure(element.truth), *wish);
  }
  return value;
}

}  // namespace vernier
