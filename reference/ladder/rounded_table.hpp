#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "reference/ladder/kernel.hpp"
#include "reference/ladder/seeds.hpp"
#include "reference/numbers/format.hpp"
#include "reference/numbers/position_range.hpp"
#include "reference/tables/trig_table.hpp"

namespace vernier {

/// How many values each stage of the ladder was asked for. Stage one is not asked for binary64.
struct StageCounts {
  std::uint64_t values = 0;
  std::uint64_t stage_two = 0;    ///< left undecided by double
  std::uint64_t stage_three = 0;  ///< left undecided by double-double

  StageCounts& operator+=(const StageCounts& other);
};

struct LadderOptions {
  const KernelSet* kernels = nullptr;  ///< null: the last of kernel_sets(), the widest
  double bound_scale = 1;              ///< > 1 widens every bound, to force the later stages
  unsigned threads = 1;
  /// Tables of binary32 of so many bytes are written past the caches where their layout allows it: about what
  /// a last-level cache keeps of them for whoever reads them next.
  std::size_t streamed_bytes = std::size_t{32} << 20;
  Overflow overflow = Overflow::undeclared;  ///< of elements beyond the greatest number of the format
};

/// A table correctly rounded, every element proved, at nearly the speed of memory. Three stages, each of
/// which hands the next what it cannot decide: double (kernel.hpp), double-double (kernel.hpp for binary64),
/// and Ziv's loop in multiprecision. Enclosures, at any positions: certified_table.hpp.
///
/// Whatever the number of rows, a few MiB are held beside the output.
class RoundedTable {
 public:
  /// \param positions within +-2^31
  RoundedTable(TrigTable table, const PositionRange& positions, Format format, LadderOptions options = {});

  std::int64_t rows() const { return positions_.count; }
  std::size_t row_bytes() const {
    return table_.columns.size() * static_cast<std::size_t>(traits(format_).bits) / 8;
  }
  /// Rows that are best asked for together, or a multiple of them.
  std::int64_t rows_per_block() const { return seeds_.rows_per_chunk(); }

  /// Writes rows [first, last) one after another, as little-endian elements of the format, by up to
  /// `options.threads` threads; the bits do not depend on their number.
  /// \param out (last - first) * row_bytes() bytes, aligned for the format
  /// \throws InputError if this thread's arithmetic is not IEEE 754's, if an element is undecided at the
  /// cap of Ziv's loop, or beyond the greatest number of the format where no overflow is declared
  StageCounts write(std::int64_t first, std::int64_t last, std::span<std::byte> out) const;

 private:
  /// Columns first_column, first_column + step ... hold consecutive pairs of one component.
  struct Segment {
    Component component;
    std::size_t first_pair;
    std::size_t first_column;
    std::size_t column_step;
    std::size_t length;
  };

  static std::vector<Segment> segments_of(const TrigTable& table);
  /// Whether a column holds the component.
  bool has(Component component) const {
    return std::ranges::find(segments_, component, &Segment::component) != segments_.end();
  }

  template <class Element>
  StageCounts write_chunk(std::int64_t chunk, std::int64_t first, std::int64_t last, std::span<std::byte> out,
                          bool is_large) const;
  template <class Element>
  StageCounts resolve_row(const CoarseRows& coarse, std::size_t coarse_row, std::size_t fine_row,
                          std::int64_t position, Element* sine, Element* cosine) const;
  template <class Element>
  void settle_overflow(std::int64_t position, std::span<Element> line) const;
  double resolve(const SumOfProducts& x, std::int64_t position, std::size_t pair, Component component,
                 StageCounts& counts) const;

  TrigTable table_;
  PositionRange positions_;
  Format format_;
  LadderOptions options_;
  const KernelSet* kernels_;
  Kernel kernel_;
  SeedLadder seeds_;
  std::vector<Segment> segments_;
  bool has_sines_;  ///< what no column holds need not be decided
  bool has_cosines_;
  bool can_overflow_;
};

}  // namespace vernier
