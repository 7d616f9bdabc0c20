#include "numerics/searches/repeated_rows.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <compare>
#include <memory>

namespace vernier {
namespace {

constexpr std::int64_t keyed_rows_at_once = 512;

/// A position and what is known of its row: rows of the same bits have the same key.
struct Keyed {
  std::uint64_t key;
  std::int64_t position;
  auto operator<=>(const Keyed&) const = default;
};

/// A number of 64 bits each of which depends on all bits of both (the multipliers are MurmurHash3's).
std::uint64_t mixed(std::uint64_t key, double value) {
  key = (key ^ std::bit_cast<std::uint64_t>(value)) * 0xff51afd7ed558ccdULL;
  return (key ^ (key >> 33)) * 0xc4ceb9fe1a85ec53ULL;
}

/// Mixes the elements of one pair into the keys. \param rows by position, ascending
void mix_pair(const RecipeTable& pair, std::vector<Keyed>& rows) {
  std::array<double, 2 * static_cast<std::size_t>(keyed_rows_at_once)> values;
  for (std::size_t begin = 0; begin < rows.size();) {
    const auto first = rows[begin].position;
    auto end = begin + 1;
    while (end < rows.size() && end - begin < static_cast<std::size_t>(keyed_rows_at_once) &&
           rows[end].position == first + static_cast<std::int64_t>(end - begin)) {
      ++end;
    }
    pair.rows({first, 1, static_cast<std::int64_t>(end - begin)}, std::span(values).first(2 * (end - begin)));
    for (auto i = begin; i < end; ++i) {
      rows[i].key = mixed(mixed(rows[i].key, values[2 * (i - begin)]), values[2 * (i - begin) + 1]);
    }
    begin = end;
  }
}

/// Drops rows whose key no other has, all but about a fifth of them, in one pass over counts of buckets: a
/// row alone in its bucket is alone with its key.
void drop_most_unlike(std::vector<Keyed>& rows) {
  constexpr std::size_t buckets_per_row = 4;
  std::vector<std::uint8_t> count(std::bit_ceil(rows.size() * buckets_per_row));
  const auto bucket = [&](const Keyed& row) { return row.key & (count.size() - 1); };
  for (const auto& row : rows) {
    auto& here = count[bucket(row)];
    here = static_cast<std::uint8_t>(std::min(here + 1, 2));
  }
  std::erase_if(rows, [&](const Keyed& row) { return count[bucket(row)] == 1; });
}

}  // namespace

TrigTable table_of_pair(const TrigTable& table, int pair) {
  return {table.role,      table.frequencies,
          table.amplitude, {{pair, Component::cosine}, {pair, Component::sine}},
          std::nullopt,    table.positions};
}

RepeatedRows repeated_rows(const Recipe& recipe, const TrigTable& table, Format stored,
                           std::int64_t positions) {
  const auto phases = recipe.prepare(table.frequencies);
  RepeatedRows result;
  const auto repeat = [&result](std::int64_t position) {
    ++result.count;
    result.first = std::min(result.first.value_or(position), position);
  };
  // Positions that the recipe rounds to the same number have the same row.
  std::vector<Keyed> rows;
  for (std::int64_t position = 0; position < positions; ++position) {
    if (position > 0 && phases.rounded(position) == phases.rounded(position - 1)) {
      repeat(position);
    } else {
      rows.push_back({0, position});
    }
  }
  for (int pair = 0; pair < table.frequencies.pairs() && !rows.empty(); ++pair) {
    mix_pair(RecipeTable(recipe, phases, table_of_pair(table, pair), stored), rows);
    drop_most_unlike(rows);
  }
  // Every pair is in the keys of those that are left: the first of each key is new, the others repeat it.
  std::ranges::sort(rows);
  for (std::size_t i = 1; i < rows.size(); ++i) {
    if (rows[i].key == rows[i - 1].key) {
      repeat(rows[i].position);
    }
  }
  return result;
}

}  // namespace vernier
