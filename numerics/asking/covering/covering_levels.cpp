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

/// The rows that positions of this order can have, and show it.
SizeRange rows_in(Order order, const DesignLimits& limits) {
  constexpr std::array<std::size_t, order_count> least{1, 1, 2, 2, 3, 4, 2, 2};
  const auto range = natural_of(limits.end - limits.start) + 1;
  const auto cheap = limits.pool.empty() ? range : limits.pool.size();
  const auto consecutive = limits.pool.empty() ? most_of_size : limits.most_consecutive;
  const auto most = order <= Order::descending ? std::min(range, consecutive)
                    : order == Order::packed   ? consecutive
                    : order == Order::gaps     ? cheap / 2  // of more, too few draws would differ
                                               : most_of_size;
  return {least[static_cast<std::size_t>(order)], most};
}

QuestionSizes sizes_of(const Level& level, const DesignLimits& limits) {
  QuestionSizes result;
  result.vectors.high = limits.most_vectors_of_question;
  const SizeRange range{natural_of(level.low), natural_of(level.high)};
  switch (level.coordinate) {
    case rows:
      (level.of == Of::value ? result.rows : result.row_power) = range;
      break;
    case heads:
      result.heads = range;
      break;
    case batches:
      result.batches = range;
      break;
    case index:
      result.vectors.low = range.low;
      break;
    case rank:
      result.heads.high = level.low == 0 ? 1 : most_of_size;
      result.batches.high = level.low < 2 ? 1 : most_of_size;
      break;
    case order:
      result.rows = rows_in(static_cast<Order>(level.low), limits);
      break;
    case own_positions:
      result.batches.low = range.low + 1;
      break;
    case longest_so_far:
      result.rows.low = 2;
      break;
    default:
      break;
  }
  return result;
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

std::size_t QuestionSizes::rows_from(std::size_t from) const {
  const auto step = std::bit_floor(row_power.low);
  auto result = (from + step - 1) / step * step;
  while (natural_of(power_in(static_cast<std::int64_t>(result))) > row_power.high) {
    result += step;
  }
  return result;
}

bool QuestionSizes::narrow(const QuestionSizes& other) {
  for (const auto size : {&QuestionSizes::rows, &QuestionSizes::heads, &QuestionSizes::batches,
                          &QuestionSizes::vectors, &QuestionSizes::row_power}) {
    auto& range = this->*size;
    range.low = std::max(range.low, (other.*size).low);
    range.high = std::min(range.high, (other.*size).high);
    if (range.low > range.high) {
      return false;
    }
  }
  rows.low = rows_from(rows.low);
  return rows.low <= rows.high && least() <= vectors.high &&
         rows.high * heads.high * batches.high >= vectors.low;
}

bool Level::holds(std::int64_t x) const {
  const auto is_in = [&](std::int64_t value) { return low <= value && value <= high; };
  return of == Of::value   ? is_in(x)
         : of == Of::power ? is_in(power_in(x))
                           : is_in(power_in(x - 1)) || is_in(power_in(x + 1));
}

std::vector<Level> levels_of(const DesignLimits& limits) {
  const bool takes_heads = limits.has_vectors && limits.takes_heads;
  const bool takes_not_finite = limits.has_vectors && limits.takes_not_finite;
  std::vector<Level> result;
  std::size_t columns = 0;
  const auto add_column = [&](Coordinate coordinate, const std::vector<std::int64_t>& starts,
                              LevelEnd end = LevelEnd::itself, Of of = Of::value) {
    for (auto low = starts.begin(); low != starts.end(); ++low) {
      const bool has_next = end == LevelEnd::next_level && std::next(low) != starts.end();
      const auto high = end == LevelEnd::itself ? *low : has_next ? *std::next(low) - 1 : no_limit;
      Level level{coordinate, *low, high, of, columns};
      level.sizes = sizes_of(level, limits);
      result.push_back(level);
    }
    ++columns;
  };
  // Decoding alone, vectors, warps, tiles, the y of a grid, indices of 16 bits; the heads that models have.
  for (const auto& [coordinate, most] : {std::pair(rows, 65536), {heads, 128}, {batches, 64}}) {
    if (coordinate == rows || takes_heads) {
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
  add_column(rank, numbers_below(takes_heads ? 4 : 1));
  add_column(order, numbers_below(limits.takes_scattered ? order_count : 2));
  add_column(own_positions, numbers_below(takes_heads && limits.takes_own_positions ? 2 : 1));
  add_column(apart, numbers_below(limits.takes_strides ? 2 : 1));
  add_column(not_finite, numbers_below(!takes_not_finite ? 1 : limits.has_passing_dimensions ? 4 : 3));
  add_column(first, {1});
  for (const auto& [coordinate, kind, name] : all_coordinates()) {
    const bool is_left_out =
        coordinate == first || coordinate == refused_before || !limits.keeps_process ||
        (coordinate == not_finite_before && !takes_not_finite) ||
        (coordinate == other_heads_before && !takes_heads) ||
        ((coordinate == other_type_before || coordinate == other_type_first) && limits.types.size() < 2);
    if (kind == CoordinateKind::history && !is_left_out) {
      columns -= coordinate <= same_positions ? 1 : 0;  // alternatives
      add_column(coordinate, {1});
    }
  }
  return result;
}

Predicate predicate_of(const Level& level) {
  const auto& [coordinate, low, high, of, column, sizes] = level;
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
