#include "reports/elements/hard_elements.hpp"

#include <ranges>

#include <fmt/core.h>

#include "numerics/searches/near_quarter_turns.hpp"

namespace vernier {
namespace {

/// Of the pairs that a table has.
std::vector<HardPhase> hard_phases(const TrigTable& table, std::int64_t last) {
  std::vector<HardPhase> result;
  for (int pair = 0; pair < table.frequencies.pairs(); ++pair) {
    if (table.frequencies.approximate(pair) <= 0) {
      continue;
    }
    const Real frequency = [&] { return table.frequencies.at(pair); };
    const auto records = near_quarter_turns(frequency, last);
    // The multiple that a slow pair is nearest to may be zero: there nothing is reduced.
    for (const auto position : std::views::reverse(records)) {
      if (const auto reduced = reduced_phase([&] { return Interval(enclose(position) * frequency()); })) {
        result.push_back({position, pair, *reduced});
        break;
      }
    }
  }
  return result;
}

}  // namespace

HardElements hard_elements(const TrigTable& table, std::int64_t last, std::span<const Format> formats,
                           unsigned threads, Progress& progress) {
  HardElements result{last, static_cast<std::uint64_t>(last) * table.columns.size(),
                      hard_phases(table, last)};
  for (const auto format : formats) {
    progress.begin(fmt::format("{} midpoints", traits(format).name), static_cast<std::uint64_t>(last));
    result.roundings.push_back(
        {format, near_midpoints(table, {1, 1, last}, format, threads, [&](std::int64_t rows) {
           progress.advance(static_cast<std::uint64_t>(rows));
         })});
  }
  return result;
}

}  // namespace vernier
