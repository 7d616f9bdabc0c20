#include "numerics/cases/bias_tensor.hpp"

#include <unordered_map>

#include "reference/input_error.hpp"
#include "reference/real.hpp"

namespace vernier {
namespace {

std::string expected_shape(const BiasTable& table) {
  const auto heads = std::to_string(table.heads());
  return table.factor == BiasTable::Factor::one ? std::string("[") + heads + "]"
                                                : std::string("[") + heads + ", keys] or [" + heads +
                                                      ", queries, keys], no more queries than keys";
}

bool has_shape_of(const BiasTable& table, const Shape& shape) {
  if (shape.empty() || shape.front() != table.heads()) {
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
  const auto allowed_at = allowed_biases(bias, head);
  for (std::size_t query = 0; query < bias.queries(); ++query) {
    for (std::size_t key = 0; key < bias.keys(); ++key) {
      const auto multiplier = bias.table.multiplier(keys, bias.queries(), query, key);
      const auto [truth, budget] = allowed_at(multiplier);
      const double value = truth.approximately();
      const auto index = (head * bias.queries() + query) * bias.keys() + key;
      const double got = bias.tensor.number(index);
      report.add(judged_element(index, got, truth, budget.of(got, truth)), budget.inconclusive_at(value));
    }
  }
}

}  // namespace

std::function<AllowedBias(std::int64_t multiplier)> allowed_biases(const BiasTensor& bias, std::size_t head) {
  if (bias.table.curves.empty()) {
    const auto& slope = bias.table.slopes[head];
    return [exact = tight_enclosure([&] { return slope.enclosure(); }),
            budget = bias.contract->bind(slope, bias.stored())](std::int64_t multiplier) {
      return AllowedBias{exact * Enclosure{{static_cast<double>(multiplier), 0}, 0}, budget};
    };
  }
  return [curve = bias.table.curves[head], contract = bias.contract, stored = bias.stored(),
          known = std::unordered_map<std::int64_t, AllowedBias>()](std::int64_t multiplier) mutable {
    const auto [found, is_new] = known.try_emplace(multiplier);
    if (is_new) {
      const auto number = curve(multiplier);
      found->second = {tight_enclosure(number.value), contract->bind(number, stored)};
    }
    return found->second;
  };
}

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
  for (std::size_t head = 0; head < bias.table.heads(); ++head) {
    audit_head(bias, keys, head, report);
  }
  return report;
}

}  // namespace vernier
