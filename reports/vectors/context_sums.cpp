#include "reports/vectors/context_sums.hpp"

#include <algorithm>
#include <cstring>

#include "numerics/errors/exact_sum.hpp"
#include "numerics/formats/sha256.hpp"
#include "reference/ladder/rounded_table.hpp"

namespace vernier {
namespace {

/// The certified rows of a context in a format.
std::string bytes_of(const TrigTable& table, const PositionRange& context, Format format) {
  const RoundedTable rounded(table, table.positions.places(context), format);
  std::vector<double> aligned(rounded.row_bytes() * static_cast<std::size_t>(context.count) / sizeof(double) +
                              1);
  const auto bytes = std::as_writable_bytes(std::span(aligned))
                         .first(rounded.row_bytes() * static_cast<std::size_t>(context.count));
  rounded.write(0, context.count, bytes);
  std::string text(bytes.size(), '\0');
  std::memcpy(text.data(), bytes.data(), bytes.size());
  return text;
}

std::vector<double> sums_of_columns(std::string_view bytes, std::size_t columns) {
  std::vector<ExactSum> sums(columns);
  for (std::size_t i = 0; i < bytes.size() / sizeof(double); ++i) {
    double element = 0;
    std::memcpy(&element, bytes.data() + i * sizeof(double), sizeof(double));
    sums[i % columns] += element;
  }
  std::vector<double> result;
  std::ranges::transform(sums, std::back_inserter(result), &ExactSum::nearest);
  return result;
}

/// Of each column, for each key.
Budgets budgets_of(const Encoding& encoding, const TrigTable& table, const PositionRange& context) {
  std::vector<std::int64_t> positions;
  for (std::int64_t row = 0; row < context.count; ++row) {
    positions.push_back(context.at(row));
  }
  const auto columns = table.columns.size();
  const auto rows = static_cast<double>(context.count);
  const double added = rows * (rows + 1) * 0x1p-53 * approximately(table.amplitude);
  Budgets result;
  for (const auto& tensor : vector_tensors(encoding, positions, table.role)) {
    for (const auto& [key, budgets] : tensor.budgets) {
      auto& sums = result[key];
      sums.assign(columns, added);
      for (std::size_t i = 0; i < budgets.size(); ++i) {
        sums[i % columns] += budgets[i];
      }
      std::ranges::transform(sums, sums.begin(), rounded_up);
    }
  }
  return result;
}

}  // namespace

std::vector<ContextSums> context_sums(const Encoding& encoding, const PositionRange& context) {
  std::vector<ContextSums> result;
  for (const auto& table : encoding.all<TrigTable>()) {
    if (std::ranges::find(result, table.role, &ContextSums::role) != result.end()) {
      continue;
    }
    ContextSums sums{table.role, {}, budgets_of(encoding, table, context), {}};
    for (const auto format : computing_formats()) {
      const auto bytes = bytes_of(table, context, format);
      sums.digests[traits(format).name] = sha256(bytes);
      if (format == Format::binary64) {
        sums.sums = sums_of_columns(bytes, table.columns.size());
      }
    }
    result.push_back(std::move(sums));
  }
  return result;
}

}  // namespace vernier
