#include "numerics/asking/covering/position_choice.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <numeric>
#include <set>

namespace vernier {
namespace {

constexpr std::size_t most_edge_rows = 400;  // of a question; the others lie anywhere
constexpr std::int64_t short_block = 16;     // rows that are judged anywhere

}  // namespace

PositionChoice::PositionChoice(const AskLimits& limits, const std::vector<Level>& levels, SeededDraws& dice)
    : start_(limits.start),
      end_(limits.end),
      cheap_run_(static_cast<std::int64_t>(limits.cheap_run)),
      most_consecutive_(static_cast<std::int64_t>(limits.most_consecutive)),
      dice_(dice),
      pool_(limits.pool) {
  for (const auto& level : levels) {
    if (level.coordinate == Coordinate::position) {
      std::ranges::copy_if(pool_, std::back_inserter(edges_.emplace_back()),
                           [&](std::int64_t position) { return level.holds(position); });
    }
  }
}

std::optional<std::int64_t> PositionChoice::cheap(const std::function<bool(std::int64_t)>& is_wanted) const {
  const auto first = dice_.below(pool_.size());
  for (std::size_t i = 0; i < pool_.size(); ++i) {
    if (const auto position = pool_[(first + i) % pool_.size()]; is_wanted(position)) {
      return position;
    }
  }
  return std::nullopt;
}

std::pair<std::int64_t, std::int64_t> PositionChoice::rows_in(Order order) const {
  constexpr std::array<std::int64_t, order_count> least{1, 1, 2, 2, 3, 4, 2, 2};
  constexpr std::int64_t most = most_of_size;
  const auto greatest = order <= Order::descending ? std::min(end_ - start_ + 1, most_consecutive_)
                        : order == Order::packed   ? most_consecutive_
                        : order == Order::gaps ? std::ssize(pool_) / 2  // of more, too few draws would differ
                                               : most;
  return {least[static_cast<std::size_t>(order)], greatest};
}

std::vector<std::int64_t> PositionChoice::scattered(std::size_t rows, std::int64_t focus) const {
  std::vector<std::int64_t> result{focus};
  const auto edge_rows = edges_.empty() ? 0 : std::min(rows / 2, most_edge_rows);
  while (result.size() < rows) {
    result.push_back(result.size() <= edge_rows ? dice_.of(dice_.of(edges_)) : any());
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
        distinct.insert(any());
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
