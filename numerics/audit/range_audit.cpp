#include "numerics/audit/range_audit.hpp"

#include <algorithm>
#include <memory>

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_reduce.h>

#include "reference/ladder/float_environment.hpp"
#include "reference/support/mapped.hpp"
#include "reference/support/threads.hpp"

namespace vernier {
namespace {

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

/// Chunks whose histograms are kept together: fewer of them cost less, but there must be work for many
/// threads, and no more rows than a count can hold.
std::int64_t chunks_per_task(std::int64_t rows, std::int64_t rows_per_chunk) {
  constexpr std::int64_t least_tasks = 16;
  return std::clamp<std::int64_t>(rows / rows_per_chunk / least_tasks, 1,
                                  PairTally::most_rows / rows_per_chunk);
}

/// So many that what all hold stays below half a GiB, whatever the table's width: a thread has made the rows
/// of a block, and has sums of both components and the reports of some bands of each pair.
unsigned threads_for(std::size_t columns, unsigned wanted) {
  constexpr std::size_t most_bytes = std::size_t{512} << 20;
  constexpr std::size_t bytes_a_column = block_rows * sizeof(double) + 1024;
  return static_cast<unsigned>(std::clamp<std::size_t>(most_bytes / (columns * bytes_a_column), 1, wanted));
}

std::size_t kernel_set_of(const AuditOptions& options) {
  return options.kernel_set.value_or(audit_kernel_sets().size() - 1);
}

using Reports = std::vector<AuditReport>;

Reports merged_reports(Reports earlier, const Reports& later) {
  if (earlier.empty()) {
    return later;
  }
  for (std::size_t i = 0; i < later.size(); ++i) {
    earlier[i].merge(later[i]);
  }
  return earlier;
}

}  // namespace

RangeAudit::RangeAudit(const TrigTable& table, const PositionRange& positions,
                       std::span<const RangeInput> subjects, const AuditOptions& options)
    : truth_(table, positions, options.first_row, kernel_sets()[kernel_set_of(options)]),
      kernels_(audit_kernel_sets()[kernel_set_of(options)]),
      options_(options),
      inputs_(subjects.begin(), subjects.end()),
      rows_per_chunk_(truth_.seeds().rows_per_chunk()),
      rows_per_task_(rows_per_chunk_ * chunks_per_task(positions.count, rows_per_chunk_)) {
  for (const auto& [rows, model] : inputs_) {
    const auto bits = rows->widened() ? 64 : traits(rows->stored()).bits;
    subjects_.push_back({rows,
                         &model,
                         difference_kernel(kernels_, *rows),
                         tile_constants(model, rows->stored(), truth_.below_one()),
                         static_cast<std::size_t>(bits) / 8,
                         options.histogram_bytes,
                         {}});
  }
}

Reports RangeAudit::run(std::int64_t task) const {
  require_ieee_arithmetic();
  const auto begin = task * rows_per_task_;
  const auto end = std::min(begin + rows_per_task_, truth_.positions().count);
  std::list<ChunkAudit> audits;
  for (const auto& subject : subjects_) {
    audits.emplace_back(truth_, kernels_, subject);
  }
  for (auto first = begin; first < end; first += rows_per_chunk_) {
    const auto last = std::min(first + rows_per_chunk_, end);
    const auto coarse = truth_.coarse(first / rows_per_chunk_);
    for (auto& audit : audits) {
      audit.add(coarse, first, last);
    }
    if (options_.heartbeat) {
      options_.heartbeat(last - first);
    }
  }
  return mapped(audits, &ChunkAudit::finish);
}

Reports RangeAudit::run(std::int64_t first, std::int64_t last) const {
  auto reports = with_threads(threads_for(truth_.table().columns.size(), options_.threads), [&] {
    return oneapi::tbb::parallel_reduce(
        oneapi::tbb::blocked_range<std::int64_t>(first, last), Reports{},
        [&](const auto& range, Reports so_far) {
          for (auto task = range.begin(); task != range.end(); ++task) {
            so_far = merged_reports(std::move(so_far), run(task));
          }
          return so_far;
        },
        merged_reports);
  });
  reports.resize(inputs_.size());
  return reports;
}

std::vector<AuditReport> audit_range(const TrigTable& table, const PositionRange& positions,
                                     std::span<const RangeInput> subjects, const AuditOptions& options) {
  const RangeAudit audit(table, positions, subjects, options);
  return audit.run(0, audit.tasks());
}

std::vector<AuditReport> audit(const TrigTable& table, std::span<const Subject> subjects,
                               const PositionRange& positions, const AuditOptions& options) {
  std::vector<std::unique_ptr<MadeRows>> rows;
  std::vector<RangeInput> made;
  for (const auto& [implementation, model] : subjects) {
    rows.push_back(std::make_unique<MadeRows>(*implementation, positions));
    made.push_back({rows.back().get(), model});
  }
  return audit_range(table, positions, made, options);
}

}  // namespace vernier
