#include "reports/exchange/elements/element_value.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <set>
#include <utility>
#include <variant>

#include <fmt/core.h>
#include <mpfi.h>

#include "numerics/contracts/contract.hpp"
#include "numerics/elements/placed_elements.hpp"
#include "numerics/errors/metrics.hpp"
#include "reference/numbers/decimal.hpp"
#include "reference/numbers/real.hpp"
#include "reference/support/input_error.hpp"
#include "reference/support/refusal.hpp"
#include "reference/tables/mixed_axes.hpp"
#include "reports/words/nearest_names.hpp"

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
  const auto rule = wish.recipe->prepare(table);
  const RecipeTable computed(*wish.recipe, rule, table, wish.stored);
  std::vector<double> row(table.columns.size());
  computed.row(position, row);

  RecipeValue result{.recipe = wish.recipe, .stored = wish.stored, .got = row[column]};
  if (table.is_zero(position, column)) {
    result.correct_library = result.got;
  } else if (const auto value =
                 rounded_component(component, wish.recipe->compute(), used_phase(rule, position, pair))) {
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

/// An option that says which element of a row is meant.
struct Index {
  std::string_view option;  ///< "--pair"
  std::optional<std::int64_t> value;
  bool is_used = false;
};

/// Finds the elements, tensor after tensor.
class Finder {
 public:
  Finder(const Encoding& encoding, const ElementWish& wish, const std::string& source)
      : encoding_(encoding),
        wish_(wish),
        source_(source),
        pair_{"--pair", wish.pair},
        head_{"--head", wish.head},
        column_{"--column", wish.column} {}

  void operator()(const TurnedTable& table) {
    for (const auto column : columns_of_pair(table)) {
      add(table, 0, column, {wish_.position});
      if (table.is_plain()) {
        found.back().sine = SineEntry{table.sines, column};
      }
    }
  }

  void operator()(const ExactTable& table) {
    table.require(wish_.position);
    add(table, 0,
        static_cast<std::size_t>(
            table.columns == 1 && !column_.value ? 0 : read(column_, table.role, table.columns, "columns")),
        {wish_.position});
  }

  /// A bias is that of a query at 0.
  void operator()(const BiasTable& table) {
    add(table, static_cast<std::size_t>(read(head_, table.role, table.heads(), "heads")), 0,
        {wish_.position, 0});
  }

  void operator()(const BucketTable& table) { add(table, 0, 0, {wish_.position}); }

  /// Rotated vectors have no elements of their own: they depend on what is rotated.
  void operator()(const HeadRotation& /*rotation*/) {}

  /// \throws InputError for an index that nothing has
  void require_no_more() const {
    for (const auto* index : {&pair_, &head_, &column_}) {
      if (index->value && !index->is_used) {
        throw InputError("{}: found {}, expected none, as no tensor of {} has {}s", index->option,
                         *index->value, source_, index->option.substr(2));
      }
    }
  }

  std::vector<DefinedElement> found;

 private:
  void add(const TensorDefinition& definition, std::size_t row, std::size_t column,
           std::vector<std::int64_t> positions) {
    const PlacedElements elements(encoding_, definition, std::move(positions));
    elements->go_to(row);
    found.push_back({.role = std::string(elements->role()),
                     .meaning = elements->name(column),
                     .truth = elements->exact(column),
                     .integer = elements->integer(column)});
  }

  /// The value of an index. \throws InputError for one that is missing or too large
  std::int64_t read(Index& index, std::string_view role, std::size_t count, std::string_view things) const {
    index.is_used = true;
    if (!index.value || *index.value >= static_cast<std::int64_t>(count)) {
      const bool is_one = count == 1;
      throw InputError("{}: found {}, expected {}, as {} of {} has {}", index.option,
                       index.value ? std::to_string(*index.value) : "nothing",
                       is_one ? "0" : fmt::format("a number from 0 to {}", count - 1), role, source_,
                       is_one ? "only one" : fmt::format("{} {}", count, things));
    }
    return *index.value;
  }

  /// The first column of each component of the pair, and of each axis.
  std::vector<std::size_t> columns_of_pair(const TurnedTable& table) {
    const auto& sines = table.sines;
    const int pairs = mixes_axes(table) ? mixed_pairs(sines.frequencies) : sines.frequencies.pairs();
    const auto pair = read(pair_, sines.role, static_cast<std::size_t>(pairs), "pairs");
    std::vector<std::size_t> columns;
    std::set<std::pair<Component, int>> seen;
    for (std::size_t column = 0; column < sines.columns.size(); ++column) {
      const auto& [of_pair, component] = sines.columns[column];
      if (component != Component::zero && of_pair == pair &&
          seen.emplace(component, table.axis(column)).second) {
        columns.push_back(column);
      }
    }
    return columns;
  }

  const Encoding& encoding_;
  const ElementWish& wish_;
  const std::string& source_;
  Index pair_;
  Index head_;
  Index column_;
};

}  // namespace

std::vector<DefinedElement> defined_elements(const Encoding& encoding, const ElementWish& wish,
                                             const std::string& source) {
  if (const auto length = encoding.sequence_length(); length && wish.position >= *length) {
    throw InputError(
        "--position: found {}, expected one below {}, the length of the sequence that the frequencies of {} "
        "belong to (--sequence-length gives another)",
        wish.position, *length, source);
  }
  Finder find(encoding, wish, source);
  std::vector<std::string> roles;
  for (const auto& definition : encoding.tensors()) {
    const std::string role(role_of(definition));
    if (are_vectors(definition) || std::ranges::find(roles, role) != roles.end()) {
      continue;
    }
    roles.push_back(role);
    if (wish.role.empty() || wish.role == role) {
      std::visit(find, definition);
    }
  }
  if (!wish.role.empty() && std::ranges::find(roles, wish.role) == roles.end()) {
    throw InputError("--role: {}", not_among(wish.role, roles));
  }
  find.require_no_more();
  refuse_if(find.found.empty(),
            "value: found no element of {} at position {}, expected one that a column holds", source,
            wish.position);
  return std::move(find.found);
}

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
