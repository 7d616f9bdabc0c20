#include "numerics/errors/elementwise_report.hpp"

#include <cmath>
#include <limits>

#include "numerics/errors/metrics.hpp"

namespace vernier {

double share_used(double error, double budget) {
  if (!std::isfinite(error)) {
    return std::numeric_limits<double>::infinity();
  }
  return error == 0 ? 0 : std::fabs(error) / budget;
}

JudgedElement judged_element(std::size_t index, double got, const Enclosure& truth, double budget) {
  const double error = signed_error(got, truth);
  return {index, got, truth, budget, error, share_used(error, budget)};
}

void ElementwiseReport::add(const JudgedElement& element, bool is_inconclusive) {
  ++elements;
  if (is_inconclusive && std::isfinite(element.got)) {
    ++inconclusive;
    return;
  }
  ++judged;
  if (element.budget_ratio > 1) {
    ++failing;
    first_failing = first_failing ? first_failing : element;
  }
  if (!worst || element.budget_ratio > worst->budget_ratio) {
    worst = element;
  }
}

void ElementwiseReport::add(const JudgedElement& element, bool is_inconclusive, std::int64_t position,
                            int pair) {
  const auto judged_before = judged;
  add(element, is_inconclusive);
  map.add(position, static_cast<std::size_t>(pair),
          judged > judged_before ? std::optional(element.budget_ratio) : std::nullopt);
}

void ElementwiseReport::merge(const ElementwiseReport& later) {
  elements += later.elements;
  judged += later.judged;
  failing += later.failing;
  inconclusive += later.inconclusive;
  instead += later.instead;
  first_inconclusive = first_inconclusive ? first_inconclusive : later.first_inconclusive;
  first_failing = first_failing ? first_failing : later.first_failing;
  if (later.worst && (!worst || later.worst->budget_ratio > worst->budget_ratio)) {
    worst = later.worst;
  }
  map.merge(later.map);
}

}  // namespace vernier
