#include "numerics/searches/first_repeat.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <limits>
#include <memory>
#include <numbers>
#include <span>
#include <utility>
#include <vector>

#include "numerics/searches/element_error.hpp"

namespace vernier {
namespace {

constexpr std::int64_t rows_at_once = 512;
constexpr std::int64_t least_extent = 256;
constexpr std::int64_t growth = 4;
/// Comparisons of rows after which the search gives up: a minute's work.
constexpr double most_comparisons = 0x1p32;
constexpr std::size_t most_offsets = std::size_t{1} << 22;
/// Turns, frequencies and their products are computed in binary64, with less than eight roundings.
constexpr double roundings = 0x1p-50;

/// The columns of one pair, or of all.
TrigTable with_columns(const TrigTable& table, int first, int end) {
  TrigTable result{table.role, table.frequencies, table.amplitude, {}, std::nullopt, table.positions};
  for (int pair = first; pair < end; ++pair) {
    result.columns.push_back({pair, Component::cosine});
    result.columns.push_back({pair, Component::sine});
  }
  return result;
}

bool same_bits(std::span<const double> a, std::span<const double> b) {
  return std::ranges::equal(
      a, b, {}, [](double x) { return std::bit_cast<std::uint64_t>(x); },
      [](double x) { return std::bit_cast<std::uint64_t>(x); });
}

/// The integers up to this one are told apart by the formats that a recipe rounds positions to; the next is
/// rounded to it.
std::int64_t last_exact(const Recipe& recipe, const PhaseRule& phases) {
  const int precision =
      std::min(traits(recipe.compute).precision, traits(phases.seeds().positions).precision);
  return std::int64_t{1} << std::min(precision, 62);
}

/// What a pair says of the distance of equal rows: d times `turns` is within `slack` of an integer.
struct Screen {
  int pair;
  double turns;  ///< a position: w / 2 pi
  double slack;

  bool lets(std::int64_t offset) const {
    const double turned = static_cast<double>(offset) * turns;
    return std::fabs(turned - std::rint(turned)) <= slack;
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
        phases_(recipe.prepare(RecipeFrequencies(table.frequencies, recipe.id))),
        rows_(recipe, phases_, with_columns(table, 0, table.frequencies.pairs()), stored),
        apart_from_phase_(error_apart_from_phase(recipe, table.amplitude, stored)) {}

  FirstRepeat below(std::int64_t positions);

 private:
  double used_frequency(int pair) const;
  /// Those of all pairs that say something of the rows below an extent, those that let least pass first.
  std::vector<Screen> screens(std::int64_t extent) const;
  /// The distances that equal rows below an extent may have, ascending; nothing if there are too many.
  std::optional<std::vector<std::int64_t>> offsets(std::int64_t extent) const;
  /// The first of rows [first, end) that equals one that is an offset before it. \param offsets ascending
  std::optional<FirstRepeat> look(std::int64_t first, std::int64_t end,
                                  std::span<const std::int64_t> offsets) const;
  bool same_rows(std::int64_t p, std::int64_t q) const;

  const Recipe& recipe_;
  const TrigTable& table_;
  Format stored_;
  std::shared_ptr<const PhaseRule> phases_;
  RecipeTable rows_;
  double apart_from_phase_;
};

double Search::used_frequency(int pair) const {
  const auto seeds = phases_->seeds();
  const auto index = static_cast<std::size_t>(pair);
  const double divisor = seeds.divisors.empty() ? 1 : seeds.divisors[index];
  return (phases_->is_recursive() ? std::pow(seeds.factors.front(), pair) : seeds.factors[index]) / divisor;
}

std::vector<Screen> Search::screens(std::int64_t extent) const {
  std::vector<Screen> result;
  for (int pair = 0; pair < table_.frequencies.pairs(); ++pair) {
    const double frequency = used_frequency(pair);
    const double moved = phases_->phase_error(pair, extent - 1, Enclosure{{frequency, 0}, 0});
    const double share = std::numbers::sqrt2 * (std::fmin(moved, 2) + apart_from_phase_);
    const double turns = frequency / (2 * std::numbers::pi);
    if (share < 1 && turns > 0) {
      const double slack = std::asin(share) / std::numbers::pi;
      result.push_back(
          {pair, turns, slack * (1 + roundings) + static_cast<double>(extent) * turns * roundings});
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
  for (double whole = 0; whole - lead.slack <= size * lead.turns && result.size() <= most_offsets; ++whole) {
    const auto first = static_cast<std::int64_t>(std::ceil((whole - lead.slack) / lead.turns));
    const auto last =
        static_cast<std::int64_t>(std::fmin(std::floor((whole + lead.slack) / lead.turns), size));
    take(std::max(first, taken + 1), last);
    taken = std::max(taken, last);
  }
  return result.size() > most_offsets ? std::nullopt : std::optional(std::move(result));
}

bool Search::same_rows(std::int64_t p, std::int64_t q) const {
  std::vector<double> a(rows_.columns());
  std::vector<double> b(rows_.columns());
  rows_.row(p, a);
  rows_.row(q, b);
  return same_bits(a, b);
}

std::optional<FirstRepeat> Search::look(std::int64_t first, std::int64_t end,
                                        std::span<const std::int64_t> offsets) const {
  const RecipeTable pair(recipe_, phases_, with_columns(table_, 0, 1), stored_);
  constexpr auto width = std::size_t{2};
  std::vector<double> later(width * static_cast<std::size_t>(rows_at_once));
  std::vector<double> earlier(later.size());
  const auto rows = [&](std::int64_t begin, std::int64_t count, std::vector<double>& into) {
    pair.rows({begin, 1, count}, std::span(into).first(width * static_cast<std::size_t>(count)));
  };
  for (auto begin = first; begin < end; begin += rows_at_once) {
    const auto block_end = std::min(begin + rows_at_once, end);
    rows(begin, block_end - begin, later);
    std::optional<FirstRepeat> found;
    for (const auto offset : offsets) {
      const auto from = std::max(begin, offset);
      const auto to = found ? *found->position : block_end;
      if (from >= to) {
        break;
      }
      rows(from - offset, to - from, earlier);
      for (auto q = from; q < to; ++q) {
        const auto at = width * static_cast<std::size_t>(q - begin);
        const auto before = width * static_cast<std::size_t>(q - from);
        if (same_bits(std::span(later).subspan(at, width), std::span(earlier).subspan(before, width)) &&
            same_rows(q - offset, q)) {
          found = FirstRepeat{q, q - offset, q};
          break;
        }
      }
    }
    if (found) {
      return found;
    }
  }
  return std::nullopt;
}

FirstRepeat Search::below(std::int64_t positions) {
  const auto rounded = last_exact(recipe_, *phases_) + 1;
  const auto end = std::min(positions, rounded);
  double compared = 0;
  for (std::int64_t done = 0; done < end;) {
    const auto extent = std::min(end, done == 0 ? least_extent : growth * done);
    const auto possible = offsets(extent);
    if (possible) {
      compared += static_cast<double>(possible->size()) * static_cast<double>(extent - done);
    }
    if (!possible || compared > most_comparisons) {
      return {.examined = done};
    }
    if (!possible->empty()) {
      if (const auto found = look(done, extent, *possible)) {
        return *found;
      }
    }
    done = extent;
  }
  if (rounded < positions) {
    assert(phases_->rounded(rounded) == phases_->rounded(rounded - 1));
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
