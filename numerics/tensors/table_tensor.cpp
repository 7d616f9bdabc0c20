#include "numerics/tensors/table_tensor.hpp"

#include <algorithm>
#include <cassert>
#include <vector>

#include <oneapi/tbb/enumerable_thread_specific.h>
#include <oneapi/tbb/parallel_for.h>

#include "numerics/audit/auditor.hpp"
#include "numerics/audit/range_audit.hpp"
#include "reference/support/threads.hpp"

namespace vernier {
namespace {

/// Rows judged together where positions are scattered. Blocks are merged in their order, so that sums come
/// out the same for any number of threads.
constexpr std::size_t table_rows_per_block = 4096;
/// Evenly spaced rows that are worth a ladder of their own.
constexpr std::size_t least_even_rows = 64;

/// Rows [first, last): evenly spaced ones, or what lies between such runs.
struct Stretch {
  std::size_t first;
  std::size_t last;
  std::int64_t step;  ///< 0 if they are scattered
};

std::size_t end_of_even_run(std::span<const std::int64_t> positions, std::size_t first) {
  auto last = std::min(first + 2, positions.size());
  while (last < positions.size() &&
         positions[last] - positions[last - 1] == positions[first + 1] - positions[first]) {
    ++last;
  }
  return last;
}

std::vector<Stretch> stretches_of(std::span<const std::int64_t> positions) {
  std::vector<Stretch> stretches;
  for (std::size_t first = 0; first < positions.size();) {
    const auto last = end_of_even_run(positions, first);
    const bool even = last - first >= least_even_rows && positions[first + 1] != positions[first];
    if (even) {
      stretches.push_back({first, last, positions[first + 1] - positions[first]});
    } else if (!stretches.empty() && stretches.back().step == 0) {
      stretches.back().last = last;
    } else {
      stretches.push_back({first, last, 0});
    }
    first = last;
  }
  return stretches;
}

AuditReport audit_block(const TableTensor& tensor, CertifiedTable& truth, const BudgetModel& model,
                        std::span<const std::int64_t> positions, std::size_t first, std::size_t last) {
  Auditor auditor(model, tensor.stored(), truth.table().frequencies.pairs(), tensor.overflow);
  std::vector<double> got(tensor.columns());
  std::vector<Enclosure> values(got.size());
  std::vector<Enclosure> partners(got.size());
  for (std::size_t r = first; r < last; ++r) {
    tensor.row(r, got);
    truth.row(positions[r], values, partners);
    auditor.add_row(truth, static_cast<std::int64_t>(r), positions[r], got, values, partners);
  }
  return std::move(auditor.report());
}

AuditReport audit_scattered(const TableTensor& tensor, const TrigTable& table, const BudgetModel& model,
                            std::span<const std::int64_t> positions, const Stretch& stretch,
                            unsigned threads) {
  const auto rows = stretch.last - stretch.first;
  std::vector<AuditReport> by_block((rows + table_rows_per_block - 1) / table_rows_per_block);
  // A certified table keeps the seeds it has made, so each thread has its own.
  const auto original = certified_table_for(table, positions.subspan(stretch.first, rows));
  oneapi::tbb::enumerable_thread_specific<CertifiedTable> tables(original);
  with_threads(threads, [&] {
    oneapi::tbb::parallel_for(std::size_t{0}, by_block.size(), [&](std::size_t block) {
      const auto first = stretch.first + block * table_rows_per_block;
      by_block[block] = audit_block(tensor, tables.local(), model, positions, first,
                                    std::min(first + table_rows_per_block, stretch.last));
    });
  });
  AuditReport result;
  for (const auto& report : by_block) {
    result.merge(report);
  }
  return result;
}

AuditReport audit_even(const TableTensor& tensor, const TrigTable& table, const BudgetModel& model,
                       std::span<const std::int64_t> positions, const Stretch& stretch, unsigned threads) {
  const TensorRows rows(tensor.tensor, stretch.first);
  const RangeInput subject{&rows, model};
  const PositionRange range{positions[stretch.first], stretch.step,
                            static_cast<std::int64_t>(stretch.last - stretch.first)};
  return audit_range(table, range, std::span(&subject, 1),
                     {.threads = threads, .first_row = static_cast<std::int64_t>(stretch.first)})
      .front();
}

}  // namespace

AuditReport audit_tensor(const TableTensor& tensor, const TrigTable& table,
                         std::span<const std::int64_t> positions, unsigned threads) {
  assert(positions.size() == tensor.rows() && table.columns.size() == tensor.columns());
  const auto model = tensor.contract->bind(table, tensor.stored());
  if (tensor.may_overflow()) {
    return audit_scattered(tensor, table, model, positions, {0, positions.size(), 0}, threads);
  }
  AuditReport result;
  for (const auto& stretch : stretches_of(positions)) {
    result.merge(stretch.step == 0 ? audit_scattered(tensor, table, model, positions, stretch, threads)
                                   : audit_even(tensor, table, model, positions, stretch, threads));
  }
  return result;
}

}  // namespace vernier
