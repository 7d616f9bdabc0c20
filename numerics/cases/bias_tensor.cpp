#include "numerics/cases/bias_tensor.hpp"

#include "reference/input_error.hpp"
#include "reference/real.hpp"

namespace vernier {
namespace {

std::string expected_shape(const BiasTable& table) {
  const auto heads = std::to_string(table.slopes.size());
  return table.factor == BiasTable::Factor::one ? std::string("[") + heads + "]"
                                                : std::string("[") + heads + ", keys] or [" + heads +
                                                      ", queries, keys], no more queries than keys";
}

bool has_shape_of(const BiasTable& table, const Shape& shape) {
  if (shape.empty() || shape.front() != table.slopes.size()) {
    return false;
  }
  if (table.factor == BiasTable::Factor::one) {
    return shape.size() == 1;
  }
  return shape.size() == 2 || (shape.size() == 3 && shape[1] <= shape[2]);
}

/// Judges the elements of one head.
void audit_head(const BiasTensor& bias, std::span<const std::int64_t> keys, std::size_t head,
                ElementwiseReport& report) {
  const auto& slope = bias.table.slopes[head];
  const auto budget = bias.contract->bind(slope, bias.stored());
  const auto exact_slope = tight_enclosure([&] { return slope.enclosure(); });
  for (std::size_t query = 0; query < bias.queries(); ++query) {
    for (std::size_t key = 0; key < bias.keys(); ++key) {
      const auto multiplier = bias.table.multiplier(keys, bias.queries(), query, key);
      const auto truth = exact_slope * Enclosure{{static_cast<double>(multiplier), 0}, 0};
      const auto index = (head * bias.queries() + query) * bias.keys() + key;
      const double allowed = budget.at(truth.approximately());
      report.add(judged_element(index, bias.tensor.number(index), truth, allowed),
                 budget.inconclusive() && multiplier != 0);
    }
  }
}

}  // namespace

void check_fit(const BiasTable& table, const Tensor& tensor, const std::string& source) {
  if (!has_shape_of(table, tensor.shape())) {
    throw InputError("{}: {}: found the shape {}, expected {}", source, table.role, to_string(tensor.shape()),
                     expected_shape(table));
  }
  if (!tensor.format()) {
    throw InputError("{}: {}: found {}, expected a floating-point type (bfloat16 bits need \"dtype\")",
                     source, table.role, traits(tensor.type()).name);
  }
}

ElementwiseReport audit_bias(const BiasTensor& bias, std::span<const std::int64_t> keys) {
  ElementwiseReport report;
  for (std::size_t head = 0; head < bias.table.slopes.size(); ++head) {
    audit_head(bias, keys, head, report);
  }
  return report;
}

}  // namespace vernier
