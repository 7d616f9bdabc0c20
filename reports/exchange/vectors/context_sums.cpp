#include <algorithm>
#include <cmath>

#include "numerics/errors/exact_sum.hpp"
#include "numerics/formats/sha256.hpp"
#include "reports/exchange/vectors/selection.hpp"
#include "reports/exchange/vectors/vector_tensor.hpp"

namespace vernier {
namespace {

std::string digest_of(const VectorTensor& table, Format format) {
  std::string bytes;
  for (std::size_t index = 0; index < table.elements(); ++index) {
    const auto bits = encode_bits(format, table.rounded_to(format, index));
    for (int shift = 0; shift < traits(format).bits; shift += 8) {
      bytes += static_cast<char>(bits >> shift & 0xff);
    }
  }
  return sha256(bytes);
}

ContextSums sums_of(const VectorTensor& table) {
  const auto columns = table.consecutive;
  const auto blocks = (table.rows + rows_per_sum - 1) / rows_per_sum;
  const auto sum_of = [&](std::size_t index) {
    return index / columns / rows_per_sum * columns + index % columns;
  };
  ContextSums result{table.role, {blocks, columns}, {}, {}, {}};
  std::vector<ExactSum> sums(blocks * columns);
  std::vector<double> magnitudes(sums.size());
  for (std::size_t index = 0; index < table.elements(); ++index) {
    const double element = table.rounded_to(Format::binary64, index);
    sums[sum_of(index)] += element;
    magnitudes[sum_of(index)] += std::fabs(element);
  }
  std::ranges::transform(sums, std::back_inserter(result.sums), &ExactSum::nearest);
  for (const auto& [key, budgets] : table.budgets) {
    auto& allowed = result.budgets[key];
    for (const double magnitude : magnitudes) {
      allowed.push_back((rows_per_sum + 1) * magnitude * 0x1p-53);
    }
    for (std::size_t index = 0; index < budgets.size(); ++index) {
      allowed[sum_of(index)] += budgets[index];
    }
    std::ranges::transform(allowed, allowed.begin(), rounded_up);
  }
  for (const auto format : computing_formats()) {
    result.digests[traits(format).name] = digest_of(table, format);
  }
  return result;
}

}  // namespace

std::vector<ContextSums> context_sums(const Encoding& encoding, const PositionRange& context) {
  std::vector<ContextSums> result;
  for (const auto& definition : encoding.tensors()) {
    const auto role = role_of(definition);
    if (tensor_form(definition).sines != nullptr &&
        std::ranges::find(result, role, &ContextSums::role) == result.end()) {
      for (const auto& table : vector_tensors(encoding, listed(context), role)) {
        result.push_back(sums_of(table));
      }
    }
  }
  return result;
}

}  // namespace vernier
