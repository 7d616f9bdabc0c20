#include "numerics/bias_tensor.hpp"

#include <cmath>
#include <limits>

#include "numerics/metrics.hpp"
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

double share_used(double error, double budget) {
  if (!std::isfinite(error)) {
    return std::numeric_limits<double>::infinity();
  }
  return error == 0 ? 0 : std::fabs(error) / budget;
}

void add(BiasReport& report, const BiasElement& element, bool inconclusive) {
  ++report.elements;
  if (inconclusive && std::isfinite(element.got)) {
    ++report.inconclusive;
    return;
  }
  ++report.judged;
  if (element.used > 1) {
    ++report.failing;
    report.first_failing = report.first_failing ? report.first_failing : element;
  }
  if (!report.worst || element.used > report.worst->used) {
    report.worst = element;
  }
}

/// Judges the elements of one head.
void audit_head(const BiasTensor& bias, std::span<const std::int64_t> keys, std::size_t head,
                BiasReport& report) {
  const auto& slope = bias.table.slopes[head];
  const auto budget = bias.contract->bind_bias(slope, bias.stored());
  const auto exact_slope = tight_enclosure([&] { return slope.enclosure(); });
  for (std::size_t query = 0; query < bias.queries(); ++query) {
    for (std::size_t key = 0; key < bias.keys(); ++key) {
      const auto multiplier = bias.table.multiplier(keys, bias.queries(), query, key);
      const auto truth = exact_slope * Enclosure{{static_cast<double>(multiplier), 0}, 0};
      const double got = bias.tensor.number((head * bias.queries() + query) * bias.keys() + key);
      const double error = signed_error(got, truth);
      const double allowed = budget.at(truth.approximately());
      add(report, {head, query, key, got, truth, allowed, error, share_used(error, allowed)},
          budget.inconclusive() && multiplier != 0);
    }
  }
}

}  // namespace

void check_fit(const BiasTable& table, const Tensor& tensor, const std::filesystem::path& file) {
  if (!has_shape_of(table, tensor.shape())) {
    throw InputError(file.string() + ": " + table.role + ": found the shape " + to_string(tensor.shape()) +
                     ", expected " + expected_shape(table));
  }
  if (!tensor.format()) {
    throw InputError(file.string() + ": " + table.role + ": found " +
                     std::string(traits(tensor.type()).name) +
                     ", expected a floating-point type (bfloat16 bits need \"dtype\")");
  }
}

BiasReport audit_bias(const BiasTensor& bias, std::span<const std::int64_t> keys) {
  BiasReport report;
  for (std::size_t head = 0; head < bias.table.slopes.size(); ++head) {
    audit_head(bias, keys, head, report);
  }
  return report;
}

}  // namespace vernier
