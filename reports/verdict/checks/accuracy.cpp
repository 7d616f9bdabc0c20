#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "numerics/errors/metrics.hpp"
#include "numerics/errors/overflow.hpp"
#include "reference/numbers/decimal.hpp"
#include "reports/verdict/checks/checks.hpp"
#include "reports/verdict/checks/elements.hpp"
#include "reports/words/value_text.hpp"

namespace vernier {
namespace {

constexpr int most_places = 1000;

/// The truth in decimal, 20 significant digits of it where they can be proved.
std::string truth_text(const TableTensor& tensor, const ElementReport& element) {
  const double magnitude = std::fabs(element.truth.approximately());
  const int leading_zeros =
      magnitude == 0 ? 0 : std::max(0, -static_cast<int>(std::floor(std::log10(magnitude))) - 1);
  const auto entry = tensor.table.entry(element.place.position, element.place.column);
  return correctly_rounded_decimal(entry, std::min(truth_digits + leading_zeros, most_places))
      .value_or(shortest_text(Format::binary64, element.truth.approximately()));
}

ElementWitness witness_of(const TableTensor& tensor, const ElementReport& element) {
  const auto format = tensor.stored();
  const auto& place = element.place;
  const auto column = tensor.table.columns[place.column];
  const auto model = tensor.model();
  ElementWitness result{
      tensor.role(), static_cast<std::size_t>(place.row), place.position, place.column, column, format,
      element.got};
  result.real_position = real_position(tensor.table.positions, place.position);
  result.expected = correctly_rounded(format, tensor.table.entry(place.position, place.column));
  if (result.expected && !std::isfinite(*result.expected) && tensor.overflow == Overflow::saturate) {
    result.expected = rounded_with(tensor.overflow, format, element.truth.approximately());
  }
  result.truth = truth_text(tensor, element);
  result.absolute = element.error;
  result.ulps = signed_ulp_error(format, element.got, element.truth);
  result.phase_roundings =
      phase_roundings(format, element.error, model.phase(place.position, column.pair), model.amplitude());
  if (result.expected && !std::isnan(element.got)) {
    result.steps = ordinal_distance(format, element.got, *result.expected);
  }
  result.budget = element.budget;
  result.budget_ratio = element.budget_ratio;
  return result;
}

std::string count_of(std::uint64_t part, std::uint64_t whole) {
  return std::to_string(part) + " of " + std::to_string(whole) + " elements (" +
         percent_text(static_cast<double>(part) / static_cast<double>(whole)) + ")";
}

/// Where budgets prove nothing first, and what makes them so large there: at the zeros of a pair's
/// components, which feel the phase most.
std::string too_large_term(const TableTensor& tensor, std::span<const std::int64_t> positions) {
  const auto model = tensor.model();
  for (const auto position : positions) {
    for (int pair = 0; pair < model.pairs(); ++pair) {
      const auto budget = model.at(position, pair, 0, model.amplitude());
      if (model.inconclusive(budget)) {
        return fmt::format("; the first, of pair {} at position {}, may be off by {}, most of it from {}",
                           pair, tensor.table.positions.text(position), significant_text(budget.total(), 3),
                           budget.largest_term());
      }
    }
  }
  return "";
}

void conclude(Check& check, const TableTensor& tensor, std::span<const std::int64_t> positions) {
  const auto& counts = check.counts;
  if (counts.failing > 0) {
    check.status = Status::fail;
    check.reason = count_of(counts.failing, counts.elements) + " are beyond their budget";
  } else if (counts.inconclusive > 0) {
    check.status = Status::inconclusive;
    check.reason = fmt::format(
        "only {} could be judged, all within budget; the budgets of the others exceed a quarter of the "
        "amplitude and prove nothing{}",
        count_of(counts.judged, counts.elements), too_large_term(tensor, positions));
  } else {
    check.status = Status::pass;
    check.reason = fmt::format("all {} elements are within budget", counts.elements);
  }
}

Check judge_tensor(const TableTensor& tensor, const Case& subject, const AuditReport& report) {
  Check check{"accuracy/" + tensor.role()};
  check.required = fmt::format("every element within the budget of the contract {} ({}): {}",
                               tensor.contract->id, tensor.contract->meaning, tensor.contract->budget);
  check.counts = {report.statistics.count(), report.judged, report.failing, report.inconclusive};
  check.statistics = report.statistics;
  check.failing_extent = report.failing_extent;
  if (auto map = error_map(report); map.pairs > 0) {
    check.error_map = std::move(map);
  }
  if (report.worst) {
    check.worst = witness_of(tensor, *report.worst);
    check.greatest_budget_ratio = report.worst->budget_ratio;
  }
  if (report.first_failing) {
    check.first_failing = witness_of(tensor, *report.first_failing);
  }
  place_in_copy(check, subject.leading, tensor.rows());
  conclude(check, tensor, subject.positions);
  return check;
}

}  // namespace

void judge_accuracy(const AuditedCase& audited, std::vector<Check>& out) {
  for (std::size_t i = 0; i < audited.audits.size(); ++i) {
    out.push_back(
        judge_tensor(audited.subject.tensors.all<TableTensor>()[i], audited.subject, audited.audits[i]));
  }
}

}  // namespace vernier
