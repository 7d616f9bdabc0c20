#include "numerics/searches/first_repeat.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cmath>
#include <deque>
#include <functional>
#include <memory>
#include <numbers>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "numerics/searches/greatest_error.hpp"
#include "numerics/searches/repeated_rows.hpp"

namespace vernier {
namespace {

constexpr std::int64_t compared_rows_at_once = 512;
constexpr std::size_t pair_width = 2;  ///< of the row of a pair
constexpr std::int64_t least_extent = 256;
constexpr std::int64_t extent_growth = 4;
/// Comparisons of rows after which all rows are compared at once, where there are no more than so many; and
/// after which the search gives up where there are more: minutes of work.
constexpr double most_comparisons = 0x1p28;
constexpr std::int64_t most_rows_of_minutes = (std::int64_t{1} << 24) + 1;
constexpr double most_comparisons_of_more = 0x1p35;
constexpr std::size_t most_offsets = std::size_t{1} << 22;
/// Turns, frequencies and their products are computed in binary64, with less than eight roundings.
constexpr double turn_roundings = 0x1p-50;

/// The integers up to this one are told apart by the formats that a recipe rounds positions to; the next is
/// rounded to it.
std::int64_t last_exact(const Recipe& recipe, const PhaseRule& phases) {
  const int precision =
      std::min(traits(recipe.compute()).precision, traits(phases.seeds().positions).precision);
  return std::int64_t{1} << std::min(precision, 62);
}

/// What a pair says of the distance of equal rows: d times `turns` is within `slack` of an integer.
struct Screen {
  int pair;
  double turns;  ///< a position: w / 2 pi
  double slack;

  bool lets(std::int64_t offset) const { return used(offset) <= 1; }
  /// How much of the slack the distance takes: the more, the rarer are rows as far apart that are equal in
  /// this pair.
  double used(std::int64_t offset) const {
    const double turned = static_cast<double>(offset) * turns;
    return std::fabs(turned - std::rint(turned)) / slack;
  }
  /// About how many steps it takes to list the offsets below an extent that it lets pass.
  double cost(double extent) const { return extent * (turns + 2 * slack); }
};

class Search {
 public:
  Search(const Recipe& recipe, const TrigTable& table, Format stored)
      : recipe_(recipe),
        table_(table),
        stored_(stored),
        phases_(recipe.prepare(table.frequencies)),
        apart_from_phase_(error_apart_from_phase(recipe, table.amplitude, stored)),
        turns_apart_(std::asin(std::fmin(1, std::numbers::sqrt2 * apart_from_phase_)) / std::numbers::pi *
                     (1 + turn_roundings)) {
    for (int pair = 0; pair < table.frequencies.pairs(); ++pair) {
      pairs_.emplace_back(recipe, phases_, table_of_pair(table, pair), stored);
    }
  }

  FirstRepeat below(std::int64_t positions);

 private:
  /// Those of all pairs that say something of the rows below an extent, those that let least pass first.
  std::vector<Screen> screens(std::int64_t extent) const;
  /// The distances that equal rows below an extent may have, ascending; nothing if there are too many.
  std::optional<std::vector<std::int64_t>> offsets(std::int64_t extent) const;
  /// The first of rows [first, end) that equals one that is an offset before it. \param offsets ascending
  std::optional<FirstRepeat> look(std::int64_t first, std::int64_t end,
                                  std::span<const std::int64_t> offsets) const;
  /// The first of rows [first, end) that equals the one an offset before it. \param order the pairs, those
  /// that tell such rows apart first
  std::optional<std::int64_t> equal(std::int64_t first, std::int64_t end, std::int64_t offset,
                                    std::span<const int> order) const;

  /// Whether elements of two phases can be the same numbers: as of positions, but what phases are is known.
  bool may_be_equal(double phase, double other) const;
  /// A look at all rows, which takes some hundred megabytes; keys tell them apart (repeated_rows.hpp).
  FirstRepeat among_all(std::int64_t rows) const;

  const Recipe& recipe_;
  const TrigTable& table_;
  Format stored_;
  PhaseRule phases_;
  std::deque<RecipeTable> pairs_;
  double apart_from_phase_;
  double turns_apart_;  ///< that phases of the same elements may have between them, but for whole ones
};

std::vector<Screen> Search::screens(std::int64_t extent) const {
  std::vector<Screen> result;
  for (int pair = 0; pair < table_.frequencies.pairs(); ++pair) {
    const double frequency = phases_.frequency(pair);
    const double moved = phases_.phase_error(pair, extent - 1, Enclosure{{frequency, 0}, 0});
    const double share = std::numbers::sqrt2 * (std::fmin(moved, 2) + apart_from_phase_);
    const double turns = frequency / (2 * std::numbers::pi);
    if (share < 1 && turns > 0) {
      const double slack = std::asin(share) / std::numbers::pi;
      result.push_back(
          {pair, turns, slack * (1 + turn_roundings) + static_cast<double>(extent) * turns * turn_roundings});
    }
  }
  std::ranges::stable_sort(result, {}, &Screen::slack);
  return result;
}

std::optional<std::vector<std::int64_t>> Search::offsets(std::int64_t extent) const {
  const auto all = screens(extent);
  std::vector<std::int64_t> result;
  const auto take = [&](std::int64_t first, std::int64_t last) {
    for (auto offset = std::max<std::int64_t>(first, 1); offset <= std::min(last, extent - 1); ++offset) {
      if (std::ranges::all_of(all, [&](const Screen& one) { return one.lets(offset); })) {
        result.push_back(offset);
      }
    }
  };
  if (all.empty()) {
    take(1, extent - 1);
    return result.size() > most_offsets ? std::nullopt : std::optional(std::move(result));
  }
  // Those that one pair lets pass lie around whole numbers of its turns.
  const auto size = static_cast<double>(extent);
  const auto& lead = *std::ranges::min_element(all, {}, [&](const Screen& one) { return one.cost(size); });
  std::int64_t taken = 0;
  const auto reached = [&](std::int64_t turn) {
    return static_cast<double>(turn) - lead.slack <= size * lead.turns;
  };
  for (std::int64_t turn = 0; reached(turn) && result.size() <= most_offsets; ++turn) {
    const auto whole = static_cast<double>(turn);
    const auto first = static_cast<std::int64_t>(std::ceil((whole - lead.slack) / lead.turns));
    const auto last =
        static_cast<std::int64_t>(std::fmin(std::floor((whole + lead.slack) / lead.turns), size));
    take(std::max(first, taken + 1), last);
    taken = std::max(taken, last);
  }
  return result.size() > most_offsets ? std::nullopt : std::optional(std::move(result));
}

std::optional<std::int64_t> Search::equal(std::int64_t first, std::int64_t end, std::int64_t offset,
                                          std::span<const int> order) const {
  std::array<double, static_cast<std::size_t>(compared_rows_at_once)> later;
  std::array<double, static_cast<std::size_t>(compared_rows_at_once)> earlier;
  const auto rows = static_cast<std::size_t>(end - first);
  phases_.phases_from(first, order.front(), std::span(later).first(rows));
  phases_.phases_from(first - offset, order.front(), std::span(earlier).first(rows));
  using Bits = std::array<std::uint64_t, pair_width>;
  const auto same_in = [&](std::int64_t position, int pair) {
    std::array<double, pair_width> a;
    std::array<double, pair_width> b;
    pairs_[static_cast<std::size_t>(pair)].row(position, a);
    pairs_[static_cast<std::size_t>(pair)].row(position - offset, b);
    return std::bit_cast<Bits>(a) == std::bit_cast<Bits>(b);
  };
  for (std::size_t i = 0; i < rows; ++i) {
    const auto position = first + static_cast<std::int64_t>(i);
    if (may_be_equal(later[i], earlier[i]) &&
        std::ranges::all_of(order, [&](int pair) { return same_in(position, pair); })) {
      return position;
    }
  }
  return std::nullopt;
}

bool Search::may_be_equal(double phase, double other) const {
  const double turns = (phase - other) / (2 * std::numbers::pi);
  return !(std::fabs(turns - std::rint(turns)) > turns_apart_ + std::fabs(turns) * turn_roundings);
}

std::optional<FirstRepeat> Search::look(std::int64_t first, std::int64_t end,
                                        std::span<const std::int64_t> offsets) const {
  const auto all = screens(end);
  std::vector<std::vector<int>> orders;
  for (const auto offset : offsets) {
    std::vector<double> used(pairs_.size());
    for (const auto& screen : all) {
      used[static_cast<std::size_t>(screen.pair)] = screen.used(offset);
    }
    auto& order = orders.emplace_back(pairs_.size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_sort(order, std::greater(),
                             [&](int pair) { return used[static_cast<std::size_t>(pair)]; });
  }
  for (auto begin = first; begin < end; begin += compared_rows_at_once) {
    const auto block_end = std::min(begin + compared_rows_at_once, end);
    std::optional<FirstRepeat> found;
    for (std::size_t i = 0; i < offsets.size(); ++i) {
      const auto from = std::max(begin, offsets[i]);
      const auto to = found ? *found->position : block_end;
      if (from >= to) {
        break;
      }
      if (const auto position = equal(from, to, offsets[i], orders[i])) {
        found = FirstRepeat{position, *position - offsets[i], *position};
      }
    }
    if (found) {
      return found;
    }
  }
  return std::nullopt;
}

FirstRepeat Search::among_all(std::int64_t rows) const {
  const auto repeated = repeated_rows(recipe_, table_, stored_, rows).first;
  if (!repeated) {
    return {.examined = rows};
  }
  // Rows with one key are the same but for an accident of 64 bits.
  std::vector<int> order(pairs_.size());
  std::iota(order.begin(), order.end(), 0);
  for (auto offset = *repeated; offset > 0; --offset) {
    if (equal(*repeated, *repeated + 1, offset, order)) {
      return {repeated, *repeated - offset, *repeated};
    }
  }
  return {.examined = *repeated};
}

FirstRepeat Search::below(std::int64_t positions) {
  const auto rounded = last_exact(recipe_, phases_) + 1;
  const auto end = std::min(positions, rounded);
  double compared = 0;
  for (std::int64_t done = 0; done < end;) {
    const auto extent = std::min(end, done == 0 ? least_extent : extent_growth * done);
    const auto possible = offsets(extent);
    if (possible) {
      compared += static_cast<double>(possible->size()) * static_cast<double>(extent - done);
    }
    if (!possible || compared > (end > most_rows_of_minutes ? most_comparisons_of_more : most_comparisons)) {
      if (end > most_rows_of_minutes) {
        return {.examined = done};
      }
      if (const auto found = among_all(end); found.position || found.examined < end) {
        return found;
      }
      break;
    }
    if (!possible->empty()) {
      if (const auto found = look(done, extent, *possible)) {
        return *found;
      }
    }
    done = extent;
  }
  if (rounded < positions) {
    assert(phases_.rounded(rounded) == phases_.rounded(rounded - 1));
    return {rounded, rounded - 1, rounded};
  }
  return {.examined = positions};
}

}  // namespace

FirstRepeat first_repeat(const Recipe& recipe, const TrigTable& table, Format stored,
                         std::int64_t positions) {
  assert(positions >= 1 && positions <= largest_position);
  return Search(recipe, table, stored).below(positions);
}

}  // namespace vernier
