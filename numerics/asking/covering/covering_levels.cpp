#include "numerics/asking/covering/covering_levels.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <iterator>
#include <numeric>
#include <set>
#include <utility>

#include "reference/support/mapped.hpp"

namespace vernier {
namespace {

using enum Coordinate;
using Of = Level::Of;

constexpr auto no_limit = std::numeric_limits<std::int64_t>::max();

/// What ends a level that begins at a value.
enum class LevelEnd : std::uint8_t { itself, next_level, nothing };

std::size_t natural_of(std::int64_t value) {
  return static_cast<std::size_t>(value);
}

std::int64_t power_in(std::int64_t x) {
  return x == 0 ? 0 : std::int64_t{1} << std::countr_zero(static_cast<std::uint64_t>(x));
}

/// 1, 2, 3, 5, 9 ...: a band begins beyond each power of two, up to `most`.
std::vector<std::int64_t> band_starts(std::int64_t most) {
  std::vector<std::int64_t> result{1};
  for (std::int64_t power = 1; power <= most; power *= 2) {
    result.push_back(power + 1);
  }
  return result;
}

std::vector<std::int64_t> numbers_below(std::int64_t end) {
  std::vector<std::int64_t> result(natural_of(end));
  std::iota(result.begin(), result.end(), 0);
  return result;
}

/// Those of the spec, the ends, and 0, each with the position before.
std::vector<std::int64_t> edge_positions(const DesignLimits& limits) {
  std::set<std::int64_t> result(limits.edges.begin(), limits.edges.end());
  result.insert({limits.start + 1, std::max(limits.start, std::int64_t{0}), limits.end});
  for (const auto edge : std::vector(result.begin(), result.end())) {
    result.insert(edge - 1);
  }
  std::erase_if(result, [&](std::int64_t edge) { return edge < limits.start || edge > limits.end; });
  return {result.begin(), result.end()};
}

}  // namespace

bool Level::holds(std::int64_t x) const {
  const auto is_in = [&](std::int64_t value) { return low <= value && value <= high; };
  return of == Of::value   ? is_in(x)
         : of == Of::power ? is_in(power_in(x))
                           : is_in(power_in(x - 1)) || is_in(power_in(x + 1));
}

std::vector<Level> levels_of(const DesignLimits& limits) {
  std::vector<Level> result;
  std::size_t columns = 0;
  const auto add_column = [&](Coordinate coordinate, const std::vector<std::int64_t>& starts,
                              LevelEnd end = LevelEnd::itself, Of of = Of::value) {
    for (auto low = starts.begin(); low != starts.end(); ++low) {
      const bool has_next = end == LevelEnd::next_level && std::next(low) != starts.end();
      const auto high = end == LevelEnd::itself ? *low : has_next ? *std::next(low) - 1 : no_limit;
      result.push_back({coordinate, *low, high, of, columns});
    }
    ++columns;
  };
  // Decoding alone, vectors, warps, tiles, the y of a grid, indices of 16 bits; the heads that models have.
  for (const auto& [coordinate, most] : {std::pair(rows, 65536), {heads, 128}, {batches, 64}}) {
    if (coordinate == rows || limits.takes_heads) {
      const auto starts = band_starts(most);
      add_column(coordinate, starts, LevelEnd::next_level);
      result.back().high = most_of_size;
      // A fault from a size on is met by any larger one.
      add_column(coordinate, {starts.begin() + 2, starts.end()}, LevelEnd::nothing);
    }
  }
  // What vectors, warps and tiles leave over; pages of a cache.
  const std::vector<std::int64_t> pages{16, 64, 256, 1024, 4096, 16384};
  add_column(rows, {1, 2, 4, 8, 16, 64, 256}, LevelEnd::next_level, Of::power);
  add_column(position, pages, LevelEnd::next_level, Of::power);
  add_column(position, pages, LevelEnd::next_level, Of::power_beside);
  add_column(position, edge_positions(limits));
  // Blocks of threads, and indices of 16 bits. More meets less.
  add_column(index, {64, 256, 1024, 4096, 8192, 65536}, LevelEnd::nothing);
  add_column(type, mapped(limits.types, [](ElementType each) { return static_cast<std::int64_t>(each); }));
  add_column(rank, numbers_below(limits.takes_heads ? 4 : 1));
  add_column(order, numbers_below(limits.takes_scattered ? order_count : 2));
  add_column(own_positions, numbers_below(limits.takes_heads && limits.takes_own_positions ? 2 : 1));
  add_column(apart, numbers_below(limits.takes_strides ? 2 : 1));
  add_column(not_finite, numbers_below(!limits.takes_not_finite ? 1 : limits.has_passing_dimensions ? 4 : 3));
  add_column(first, {1});
  for (const auto& [coordinate, kind, name] : all_coordinates()) {
    const bool is_left_out =
        coordinate == first || coordinate == refused_before || !limits.keeps_process ||
        (coordinate == not_finite_before && !limits.takes_not_finite) ||
        (coordinate == other_heads_before && !limits.takes_heads) ||
        ((coordinate == other_type_before || coordinate == other_type_first) && limits.types.size() < 2);
    if (kind == CoordinateKind::history && !is_left_out) {
      columns -= coordinate <= same_positions ? 1 : 0;  // alternatives
      add_column(coordinate, {1});
    }
  }
  std::erase_if(result, [&](const Level& level) {
    return level.coordinate == position && std::ranges::none_of(limits.pool, [&](std::int64_t each) {
             Coordinates values;
             values[position] = each;
             return level.holds(each) && vernier::holds(predicate_of(level), values);
           });
  });
  return result;
}

Predicate predicate_of(const Level& level) {
  const auto& [coordinate, low, high, of, column] = level;
  if (of != Of::value) {
    // Beside a multiple is told as one of both sides.
    return low == 1 ? Predicate{{coordinate, Relation::not_multiple, 0, 2}}
                    : Predicate{{coordinate, Relation::multiple, of == Of::power ? 0 : 1, low}};
  }
  if (low == high) {
    return {{coordinate, Relation::equal, low}};
  }
  Predicate result{{coordinate, Relation::at_least, low}};
  if (high < std::int64_t{most_of_size}) {
    result.push_back({coordinate, Relation::at_most, high});
  }
  return result;
}

}  // namespace vernier
