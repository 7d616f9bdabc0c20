#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "numerics/audit/audit_report.hpp"
#include "numerics/audit/tile_constants.hpp"

namespace vernier {

/// What the kernels found of one component of all pairs, until it is added to a report: sums in double, in
/// the order of the rows, of one band of positions, and histograms of any.
class PairTally {
 public:
  /// \param constants outlive the tally \param most_bytes for histograms; those of one group in any case
  PairTally(const TileConstants& constants, std::size_t most_bytes);

  /// The sums of a group in the band, which tiles are added to (CommitKernel).
  TileSums& sums(std::size_t group) { return sums_[group]; }
  /// The counts of a group's histograms, which summaries go on (SummaryKernel).
  std::uint16_t* counts(std::size_t group) { return counts_.data() + group % groups_held_ * group_size_; }
  /// Notes how many elements of a tile those are: all but the marked ones.
  void add_counted(const TileSummary& summary, std::size_t group, std::size_t rows);

  /// Adds the sums to the report, as elements of `band`, and starts them anew.
  void flush_sums(const BudgetModel& model, BandReport& band, AuditReport& report);
  /// Adds a group's histograms to the report, and empties them. \param greatest_phase_weights per lane: the
  /// largest 1 / (1 + phase) of the rows counted
  void flush_histograms(std::size_t group, std::span<const double, tile_lanes> greatest_phase_weights,
                        AuditReport& report);
  /// Whether there is room for the histograms of all groups. Of wider tables it is one group's: they are to
  /// be flushed before another group is added.
  bool holds_all_groups() const { return groups_held_ == sums_.size(); }
  /// Rows that may be counted between two flushes: counts are 16 bits wide.
  static constexpr std::int64_t most_rows = 65504;

 private:
  using Elements = std::array<std::int32_t, tile_lanes>;

  const TileConstants* constants_;
  std::size_t group_size_;
  std::size_t groups_held_;
  std::vector<TileSums> sums_;        ///< by group
  std::vector<float> greatest_ulps_;  ///< likewise: of what is in the histograms, but for what is in the sums
  std::vector<Elements> elements_;    ///< likewise: how many are summed, by lane
  /// Per group held: the marked, then binades of the truth downwards by quarters of octaves of the error;
  /// of each the group's lanes.
  std::vector<std::uint16_t> counts_;
};

}  // namespace vernier
