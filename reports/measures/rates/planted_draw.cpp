#include "reports/measures/rates/planted_draw.hpp"

#include <algorithm>
#include <array>

#include "reference/support/input_error.hpp"
#include "reports/measures/rates/near_questions.hpp"

namespace vernier::rates {
namespace {

/// What can be drawn of a coordinate.
struct Drawable {
  Coordinate coordinate;
  double weight;
  std::int64_t least = 1;
  std::int64_t greatest = 1;
};

// clang-format off
constexpr std::array<Drawable, 27> drawable_table{{
    {Coordinate::rows, 5, 1, 65537}, {Coordinate::heads, 3, 2, 160}, {Coordinate::batches, 3, 2, 80},
    {Coordinate::rank, 1.5, 0, 3}, {Coordinate::order, 2, 0, order_count - 1},
    {Coordinate::own_positions, 1}, {Coordinate::type, 2, 0, 3}, {Coordinate::apart, 1},
    {Coordinate::not_finite, 1.5, 1, 3}, {Coordinate::first, 0.5, 0, 1}, {Coordinate::longer_before, 0.5},
    {Coordinate::longest_so_far, 0.5}, {Coordinate::same_rows, 0.5}, {Coordinate::same_ends, 0.3},
    {Coordinate::same_positions, 0.3}, {Coordinate::other_type_before, 0.5},
    {Coordinate::other_type_first, 0.5}, {Coordinate::other_heads_before, 0.5},
    {Coordinate::not_finite_before, 0.5}, {Coordinate::refused_before, 0.3},
    {Coordinate::row, 5, 1, 65537}, {Coordinate::from_end, 2, 1, 4096}, {Coordinate::head, 2.5, 1, 160},
    {Coordinate::batch, 2.5, 1, 80}, {Coordinate::index, 3, 1, 131072},
    {Coordinate::position, 4, 1, planted_end}, {Coordinate::pair, 2, 1, planted_pairs - 1}}};
// clang-format on

/// Of a power of two or one beside it, a small multiple of one, or anything.
std::int64_t binary_threshold(Draw& draw, std::int64_t least, std::int64_t greatest) {
  for (;;) {
    const double share = draw.share();
    const auto power = std::int64_t{1} << draw.between(0, 17);
    const auto drawn = share < 0.5    ? power + draw.between(-1, 1)
                       : share < 0.75 ? power * draw.one_of({3, 5, 6, 7, 9, 10, 12})
                                      : draw.spread_integer(least, greatest);
    if (drawn >= least && drawn <= greatest) {
      return drawn;
    }
  }
}

/// A round decimal number or one beside it, a product of two small numbers, or anything.
std::int64_t decimal_threshold(Draw& draw, std::int64_t least, std::int64_t greatest) {
  for (;;) {
    const double share = draw.share();
    const auto ten = draw.one_of<std::int64_t>({1, 10, 100, 1000, 10000});
    const auto round = draw.between(1, 12) * ten + (draw.chance(0.7) ? 0 : draw.between(-1, 1));
    const auto factor = draw.spread_integer(3, 100);
    const auto drawn = share < 0.35  ? round
                       : share < 0.6 ? factor * draw.spread_integer(3, 700)
                                     : draw.spread_integer(least, greatest);
    if (drawn >= least && drawn <= greatest) {
      return drawn;
    }
  }
}

/// What distributions differ in.
struct DistributionTraits {
  std::string_view name;
  std::int64_t (*threshold)(Draw& draw, std::int64_t least, std::int64_t greatest);
  std::array<double, 3> conditions;  ///< how likely one, two and three are
  double history = 1;                ///< how much more likely it is
  double at_least = 0.6, at_most = 0.1, equal = 0.12, unequal = 0, multiple = 0.12;  ///< else no multiple
};

constexpr std::array<DistributionTraits, 2> distribution_table{{
    {"covering", binary_threshold, {0.4, 0.6, 0}},
    {"own", decimal_threshold, {0.25, 0.4, 0.35}, 2.5, 0.45, 0.2, 0.06, 0.04, 0.1},
}};

const DistributionTraits& traits_of(Distribution distribution) {
  return distribution_table[static_cast<std::size_t>(distribution)];
}

template <class Weight>
const Drawable& draw_weighted(Draw& draw, Weight weight) {
  double all = 0;
  for (const auto& one : drawable_table) {
    all += weight(one);
  }
  double left = draw.share() * all;
  for (const auto& one : drawable_table) {
    if ((left -= weight(one)) < 0) {
      return one;
    }
  }
  return drawable_table.back();
}

Atom draw_condition(Draw& draw, const DistributionTraits& of) {
  const auto& drawn = draw_weighted(draw, [&](const Drawable& one) {
    return one.weight * (vernier::traits(one.coordinate).kind == CoordinateKind::history ? of.history : 1);
  });
  const auto kind = vernier::traits(drawn.coordinate).kind;
  if (kind == CoordinateKind::kind || kind == CoordinateKind::history) {
    return {drawn.coordinate, Relation::equal, draw.between(drawn.least, drawn.greatest)};
  }
  if (drawn.coordinate == Coordinate::from_end && draw.chance(0.5)) {
    return {Coordinate::from_end, Relation::in_tail, 0, draw.one_of({4, 8, 16, 32, 64, 128, 10, 24})};
  }
  Atom atom{drawn.coordinate, Relation::at_least, of.threshold(draw, drawn.least, drawn.greatest)};
  double share = draw.share();
  if ((share -= of.at_least) < 0) {
    return atom;
  }
  for (const auto& [relation, likely] :
       {std::pair(Relation::at_most, of.at_most), std::pair(Relation::equal, of.equal),
        std::pair(Relation::unequal, of.unequal)}) {
    if ((share -= likely) < 0) {
      atom.relation = relation;
      return atom;
    }
  }
  atom.relation = share < of.multiple ? Relation::multiple : Relation::not_multiple;
  atom.modulus = of.threshold(draw, 2, std::min<std::int64_t>(drawn.greatest, 1024));
  atom.value = draw.chance(0.7) ? 0 : draw.between(0, atom.modulus - 1);
  return atom;
}

bool is_of_one_value(const Predicate& where) {
  return std::ranges::any_of(where, [](const Atom& atom) {
    const auto coordinate = atom.coordinate;
    const bool counts = vernier::traits(coordinate).kind == CoordinateKind::size ||
                        coordinate == Coordinate::index || coordinate == Coordinate::position ||
                        coordinate == Coordinate::row;
    return counts && atom.relation == Relation::equal;
  });
}

bool is_about(const Predicate& where, Coordinate coordinate) {
  return std::ranges::find(where, coordinate, &Atom::coordinate) != where.end();
}

}  // namespace

Distribution parse_distribution(std::string_view word) {
  const auto found = std::ranges::find(distribution_table, word, &DistributionTraits::name);
  if (found == distribution_table.end()) {
    throw InputError("--distribution: found {}, expected covering or own", word);
  }
  return static_cast<Distribution>(found - distribution_table.begin());
}

Predicate draw_conditions(Draw& draw, Distribution distribution) {
  const auto& of = traits_of(distribution);
  const double share = draw.share();
  const std::size_t wanted = share < of.conditions[0]                      ? 1
                             : share < of.conditions[0] + of.conditions[1] ? 2
                                                                           : 3;
  Predicate where;
  while (where.size() < wanted) {
    const auto atom = draw_condition(draw, of);
    if (!is_about(where, atom.coordinate)) {
      where.push_back(atom);
    }
  }
  return where;
}

DrawnFault draw_fault(Draw& draw, Distribution distribution) {
  constexpr std::size_t most_vectors = 131'072;
  for (;;) {
    PlantedKernel kernel{.is_faulty = true, .where = draw_conditions(draw, distribution)};
    kernel.effect = static_cast<Effect>(draw.index(effect_count));
    kernel.exponent =
        static_cast<int>(kernel.effect == Effect::scaled ? draw.between(1, 4) : draw.between(4, 16));
    kernel.has_tables = draw.chance(0.02);
    if (is_about(kernel.where, Coordinate::refused_before)) {
      kernel.most_rank = draw.chance(0.5) ? 2 : 3;
      kernel.declines = {draw.one_of<const char*>({"float64", "float16", "bfloat16"})};
    }
    if (const auto least = least_that_shows(kernel, most_vectors, draw.bits())) {
      const bool is_single = is_of_one_value(kernel.where);
      return {std::move(kernel), *least, is_single};
    }
  }
}

PlantedKernel draw_honest_kernel(Draw& draw) {
  PlantedKernel kernel;
  kernel.has_tables = draw.chance(0.05);
  kernel.contiguous_only = draw.chance(0.15);
  kernel.one_length = draw.chance(0.1);
  kernel.takes_strides = draw.chance(0.6);
  kernel.takes_own_positions = draw.chance(0.5);
  kernel.computes_in_float32 = draw.chance(0.4);
  kernel.varies = draw.chance(0.15);
  kernel.rows_multiple = draw.chance(0.15) ? draw.one_of<std::size_t>({4, 16, 64, 128}) : 1;
  kernel.most_heads =
      draw.chance(0.25) ? draw.one_of<std::size_t>({1, 8, 16, 32, 64, 128}) : kernel.most_heads;
  kernel.most_batches = draw.chance(0.25) ? draw.one_of<std::size_t>({1, 1, 2, 16}) : kernel.most_batches;
  kernel.most_rank = draw.chance(0.3) ? draw.index(3) : kernel.most_rank;
  for (const char* declined : {"float64", "float16", "bfloat16"}) {
    if (draw.chance(0.2)) {
      kernel.declines.emplace_back(declined);
    }
  }
  return kernel;
}

}  // namespace vernier::rates
