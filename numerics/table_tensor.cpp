#include "numerics/table_tensor.hpp"

#include <algorithm>
#include <cassert>
#include <limits>
#include <unordered_set>
#include <vector>

#include <oneapi/tbb/enumerable_thread_specific.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>

namespace vernier {
namespace {

constexpr std::int64_t most_fine_rows = 1024;

/// How many rows of seeds the positions need if they are split into blocks of `fine_rows`.
std::size_t seed_rows(std::span<const std::int64_t> positions, std::int64_t fine_rows) {
  std::unordered_set<std::int64_t> blocks;
  std::unordered_set<std::int64_t> rests;
  for (const auto position : positions) {
    const auto rest = (position % fine_rows + fine_rows) % fine_rows;
    rests.insert(rest);
    blocks.insert(position - rest);
  }
  return blocks.size() + rests.size();
}

}  // namespace

std::span<const std::byte> TableTensor::row_bytes(std::size_t row) const {
  const auto width = tensor.bytes().size() / rows();
  return tensor.bytes().subspan(row * width, width);
}

CertifiedTable certified_table_for(const TrigTable& table, std::span<const std::int64_t> positions) {
  std::int64_t best = 1;
  std::size_t fewest = std::numeric_limits<std::size_t>::max();
  for (std::int64_t fine_rows = 1; fine_rows <= most_fine_rows; fine_rows *= 2) {
    if (const auto count = seed_rows(positions, fine_rows); count < fewest) {
      fewest = count;
      best = fine_rows;
    }
  }
  return CertifiedTable(table, best * best);
}

namespace {

/// Rows judged together. Blocks are merged in their order, so that sums come out the same for any number of
/// threads.
constexpr std::size_t rows_per_block = 4096;

TensorAudit audit_rows(const TableTensor& tensor, CertifiedTable& truth, const BudgetModel& model,
                       std::span<const std::int64_t> positions, std::size_t first, std::size_t last) {
  Auditor auditor(model, tensor.stored());
  std::vector<double> got(tensor.columns());
  std::vector<Enclosure> values(got.size());
  std::vector<Enclosure> partners(got.size());
  TensorAudit result;
  double worst = -1;
  for (std::size_t r = first; r < last; ++r) {
    tensor.row(r, got);
    truth.row(positions[r], values, partners);
    auditor.row(truth, positions[r], got, values, partners);
    const auto& report = auditor.report();
    if (report.worst && report.worst->used > worst) {
      worst = report.worst->used;
      result.worst_row = r;
    }
    if (report.first_failing && !result.first_failing_row) {
      result.first_failing_row = r;
    }
  }
  result.report = auditor.report();
  return result;
}

void merge_into(TensorAudit& audit, const TensorAudit& later) {
  const auto& worst = audit.report.worst;
  if (later.report.worst && (!worst || later.report.worst->used > worst->used)) {
    audit.worst_row = later.worst_row;
  }
  if (!audit.first_failing_row) {
    audit.first_failing_row = later.first_failing_row;
  }
  audit.report.merge(later.report);
}

}  // namespace

TensorAudit audit_tensor(const TableTensor& tensor, const TrigTable& table,
                         std::span<const std::int64_t> positions, unsigned threads) {
  assert(positions.size() == tensor.rows() && table.columns.size() == tensor.columns());
  const auto blocks = (positions.size() + rows_per_block - 1) / rows_per_block;
  const auto model = tensor.contract->bind(table, tensor.stored());
  const auto original = certified_table_for(table, positions);
  std::vector<TensorAudit> by_block(blocks);
  // A certified table keeps the seeds it has made, so each thread has its own.
  oneapi::tbb::enumerable_thread_specific<CertifiedTable> tables(original);
  oneapi::tbb::task_arena arena(static_cast<int>(threads));
  arena.execute([&] {
    oneapi::tbb::parallel_for(std::size_t{0}, blocks, [&](std::size_t block) {
      const auto first = block * rows_per_block;
      by_block[block] = audit_rows(tensor, tables.local(), model, positions, first,
                                   std::min(first + rows_per_block, positions.size()));
    });
  });
  TensorAudit result;
  for (const auto& audit : by_block) {
    merge_into(result, audit);
  }
  return result;
}

}  // namespace vernier
