#include "numerics/audit/range_audit.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstring>
#include <limits>
#include <list>

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/enumerable_thread_specific.h>
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/info.h>
#include <oneapi/tbb/parallel_reduce.h>
#include <oneapi/tbb/task_arena.h>

#include "numerics/audit/auditor.hpp"
#include "numerics/audit/kernel.hpp"
#include "numerics/audit/pair_tally.hpp"
#include "numerics/audit/plane_layout.hpp"
#include "numerics/audit/tile_constants.hpp"
#include "numerics/metrics.hpp"
#include "reference/ladder/float_environment.hpp"
#include "reference/ladder/seeds.hpp"
#include "reference/ladder/sum_of_products.hpp"

namespace vernier {
namespace {

/// What single precision may be off by, and more: measures so close to the greatest are looked at exactly.
constexpr double nearly = 1 - 0x1p-18;
constexpr unsigned direct_precision = 256;
/// An eighth of an octave: with the band of positions added last, kappa's bins are less than 3/8 of one
/// apart.
constexpr double widest_spread = 1.0905;
constexpr double infinity = std::numeric_limits<double>::infinity();

DifferenceKernel difference_kernel(const AuditKernels& kernels, const RowsUnderTest& rows) {
  if (rows.stored() == Format::binary64) {
    return kernels.binary64;
  }
  if (rows.widened()) {
    return kernels.widened;
  }
  switch (rows.stored()) {
    case Format::binary32:
      return kernels.binary32;
    case Format::binary16:
      return kernels.binary16;
    default:
      return kernels.bfloat16;
  }
}

/// A table and its ladder, which all chunks and all subjects share.
struct Truth {
  Truth(const TrigTable& wanted, const PositionRange& range, std::int64_t first,
        const KernelSet& ladder_kernels)
      : table(wanted),
        positions(range),
        first_row(first),
        kernels(ladder_kernels),
        layers(layers_of(wanted)),
        seeds(enclosed_frequencies(), wanted.amplitude, range) {}

  std::vector<Interval> enclosed_frequencies() const {
    const WorkingPrecision precision(SeedLadder::seed_precision);
    return table.frequencies.enclosures();
  }

  /// The place of an element. \param row of the range
  Place place(std::int64_t row, std::size_t column) const {
    return {positions.at(row), column, first_row + row};
  }

  const TrigTable& table;
  PositionRange positions;
  std::int64_t first_row;
  const KernelSet& kernels;
  std::vector<Layer> layers;
  SeedLadder seeds;
};

/// An implementation with what its audit needs of it.
struct Prepared {
  /// What a thread works with, kept from chunk to chunk.
  struct Workspace {
    std::vector<PairTally> tallies;  ///< by layer and component, empty
    std::vector<double> made;
    std::array<std::vector<double>, 2> gathered;
    Tile tile;
    std::array<TileSummary, 2> summaries;
  };

  const RowsUnderTest& rows;
  const BudgetModel& model;
  DifferenceKernel difference;
  TileConstants constants;
  std::size_t element_bytes;
  mutable oneapi::tbb::enumerable_thread_specific<Workspace> workspaces;
};

/// Rows next to each other whose positions share a band, a coarse row of the ladder, and a tile.
struct Block {
  std::int64_t first;
  std::size_t count;
  std::size_t coarse_row;
  std::size_t fine_row;
  TileRows positions;
  double greatest_position;
  double greatest_position_error;
};

/// Of some positions.
struct Magnitudes {
  double least = infinity;
  double greatest = 0;
};

/// Audits chunks of the ladder, one after another, for one implementation.
class ChunkAudit {
 public:
  ChunkAudit(const Truth& truth, const AuditKernels& kernels, const Prepared& subject)
      : truth_(truth),
        kernels_(kernels),
        subject_(subject),
        auditor_(subject.model, subject.rows.stored(), truth.table.frequencies.pairs),
        workspace_(subject.workspaces.local()),
        binned_(subject.constants.lanes.size()) {
    while (workspace_.tallies.size() < 2 * truth.layers.size()) {
      workspace_.tallies.emplace_back(subject.constants);
    }
  }

  /// Audits the rows of a chunk, from its first to `last`.
  void add(const CoarseRows& coarse, std::int64_t first, std::int64_t last) {
    coarse_ = &coarse;
    chunk_first_ = first;
    std::int64_t row = first;
    while (row < last) {
      const auto position = truth_.positions.at(row);
      if (position == truth_.table.zero_position) {
        flush();
        judge_row(row++);
        continue;
      }
      const auto block = block_from(row, last);
      if (const int band = band_of(position); band != band_) {
        flush();
        band_ = band;
      }
      judge_block(block);
      row += static_cast<std::int64_t>(block.count);
    }
  }

  /// What was found in all chunks added. To be called once.
  AuditReport finish() {
    flush();
    flush_histograms([](double) { return true; });
    return std::move(auditor_.report());
  }

 private:
  std::size_t columns() const { return truth_.table.columns.size(); }

  Block block_from(std::int64_t row, std::int64_t last) const {
    const auto fine_rows = static_cast<std::int64_t>(truth_.seeds.fine_rows());
    const auto in_chunk = row - chunk_first_;
    const auto limit =
        std::min({last, row + static_cast<std::int64_t>(tile_rows), row + fine_rows - in_chunk % fine_rows});
    Block block{};
    block.first = row;
    block.coarse_row = static_cast<std::size_t>(in_chunk / fine_rows);
    block.fine_row = static_cast<std::size_t>(in_chunk % fine_rows);
    const auto end = end_of_band(row, limit);
    for (; row < end; ++row, ++block.count) {
      const auto position = truth_.positions.at(row);
      const double magnitude = std::fabs(static_cast<double>(position));
      const double error = magnitude == 0 ? 0 : magnitude * subject_.model.position_error(position);
      block.positions.position[block.count] = static_cast<float>(magnitude);
      block.positions.position_error[block.count] = static_cast<float>(error);
      block.greatest_position = std::max(block.greatest_position, magnitude);
      block.greatest_position_error = std::max(block.greatest_position_error, error);
    }
    return block;
  }

  /// The first row of [row + 1, limit] that is a row of zeros or in another band.
  std::int64_t end_of_band(std::int64_t row, std::int64_t limit) const {
    const auto first = truth_.positions.at(row);
    const auto last = truth_.positions.at(limit - 1);
    const auto zero = truth_.table.zero_position;
    const bool one_sided = (first < 0) == (last < 0);
    const bool without_zeros = !zero || *zero < std::min(first, last) || *zero > std::max(first, last);
    if (one_sided && without_zeros && band_of(first) == band_of(last)) {
      return limit;
    }
    auto end = row + 1;
    while (end < limit && truth_.positions.at(end) != zero &&
           band_of(truth_.positions.at(end)) == band_of(first)) {
      ++end;
    }
    return end;
  }

  /// The elements of one component of a group of pairs, in a plane.
  struct Elements {
    const void* first;
    std::size_t stride;
  };

  Elements elements(const Plane& plane, std::size_t group, std::size_t count, std::vector<double>& scratch) {
    const auto width = subject_.element_bytes;
    const auto first_pair = group * tile_lanes;
    if (plane.run && first_pair + tile_lanes <= plane.columns.size()) {
      return {got_ + (*plane.run + first_pair) * width, columns()};
    }
    scratch.resize(tile_rows * tile_lanes);
    auto* const to = reinterpret_cast<std::byte*>(scratch.data());
    for (std::size_t lane = 0; lane < tile_lanes && first_pair + lane < plane.columns.size(); ++lane) {
      if (const auto column = plane.columns[first_pair + lane]) {
        for (std::size_t r = 0; r < count; ++r) {
          std::memcpy(to + (r * tile_lanes + lane) * width, got_ + (r * columns() + *column) * width, width);
        }
      }
    }
    return {to, tile_lanes};
  }

  void judge_block(const Block& block) {
    got_ = subject_.rows.rows(block.first, block.count, workspace_.made);
    auto& band = auditor_.band(truth_.positions.at(block.first));
    band.last_position = std::max(band.last_position, static_cast<std::int64_t>(block.greatest_position));
    block_greatest_ = 0;
    for (std::size_t layer = 0; layer < truth_.layers.size(); ++layer) {
      for (std::size_t group = 0; group < subject_.constants.lanes.size(); ++group) {
        judge_group(block, layer, group);
      }
    }
    judge_zero_columns(block);
    note_weights(block);
    tallied_ += block.count;
    auto& records = auditor_.report().records;
    if (records.empty() || block_greatest_ > records.back().greatest_error) {
      records.push_back(
          {truth_.first_row + block.first, static_cast<std::int64_t>(block.count), block_greatest_});
    }
  }

  void judge_group(const Block& block, std::size_t layer, std::size_t group) {
    const auto& planes = truth_.layers[layer];
    const auto sine = elements(planes[0], group, block.count, workspace_.gathered[0]);
    const auto cosine = elements(planes[1], group, block.count, workspace_.gathered[1]);
    subject_.difference(coarse_->seeds.planes(block.coarse_row), truth_.seeds.fine().planes(block.fine_row),
                        truth_.seeds.width(), group * tile_lanes, block.count,
                        {sine.first, cosine.first, sine.stride, cosine.stride}, subject_.constants.scale,
                        workspace_.tile);
    const bool conclusive =
        subject_.constants.surely_conclusive(group, block.greatest_position, block.greatest_position_error);
    auto& summaries = workspace_.summaries;
    const std::array wanted{planes[0].present > 0 ? &summaries[0] : nullptr,
                            planes[1].present > 0 ? &summaries[1] : nullptr};
    (conclusive ? kernels_.conclusive : kernels_.doubtful)(workspace_.tile, block.count, block.positions,
                                                           subject_.constants.lanes[group],
                                                           subject_.constants.tile, wanted.data());
    for (std::size_t component = 0; component < planes.size(); ++component) {
      if (planes[component].present > 0) {
        add_summary(block, layer, group, component);
      }
    }
  }

  void add_summary(const Block& block, std::size_t layer, std::size_t group, std::size_t component) {
    const auto& plane = truth_.layers[layer][component];
    const auto& summary = workspace_.summaries[component];
    auto& tally = workspace_.tallies[2 * layer + component];
    const bool whole =
        plane.present == plane.columns.size() && (group + 1) * tile_lanes <= plane.columns.size() &&
        !any_beyond(summary.greatest_error, subject_.constants.index.greatest_error) && bounded(block, group);
    if (!whole) {
      add_lanes(block, layer, group, component);
      return;
    }
    tally.add(summary, group, block.count);
    if (any_beyond(summary.greatest_error, block_greatest_ * subject_.constants.scale)) {
      block_greatest_ =
          static_cast<double>(std::ranges::max(summary.greatest_error)) / subject_.constants.scale;
    }
    if (tally.any_marked(group)) {
      for (std::size_t lane = 0; lane < tile_lanes; ++lane) {
        judge_marked(block, plane, group, lane, static_cast<Component>(component), tally);
      }
    }
    if (may_hold_greatest(summary)) {
      for (std::size_t lane = 0; lane < tile_lanes; ++lane) {
        const auto pair = group * tile_lanes + lane;
        consider_greatest({block, pair, *plane.columns[pair], static_cast<Component>(component)}, lane);
      }
    }
  }

  /// Whether one is greater than the limit, or no number.
  static bool any_beyond(const float (&values)[tile_lanes], double limit) {
    const auto single = static_cast<float>(limit);
    int beyond = 0;
    for (const float value : values) {
      beyond |= value <= single ? 0 : 1;
    }
    return beyond != 0;
  }

  /// What kernels cannot do for the whole group, lane by lane.
  void add_lanes(const Block& block, std::size_t layer, std::size_t group, std::size_t component) {
    const auto& plane = truth_.layers[layer][component];
    const auto& summary = workspace_.summaries[component];
    auto& tally = workspace_.tallies[2 * layer + component];
    const auto first_pair = group * tile_lanes;
    for (std::size_t lane = 0; lane < tile_lanes && first_pair + lane < plane.columns.size(); ++lane) {
      const auto pair = first_pair + lane;
      if (!plane.columns[pair]) {
        continue;
      }
      const auto greatest = static_cast<double>(summary.greatest_error[lane]);
      if (subject_.constants.usable && std::isfinite(magnitudes(block)[pair]) &&
          greatest <= subject_.constants.index.greatest_error) {
        tally.add_lane(summary, group, lane, block.count);
        block_greatest_ = std::max(block_greatest_, greatest / subject_.constants.scale);
        judge_marked(block, plane, group, lane, static_cast<Component>(component), tally);
        consider_greatest({block, pair, *plane.columns[pair], static_cast<Component>(component)}, lane);
      } else {
        judge_each({block, pair, *plane.columns[pair], static_cast<Component>(component)},
                   [](std::size_t) { return true; });
      }
    }
  }

  void judge_marked(const Block& block, const Plane& plane, std::size_t group, std::size_t lane,
                    Component component, PairTally& tally) {
    if (tally.take_marked(group, lane) > 0) {
      const auto pair = group * tile_lanes + lane;
      const auto& index = workspace_.summaries[static_cast<std::size_t>(component)].index;
      judge_each({block, pair, *plane.columns[pair], component},
                 [&](std::size_t r) { return index[r][lane] == 0; });
    }
  }

  /// The magnitudes M of a block's seeds, by pair; infinite where they carry no bound.
  const double* magnitudes(const Block& block) const {
    return coarse_->sine_magnitude.data() + block.coarse_row * truth_.seeds.width();
  }

  bool bounded(const Block& block, std::size_t group) const {
    const auto* const of_group = magnitudes(block) + group * tile_lanes;
    double sum = 0;  // infinite if any is
    for (std::size_t lane = 0; lane < tile_lanes; ++lane) {
      sum += of_group[lane];
    }
    return subject_.constants.usable && std::isfinite(sum);
  }

  /// What a measure in single precision must reach for its element to be looked at.
  struct Thresholds {
    float error, ulps, kappa, used;
  };

  Thresholds thresholds() const {
    const auto& report = auditor_.report();
    const auto just_below = [](double greatest) { return static_cast<float>(greatest * nearly); };
    return {just_below(report.statistics.absolute().greatest() * subject_.constants.scale),
            just_below(report.statistics.ulps().greatest()), just_below(report.statistics.kappa().greatest()),
            just_below(report.worst ? report.worst->used : 0)};
  }

  bool may_hold_greatest(const TileSummary& summary) const {
    const auto least = thresholds();
    int reached = 0;
    for (std::size_t lane = 0; lane < tile_lanes; ++lane) {
      reached |= summary.greatest_error[lane] >= least.error ? 1 : 0;
      reached |= summary.greatest_ulps[lane] >= least.ulps ? 1 : 0;
      reached |= summary.greatest_kappa[lane] >= least.kappa ? 1 : 0;
      reached |= summary.greatest_used[lane] >= least.used ? 1 : 0;
    }
    return reached != 0;
  }

  /// One component of a pair in the rows of a block.
  struct Series {
    const Block& block;
    std::size_t pair;
    std::size_t column;
    Component component;
  };

  double got(std::size_t r, std::size_t column) const {
    const auto* const from = got_ + (r * columns() + column) * subject_.element_bytes;
    std::uint64_t bits = 0;
    std::memcpy(&bits, from, subject_.element_bytes);
    return decode_bits(subject_.rows.widened() ? Format::binary64 : subject_.rows.stored(), bits);
  }

  Enclosure enclosure(const Block& block, std::size_t r, std::size_t pair, Component component) const {
    const auto position = truth_.positions.at(block.first + static_cast<std::int64_t>(r));
    if (position != 0) {
      const auto sum = sum_of_products(*coarse_, block.coarse_row, truth_.seeds.fine(), block.fine_row + r,
                                       pair, component);
      if (sum.bounded) {
        return sum.enclosure();
      }
    }
    // The seeds say nothing here, or less than is known: sin 0 and cos 0 are exact.
    const auto value = truth_.table.value(position, static_cast<int>(pair), component);
    const WorkingPrecision precision(direct_precision);
    return enclosure_of(value());
  }

  JudgedElement element(const Series& series, std::size_t r) const {
    const auto other = series.component == Component::sine ? Component::cosine : Component::sine;
    const auto row = series.block.first + static_cast<std::int64_t>(r);
    return {truth_.place(row, series.column), static_cast<int>(series.pair), got(r, series.column),
            enclosure(series.block, r, series.pair, series.component),
            enclosure(series.block, r, series.pair, other)};
  }

  template <class Wanted>
  void judge_each(const Series& series, Wanted wanted) {
    for (std::size_t r = 0; r < series.block.count; ++r) {
      if (!wanted(r)) {
        continue;
      }
      const auto judged = element(series, r);
      auto correct = rounded(auditor_.stored(), judged.truth);
      if (!correct) {
        correct = correctly_rounded(
            auditor_.stored(),
            truth_.table.value(judged.place.position, static_cast<int>(series.pair), series.component));
      }
      auditor_.add(judged, correct);
      block_greatest_ = std::isfinite(judged.got)
                            ? std::max(block_greatest_, std::fabs(signed_error(judged.got, judged.truth)))
                            : infinity;
    }
  }

  /// Looks exactly at the elements of a lane that may be the greatest or the worst so far.
  void consider_greatest(const Series& series, std::size_t lane) {
    const auto& summary = workspace_.summaries[static_cast<std::size_t>(series.component)];
    const auto least = thresholds();
    if (summary.greatest_error[lane] < least.error && summary.greatest_ulps[lane] < least.ulps &&
        summary.greatest_kappa[lane] < least.kappa && summary.greatest_used[lane] < least.used) {
      return;
    }
    for (std::size_t r = 0; r < series.block.count; ++r) {
      if (summary.index[r][lane] != 0 && may_be_greatest(series, lane, r)) {
        auditor_.consider(element(series, r));
      }
    }
  }

  /// By the measures in single precision.
  bool may_be_greatest(const Series& series, std::size_t lane, std::size_t r) const {
    const auto& report = auditor_.report();
    const auto& statistics = report.statistics;
    const auto which = static_cast<std::size_t>(series.component);
    const double value = static_cast<double>(workspace_.tile.truth[which][r][lane]);
    const double partner = static_cast<double>(workspace_.tile.truth[1 - which][r][lane]);
    const double error =
        std::fabs(static_cast<double>(workspace_.tile.error[which][r][lane])) / subject_.constants.scale;
    const auto position = truth_.positions.at(series.block.first + static_cast<std::int64_t>(r));
    const auto pair = static_cast<int>(series.pair);
    const auto& model = subject_.model;
    const auto reaches = [](double measure, double greatest) { return measure >= greatest * nearly; };
    if (reaches(error, statistics.absolute().greatest()) ||
        reaches(error / ulp_at(auditor_.stored(), value), statistics.ulps().greatest()) ||
        reaches(vernier::kappa(auditor_.stored(), error, model.phase(position, pair), model.amplitude()),
                statistics.kappa().greatest())) {
      return true;
    }
    const auto budget = model.at(position, pair, value, partner);
    return !model.inconclusive(budget) &&
           reaches(error / budget.total(), report.worst ? report.worst->used : 0);
  }

  /// A row of zeros by definition.
  void judge_row(std::int64_t row) {
    got_ = subject_.rows.rows(row, 1, workspace_.made);
    for (std::size_t c = 0; c < columns(); ++c) {
      auditor_.add({truth_.place(row, c), std::nullopt, got(0, c), {}, {}}, 0.0);
    }
  }

  void judge_zero_columns(const Block& block) {
    for (std::size_t c = 0; c < columns(); ++c) {
      if (truth_.table.columns[c].component != Component::zero) {
        continue;
      }
      for (std::size_t r = 0; r < block.count; ++r) {
        const auto row = block.first + static_cast<std::int64_t>(r);
        auditor_.add({truth_.place(row, c), std::nullopt, got(r, c), {}, {}}, 0.0);
      }
    }
  }

  void note_weights(const Block& block) {
    const double least = static_cast<double>(
        *std::min_element(block.positions.position, block.positions.position + block.count));
    least_position_ = std::min(least_position_, least);
    greatest_position_ = std::max(greatest_position_, block.greatest_position);
    greatest_position_error_ = std::max(greatest_position_error_, block.greatest_position_error);
  }

  /// No element's budget in the rows tallied is larger.
  double greatest_budget() const {
    const auto& constants = subject_.constants;
    double greatest = 0;
    for (std::size_t group = 0; group < constants.lanes.size(); ++group) {
      const double d = greatest_position_ * constants.phase_error[group] +
                       greatest_position_error_ * constants.position_error[group];
      const double apart = constants.amplitude * d + constants.greatest_apart;
      greatest = std::max(greatest, apart + subject_.model.storage(apart));
    }
    return greatest;
  }

  /// Adds what was tallied of a band to the report.
  void flush() {
    if (tallied_ == 0) {
      return;
    }
    auto& report = auditor_.report();
    auto& band = report.bands.at(band_);
    band.greatest_budget = std::max(band.greatest_budget, greatest_budget());
    for (auto& tally : workspace_.tallies) {
      tally.flush_sums(subject_.model, band, report);
    }
    for (auto& [least, greatest] : binned_) {
      least = std::min(least, least_position_);
      greatest = std::max(greatest, greatest_position_);
    }
    // A histogram may go on as long as its phases are alike: kappa's bins are made of them.
    flush_histograms([&](double spread) { return spread > widest_spread; });
    tallied_ = 0;
    least_position_ = infinity;
    greatest_position_ = greatest_position_error_ = 0;
  }

  /// Adds histograms to the report. \param due of how far apart 1 + phase are of some pair of a group, as a
  /// ratio
  template <class Due>
  void flush_histograms(Due due) {
    for (std::size_t group = 0; group < binned_.size(); ++group) {
      auto& [least, greatest] = binned_[group];
      std::array<double, tile_lanes> weights{};
      double spread = 0;
      for (std::size_t lane = 0; lane < tile_lanes; ++lane) {
        const auto w = static_cast<double>(subject_.constants.lanes[group].frequency[lane]);
        weights[lane] = 1 / (1 + least * w);
        spread = std::max(spread, (1 + greatest * w) * weights[lane]);
      }
      if (due(spread)) {
        for (auto& tally : workspace_.tallies) {
          tally.flush_histograms(group, weights, auditor_.report());
        }
        binned_[group] = {};
      }
    }
  }

  const Truth& truth_;
  const AuditKernels& kernels_;
  const Prepared& subject_;
  const CoarseRows* coarse_ = nullptr;
  std::int64_t chunk_first_ = 0;
  Auditor auditor_;
  Prepared::Workspace& workspace_;
  std::vector<Magnitudes> binned_;  ///< by group of pairs: of the positions in its histograms
  int band_ = 0;
  std::size_t tallied_ = 0;  ///< rows since the last flush
  double least_position_ = infinity;
  double greatest_position_ = 0;
  double greatest_position_error_ = 0;
  double block_greatest_ = 0;
  const std::byte* got_ = nullptr;  ///< the rows of the block
};

using Reports = std::vector<AuditReport>;

Reports merged(Reports earlier, const Reports& later) {
  if (earlier.empty()) {
    return later;
  }
  for (std::size_t i = 0; i < later.size(); ++i) {
    earlier[i].merge(later[i]);
  }
  return earlier;
}

/// Chunks whose histograms are kept together: fewer of them cost less, but there must be work for many
/// threads, and no more rows than a count can hold.
std::int64_t chunks_per_task(std::int64_t rows, std::int64_t rows_per_chunk) {
  constexpr std::int64_t least_tasks = 16;
  return std::clamp<std::int64_t>(rows / rows_per_chunk / least_tasks, 1,
                                  PairTally::most_rows / rows_per_chunk);
}

}  // namespace

std::vector<AuditReport> audit_range(const TrigTable& table, const PositionRange& positions,
                                     std::span<const RangeSubject> subjects, const AuditOptions& options) {
  const auto set = options.kernel_set.value_or(audit_kernel_sets().size() - 1);
  const auto& kernels = audit_kernel_sets()[set];
  const Truth truth(table, positions, options.first_row, kernel_sets()[set]);
  std::list<Prepared> prepared;
  for (const auto& [rows, model] : subjects) {
    const auto bits = rows->widened() ? 64 : traits(rows->stored()).bits;
    prepared.push_back({*rows,
                        model,
                        difference_kernel(kernels, *rows),
                        tile_constants(model, rows->stored()),
                        static_cast<std::size_t>(bits) / 8,
                        {}});
  }
  const auto rows_per_chunk = truth.seeds.rows_per_chunk();
  const auto rows_per_task = rows_per_chunk * chunks_per_task(positions.count, rows_per_chunk);
  const auto audit_task = [&](std::int64_t task) {
    require_ieee_arithmetic();
    const auto begin = task * rows_per_task;
    const auto end = std::min(begin + rows_per_task, positions.count);
    std::list<ChunkAudit> audits;
    for (const auto& subject : prepared) {
      audits.emplace_back(truth, kernels, subject);
    }
    for (auto first = begin; first < end; first += rows_per_chunk) {
      const auto last = std::min(first + rows_per_chunk, end);
      const auto coarse = truth.seeds.coarse(first / rows_per_chunk, truth.kernels.combine);
      for (auto& audit : audits) {
        audit.add(coarse, first, last);
      }
      if (options.heartbeat) {
        options.heartbeat(last - first);
      }
    }
    Reports reports;
    for (auto& audit : audits) {
      reports.push_back(audit.finish());
    }
    return reports;
  };
  std::optional<oneapi::tbb::global_control> allowed;
  if (static_cast<int>(options.threads) > oneapi::tbb::info::default_concurrency()) {
    allowed.emplace(oneapi::tbb::global_control::max_allowed_parallelism, options.threads);
  }
  oneapi::tbb::task_arena arena(static_cast<int>(options.threads));
  // Split and joined the same way whatever the number of threads, so that sums round the same.
  auto reports = arena.execute([&] {
    return oneapi::tbb::parallel_deterministic_reduce(
        oneapi::tbb::blocked_range<std::int64_t>(0, (positions.count + rows_per_task - 1) / rows_per_task),
        Reports{},
        [&](const auto& range, Reports so_far) {
          for (auto task = range.begin(); task != range.end(); ++task) {
            so_far = merged(std::move(so_far), audit_task(task));
          }
          return so_far;
        },
        merged);
  });
  reports.resize(subjects.size());
  return reports;
}

}  // namespace vernier
