#include "numerics/audit/pair_tally.hpp"

#include <algorithm>
#include <utility>

namespace vernier {
namespace {

/// Quarters looked at together: most of a histogram is empty.
constexpr int tallied_stretch = 8;
/// Those of errors up to five of the smallest, which is added to all: larger ones it raises by a bin at most.
constexpr int least_quarters = 10;

bool is_empty(const std::uint16_t* first) {
  std::uint16_t any = 0;
  for (int i = 0; i < tallied_stretch * index_step; ++i) {
    any = static_cast<std::uint16_t>(any | first[i]);
  }
  return any == 0;
}

}  // namespace

PairTally::PairTally(const TileConstants& constants, std::size_t most_bytes)
    : constants_(&constants),
      group_size_(
          static_cast<std::size_t>((constants.index.binades * constants.index.quarters + 1) * index_step)),
      groups_held_(constants.lanes.size() * group_size_ * sizeof(std::uint16_t) <= most_bytes
                       ? constants.lanes.size()
                       : 1),
      sums_(constants.lanes.size()),
      greatest_ulps_(constants.lanes.size()),
      elements_(constants.lanes.size()),
      counts_(groups_held_ * group_size_) {}

void PairTally::add_counted(const TileSummary& summary, std::size_t group, std::size_t rows) {
  for (std::size_t lane = 0; lane < tile_lanes; ++lane) {
    elements_[group][lane] += static_cast<std::int32_t>(rows) - summary.marked[lane];
  }
}

void PairTally::flush_histograms(std::size_t group,
                                 std::span<const double, tile_lanes> greatest_phase_weights,
                                 AuditReport& report) {
  const auto& range = constants_->index;
  auto& statistics = report.statistics;
  const int half = static_cast<int>(ErrorSummary::bin_of(0.5));
  const int one = static_cast<int>(ErrorSummary::bin_of(1));
  std::uint64_t elements = 0;
  std::uint64_t correctly_rounded = 0;
  std::uint64_t faithful = 0;
  // In ulp, all lanes alike; the absolute errors of each lane are gathered from all binades.
  std::vector<std::array<std::uint16_t, tile_lanes>> absolute(static_cast<std::size_t>(range.quarters));
  std::size_t end_quarter = 0;
  const float greatest_ulps =
      std::max(std::exchange(greatest_ulps_[group], 0.0F), std::ranges::max(sums_[group].greatest_ulps));
  const int end_ulp_bin = static_cast<int>(ErrorSummary::bin_of(static_cast<double>(greatest_ulps))) + 2;
  for (int binade = 0; binade < range.binades; ++binade) {
    const int first_ulp_bin = range.first_ulp_bin + 4 * binade;
    const int quarters = std::clamp(end_ulp_bin - first_ulp_bin, least_quarters, range.quarters);
    auto* at = counts(group) + std::ptrdiff_t{binade * range.quarters + 1} * index_step;
    for (int quarter = 0; quarter < quarters; ++quarter, at += index_step) {
      if (quarter % tallied_stretch == 0 && is_empty(at)) {
        quarter += tallied_stretch - 1;
        at += std::ptrdiff_t{tallied_stretch - 1} * index_step;
        continue;
      }
      std::uint32_t count = 0;
      for (std::size_t lane = 0; lane < tile_lanes; ++lane) {
        count += at[lane];
      }
      if (count == 0) {
        continue;
      }
      auto& lanes = absolute[static_cast<std::size_t>(quarter)];
      end_quarter = std::max(end_quarter, static_cast<std::size_t>(quarter) + 1);
      for (std::size_t lane = 0; lane < tile_lanes; ++lane) {
        lanes[lane] = static_cast<std::uint16_t>(lanes[lane] + at[lane]);
        at[lane] = 0;
      }
      const int ulp_bin = first_ulp_bin + quarter;
      statistics.ulps().add_to_bin(static_cast<std::size_t>(ulp_bin), count);
      elements += count;
      correctly_rounded += ulp_bin < half ? count : 0;
      faithful += ulp_bin < one ? count : 0;
    }
  }
  statistics.add_counted(elements, correctly_rounded, faithful);
  for (std::size_t quarter = 0; quarter < end_quarter; ++quarter) {
    const auto bin = static_cast<std::size_t>(range.first_absolute_bin) + quarter;
    for (std::size_t lane = 0; lane < tile_lanes; ++lane) {
      if (const auto count = absolute[quarter][lane]; count != 0) {
        // phase roundings of an absolute error of 1, at most: 2^p / A over 1 + phase.
        const double unit = 2 * constants_->scale / constants_->amplitude * greatest_phase_weights[lane];
        statistics.absolute().add_to_bin(bin, count);
        statistics.phase_roundings().add_to_bin(ErrorSummary::bin_of(constants_->upper_edges[quarter] * unit),
                                                count);
      }
    }
  }
}

void PairTally::flush_sums(const BudgetModel& model, BandReport& band, AuditReport& report) {
  auto& statistics = report.statistics;
  const double unit = 1 / constants_->scale;
  for (std::size_t pair = 0; pair < static_cast<std::size_t>(model.pairs()); ++pair) {
    const auto group = pair / tile_lanes;
    const auto& sums = sums_[group];
    const auto lane = pair % tile_lanes;
    const auto count = static_cast<std::uint64_t>(elements_[group][lane]);
    if (count == 0) {
      continue;
    }
    greatest_ulps_[group] = std::max(greatest_ulps_[group], sums.greatest_ulps[lane]);
    const auto inconclusive = static_cast<std::uint64_t>(sums.inconclusive[lane]);
    const double squares = sums.square[lane] * unit * unit;
    statistics.absolute().add(Moments{count, sums.error[lane] * unit, sums.magnitude[lane] * unit, squares});
    statistics.ulps().add(Moments{count, sums.ulps[lane], sums.ulps_magnitude[lane], sums.ulps_square[lane]});
    statistics.phase_roundings().add(Moments{count, sums.phase_roundings[lane], sums.phase_roundings[lane],
                                             sums.phase_roundings_square[lane]});
    report.inconclusive += inconclusive;
    report.judged += count - inconclusive;
    band.pairs[pair] += CellReport{count,
                                   static_cast<double>(sums.greatest_error[lane]) * unit,
                                   static_cast<double>(sums.greatest_ulps[lane]),
                                   static_cast<double>(sums.greatest_phase_roundings[lane]),
                                   static_cast<double>(sums.greatest_budget_ratio[lane]),
                                   count - inconclusive};
  }
  std::ranges::fill(sums_, TileSums{});
  std::ranges::fill(elements_, Elements{});
}

}  // namespace vernier
