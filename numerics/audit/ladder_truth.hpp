#pragma once

#include <cstdint>
#include <vector>

#include "numerics/audit/plane_layout.hpp"
#include "numerics/errors/error_statistics.hpp"
#include "reference/ladder/kernel.hpp"
#include "reference/ladder/seeds.hpp"
#include "reference/numbers/enclosure.hpp"
#include "reference/numbers/position_range.hpp"
#include "reference/tables/trig_table.hpp"

namespace vernier {

/// Rows next to each other that share a coarse row of the ladder.
struct LadderRows {
  const CoarseRows* coarse = nullptr;
  std::size_t coarse_row = 0;
  std::size_t fine_row = 0;  ///< of the first
  std::int64_t first = 0;    ///< row of the range
};

/// A table at evenly spaced positions on its ladder: what all threads and all implementations under test
/// share.
class LadderTruth {
 public:
  /// \param first_row what reports call the first row \param kernels those of the ladder
  LadderTruth(TrigTable table, const PositionRange& positions, std::int64_t first_row,
              const KernelSet& kernels);

  const TrigTable& table() const { return table_; }
  const PositionRange& positions() const { return positions_; }
  const std::vector<Layer>& layers() const { return layers_; }
  const SeedLadder& seeds() const { return seeds_; }
  std::int64_t first_row() const { return first_row_; }

  CoarseRows coarse(std::int64_t chunk) const { return seeds_.coarse(chunk, kernels_->combine); }
  /// \param row of the range
  Place place(std::int64_t row, std::size_t column) const {
    return {positions_.at(row), column, first_row_ + row};
  }
  /// The magnitudes M of the rows' seeds, by pair; infinite where they carry no bound.
  const double* magnitudes(const LadderRows& rows) const {
    return rows.coarse->sine_magnitude.data() + rows.coarse_row * seeds_.width();
  }
  /// Whether no component reaches 1 at any position but 0.
  bool below_one() const;
  /// A component by double-double, or by multiprecision where the seeds carry no bound. \param r of the rows
  Enclosure enclosure(const LadderRows& rows, std::size_t r, std::size_t pair, Component component) const;
  /// The same to a few ulp of double.
  double approximately(const LadderRows& rows, std::size_t r, std::size_t pair, Component component) const;

 private:
  TrigTable table_;
  PositionRange positions_;
  std::int64_t first_row_;
  const KernelSet* kernels_;
  std::vector<Layer> layers_;
  SeedLadder seeds_;
};

}  // namespace vernier
