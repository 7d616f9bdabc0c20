#include "reports/outputs/measurements.hpp"

#include "reports/value_text.hpp"

namespace vernier {
namespace {

using Measurements = std::vector<std::pair<std::string, std::string>>;

std::string text(double value) {
  return shortest_text(Format::binary64, value);
}

void append_counts(const Counts& counts, Measurements& out) {
  if (counts.elements > 0) {
    out.emplace_back("elements", std::to_string(counts.elements));
    out.emplace_back("judged", std::to_string(counts.judged));
    out.emplace_back("failing", std::to_string(counts.failing));
    out.emplace_back("inconclusive", std::to_string(counts.inconclusive));
  }
}

void append_statistics(const ErrorStatistics& statistics, Measurements& out) {
  out.emplace_back("greatest error in ulp", text(statistics.ulps().greatest()));
  out.emplace_back("greatest absolute error", text(statistics.absolute().greatest()));
  out.emplace_back("greatest phase roundings", text(statistics.phase_roundings().greatest()));
  out.emplace_back("root mean square absolute error", text(statistics.absolute().rms()));
}

}  // namespace

Measurements measurements(const Check& check) {
  Measurements result;
  append_counts(check.counts, result);
  if (check.greatest_budget_ratio) {
    result.emplace_back("greatest share of the budget used", text(*check.greatest_budget_ratio));
  }
  if (check.worst) {
    result.emplace_back("worst position", std::to_string(check.worst->position));
    result.emplace_back("worst column", std::to_string(check.worst->column));
  }
  if (check.statistics) {
    append_statistics(*check.statistics, result);
  }
  return result;
}

}  // namespace vernier
