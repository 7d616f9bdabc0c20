#include "numerics/asking/covering/position_choice.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <set>

namespace vernier {
namespace {

constexpr std::size_t most_edge_rows = 400;     // of a question; the others lie anywhere
constexpr std::int64_t short_block = 16;        // rows that are judged anywhere
constexpr std::int64_t edges_of_a_level = 512;  // of a range without a pool

/// Positions of which some are of the level: the first ones, and others at random.
std::vector<std::int64_t> positions_near(const Level& level, std::int64_t start, std::int64_t end,
                                         SeededDraws& dice) {
  if (level.of == Level::Of::value) {
    return {level.low};
  }
  std::vector<std::int64_t> result;
  const auto first = start / level.low, last = end / level.low;
  for (std::int64_t i = 0; i < edges_of_a_level; ++i) {
    const auto times = i % 8 == 0 ? std::clamp(i / 8, first, last) : dice.between(first, last);
    const std::int64_t beside = level.of == Level::Of::power ? 0 : dice.one_in(2) ? 1 : -1;
    result.push_back(times * level.low + beside);
  }
  return result;
}

}  // namespace

PositionChoice::PositionChoice(const DesignLimits& limits, const std::vector<Level>& levels,
                               SeededDraws& dice)
    : start_(limits.start),
      end_(limits.end),
      pool_(limits.pool),
      cheap_run_(static_cast<std::int64_t>(limits.cheap_run)),
      dice_(dice),
      edges_(levels.size()) {
  for (std::size_t i = 0; i < levels.size(); ++i) {
    if (levels[i].coordinate != Coordinate::position) {
      continue;
    }
    const auto near = pool_.empty() ? positions_near(levels[i], start_, end_, dice_)
                                    : std::vector<std::int64_t>(pool_.begin(), pool_.end());
    std::ranges::copy_if(near, std::back_inserter(edges_[i]), [&](std::int64_t position) {
      return position >= start_ && position <= end_ && levels[i].holds(position);
    });
    if (!edges_[i].empty()) {
      levels_with_edges_.push_back(i);
    }
  }
}

std::int64_t PositionChoice::any(std::int64_t from) const {
  if (pool_.empty()) {
    return dice_.between(from, end_);
  }
  const auto below = static_cast<std::size_t>(std::ranges::lower_bound(pool_, from) - pool_.begin());
  const auto first = std::min(below, pool_.size() - 1);
  return pool_[first + dice_.below(pool_.size() - first)];
}

std::vector<std::int64_t> PositionChoice::scattered(std::size_t rows, std::int64_t focus) const {
  std::vector<std::int64_t> result{focus};
  const auto edge_rows = levels_with_edges_.empty() ? 0 : std::min(rows / 2, most_edge_rows);
  while (result.size() < rows) {
    result.push_back(result.size() <= edge_rows ? one_of(dice_.of(levels_with_edges_)) : any(start_));
  }
  return result;
}

std::vector<std::int64_t> PositionChoice::in_order(Order order, std::size_t rows, std::int64_t focus) const {
  const auto count = static_cast<std::int64_t>(rows);
  std::vector<std::int64_t> result(rows);
  switch (order) {
    case Order::from_start:
    case Order::block:
    case Order::descending: {
      const bool is_cheap = count > short_block && count < cheap_run_;
      const auto least = is_cheap ? start_ + 1 : std::max(start_, focus - count + 1);
      const auto most = is_cheap ? start_ + cheap_run_ - count : std::min(focus, end_ - count + 1);
      std::iota(result.begin(), result.end(),
                order == Order::from_start ? start_ : dice_.between(least, most));
      if (order == Order::descending) {
        std::ranges::reverse(result);
      }
      return result;
    }
    case Order::packed: {
      const auto most = std::min({count / 2, std::int64_t{512}, end_ - start_ + 1});
      const auto length = dice_.between(std::min<std::int64_t>(2, most), most);
      const bool is_cheap = length > short_block && length < cheap_run_;
      const auto first =
          is_cheap ? dice_.between(start_, start_ + cheap_run_ - length)
                   : std::min(std::max(start_, focus - dice_.between(0, length - 1)), end_ - length + 1);
      for (std::int64_t i = 0; i < count; ++i) {
        result[static_cast<std::size_t>(i)] = first + i % length;
      }
      return result;
    }
    case Order::constant:
      std::ranges::fill(result, focus);
      return result;
    case Order::gaps: {
      const auto drawn = scattered(rows, focus);
      std::set<std::int64_t> distinct(drawn.begin(), drawn.end());
      while (distinct.size() < rows) {
        distinct.insert(any(start_));
      }
      return {distinct.begin(), distinct.end()};
    }
    case Order::repeated:
      result = scattered(rows, focus);
      for (std::size_t i = 1; i < rows; i += 3) {
        result[i] = result[i - 1];
      }
      std::ranges::sort(result);
      return result;
    case Order::shuffled:
      break;
  }
  result = scattered(rows, focus);
  dice_.shuffle(result);
  return result;
}

}  // namespace vernier
