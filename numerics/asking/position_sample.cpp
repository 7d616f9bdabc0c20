#include "numerics/asking/position_sample.hpp"

#include <algorithm>

#include "numerics/asking/seeded_draws.hpp"

namespace vernier {
namespace {

/// Shares of the rows that may be asked for: from the start on, in longer runs, and hard ones; the rest is
/// spread.
constexpr std::int64_t of_start = 4;
constexpr std::int64_t of_long_runs = 8;
constexpr std::int64_t long_runs = 16;
constexpr std::int64_t of_hard = 8;

class SampleRows {
 public:
  explicit SampleRows(std::int64_t count) : count_(count) {}

  void add(std::int64_t first, std::int64_t rows) {
    for (auto row = std::max<std::int64_t>(first, 0); row < std::min(first + rows, count_); ++row) {
      rows_.push_back(row);
    }
  }

  std::vector<std::int64_t> finish() && {
    std::ranges::sort(rows_);
    rows_.erase(std::ranges::unique(rows_).begin(), rows_.end());
    return std::move(rows_);
  }

 private:
  std::int64_t count_;
  std::vector<std::int64_t> rows_;
};

/// A run in each of as many equal strata of [first, end) as there may be.
void add_strata(SampleRows& rows, SeededDraws& dice, std::int64_t first, std::int64_t end,
                std::int64_t strata, std::int64_t run) {
  const auto span = end - first;
  for (std::int64_t i = 0; i < strata; ++i) {
    const auto from = first + span / strata * i + span % strata * i / strata;
    const auto to = first + span / strata * (i + 1) + span % strata * (i + 1) / strata;
    rows.add(dice.between(from, std::max(from, to - run)), std::min(run, to - from));
  }
}

std::vector<std::int64_t> few_runs(std::int64_t count, std::int64_t most, SeededDraws& dice) {
  const auto run = most / 3;
  SampleRows rows(count);
  rows.add(0, run);
  rows.add(dice.between(run, std::max(run, count - 2 * run)), run);
  rows.add(count - run, run);
  return std::move(rows).finish();
}

}  // namespace

std::vector<std::int64_t> sampled_rows(const PositionRange& range, const SampleShape& shape,
                                       std::uint64_t seed, std::span<const std::int64_t> hard) {
  const auto most = static_cast<std::int64_t>(shape.most);
  SampleRows rows(range.count);
  if (range.count <= most) {
    rows.add(0, range.count);
    return std::move(rows).finish();
  }
  SeededDraws dice(seed);
  if (shape.in_few_runs) {
    return few_runs(range.count, most, dice);
  }
  const auto start = most / of_start;
  rows.add(0, start);
  rows.add(range.count - 2, 2);
  std::int64_t spent = start + 2;
  for (std::int64_t power = 1; power > 0 && power <= (std::int64_t{1} << 40); power *= 2) {
    for (const auto position : {power, -power}) {
      const auto row = (position - range.first) / range.step;
      if (row > start && row < range.count && spent < most / 2) {
        rows.add(row - 1, 3);
        spent += 3;
      }
    }
  }
  for (std::int64_t met = 0; const auto position : hard) {
    const auto row = (position - range.first) / range.step;
    if (row >= start && row < range.count && range.at(row) == position && met < most / of_hard) {
      rows.add(row, 1);
      ++met;
      ++spent;
    }
  }
  const auto long_run = most / of_long_runs / long_runs;
  if (long_run > shape.run) {
    add_strata(rows, dice, start, range.count, long_runs, long_run);
    spent += long_runs * long_run;
  }
  add_strata(rows, dice, start, range.count, std::max<std::int64_t>((most - spent) / shape.run, 1),
             shape.run);
  return std::move(rows).finish();
}

PositionCoverage coverage_of(std::span<const std::int64_t> rows, std::uint64_t of) {
  PositionCoverage coverage{rows.size(), of};
  std::int64_t next = 0;
  for (const auto row : rows) {
    coverage.largest_gap = std::max(coverage.largest_gap, static_cast<std::uint64_t>(row - next));
    next = row + 1;
  }
  coverage.largest_gap = std::max(coverage.largest_gap, of - static_cast<std::uint64_t>(next));
  return coverage;
}

}  // namespace vernier
