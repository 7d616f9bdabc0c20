#include "numerics/table_tensor.hpp"

#include <cassert>
#include <limits>
#include <unordered_set>
#include <vector>

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

TensorAudit audit_tensor(const TableTensor& tensor, const TrigTable& table,
                         std::span<const std::int64_t> positions) {
  assert(positions.size() == tensor.rows() && table.columns.size() == tensor.columns());
  auto truth = certified_table_for(table, positions);
  Auditor auditor(tensor.contract->bind(table, tensor.stored()), tensor.stored());
  std::vector<double> got(tensor.columns());
  std::vector<Enclosure> values(got.size());
  std::vector<Enclosure> partners(got.size());
  TensorAudit result;
  double worst = -1;
  for (std::size_t r = 0; r < positions.size(); ++r) {
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

}  // namespace vernier
