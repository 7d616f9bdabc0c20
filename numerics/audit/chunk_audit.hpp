#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <oneapi/tbb/enumerable_thread_specific.h>

#include "numerics/audit/auditor.hpp"
#include "numerics/audit/kernel.hpp"
#include "numerics/audit/ladder_truth.hpp"
#include "numerics/audit/pair_tally.hpp"
#include "numerics/audit/rows_under_test.hpp"
#include "numerics/audit/tile_constants.hpp"

namespace vernier {

/// Rows that are read together: eight tiles of each group of pairs, judged one after another, so that the
/// group's histograms stay in the first-level cache.
inline constexpr std::size_t block_tiles = 8;
inline constexpr std::size_t block_rows = block_tiles * tile_rows;

/// What a thread works with, kept from chunk to chunk.
struct AuditWorkspace {
  std::vector<PairTally> tallies;  ///< by layer and component; empty between audits
  std::vector<double> made;
  std::array<std::vector<double>, 2> gathered;
  std::array<TileRows, block_tiles> positions;
  Tile tile;
  std::array<TileSummary, 2> summaries;  ///< sine and cosine
};

/// An implementation under test with what its audit needs of it.
struct AuditSubject {
  const RowsUnderTest* rows;
  const BudgetModel* model;
  DifferenceKernel difference;
  TileConstants constants;
  std::size_t element_bytes;
  std::size_t histogram_bytes;  ///< that a tally may hold
  mutable oneapi::tbb::enumerable_thread_specific<AuditWorkspace> workspaces;
};

/// Audits chunks of the ladder, one after another, for one implementation, on one thread.
class ChunkAudit {
 public:
  /// All outlive the audit.
  ChunkAudit(const LadderTruth& truth, const AuditKernels& kernels, const AuditSubject& subject);

  /// Audits rows [first, last) of the range, of which the first starts a chunk. \param coarse of the chunk
  void add(const CoarseRows& coarse, std::int64_t first, std::int64_t last);
  /// What was found in all rows added. To be called once.
  AuditReport finish();

 private:
  /// Rows whose positions share a band.
  struct Block {
    LadderRows rows;
    std::size_t count = 0;
    double least_position = 0;
    double greatest_position = 0;
    double greatest_position_error = 0;
  };
  /// A tile's rows of a block, and one group of its pairs.
  struct Part {
    LadderRows rows;
    std::size_t first_row;  ///< of the block
    std::size_t count;
    std::size_t group;
    bool whole;  ///< every lane is a pair, and its seeds carry a bound
  };
  /// One component of one of its pairs.
  struct Series {
    const Part& part;
    std::size_t lane;
    std::size_t column;
    Component component;

    std::size_t pair() const { return part.group * tile_lanes + lane; }
  };
  /// Elements of one component of a group of pairs, a row every `stride`.
  struct Elements {
    const void* first;
    std::size_t stride;
  };
  /// Of some positions.
  struct Magnitudes {
    double least;
    double greatest;
  };

  std::size_t columns() const { return truth_.table().columns.size(); }
  double got(std::size_t block_row, std::size_t column) const;

  Block block_from(const CoarseRows& coarse, std::int64_t chunk_first, std::int64_t row,
                   std::int64_t last) const;
  std::int64_t end_of_band(std::int64_t row, std::int64_t limit) const;
  void note_positions(Block& block);

  void judge_block(Block block);
  void judge_part(const Part& part, std::size_t layer, bool conclusive);
  Elements elements(const Plane& plane, const Part& part, std::vector<double>& scratch) const;
  void set_aside(const Part& part, const Plane& plane, float (&errors)[tile_rows][tile_lanes]);
  void add_summary(const Part& part, std::size_t layer, Component component);
  void look_closely(const Part& part, const Plane& plane, Component component, const TileFindings& found);
  void judge_singly(const Part& part, std::size_t layer);

  AuditedElement element(const Series& series, std::size_t r) const;
  void judge(const Series& series, std::size_t r);
  void judge_marked(const Series& series);
  void set_limits();
  void consider_greatest(const Series& series);
  bool may_be_greatest(const Series& series, std::size_t r) const;
  void judge_zeros(std::int64_t row, std::size_t block_row, std::size_t column);

  double greatest_budget() const;
  void flush();
  void flush_histograms(double least_spread);
  /// Weights for PairTally::flush_histograms of positions that far apart, and how far 1 + phase of some pair
  /// is, as a ratio.
  struct PhaseWeights {
    std::array<double, tile_lanes> greatest;
    double spread;
  };
  PhaseWeights phase_weights(std::size_t group, const Magnitudes& positions) const;
  /// Where there is no room for the histograms of all groups.
  void flush_group(std::size_t layer, std::size_t group, const Block& block);

  const LadderTruth& truth_;
  const AuditKernels& kernels_;
  const AuditSubject& subject_;
  AuditWorkspace& workspace_;
  Auditor auditor_;
  const std::byte* got_ = nullptr;  ///< the rows of the block
  double block_greatest_ = 0;       ///< error; infinite with a number that is not finite
  TileLimits limits_{};             ///< as the report and the block are

  int band_ = 0;
  bool tallied_ = false;  ///< anything since the last flush
  Magnitudes tallied_positions_;
  double greatest_position_error_ = 0;
  std::vector<Magnitudes> binned_;  ///< by group of pairs: of the positions in its histograms
};

}  // namespace vernier
