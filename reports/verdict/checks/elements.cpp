#include "reports/verdict/checks/elements.hpp"

#include <cmath>

#include <fmt/core.h>

#include "numerics/errors/metrics.hpp"
#include "numerics/tensors/leading_dimensions.hpp"
#include "reference/tables/mixed_axes.hpp"
#include "reports/words/value_text.hpp"

namespace vernier {
namespace {

/// Appends what was expected of an element and got, how far off that is, and what it was allowed.
void tell(const JudgedElement& element, Format format, Described& text) {
  const auto expected = rounded(format, element.truth);
  // What fails by less than the type can show is told by the truth.
  const bool shows_truth = !expected || (element.budget_ratio > 1 && *expected == element.got);
  text.emplace_back("expected", !shows_truth
                                    ? exact_text(format, *expected)
                                    : shortest_text(Format::binary64, element.truth.approximately()));
  text.emplace_back("got", exact_text(format, element.got));
  text.emplace_back("absolute error", significant_text(element.error, error_digits));
  text.emplace_back("error in ulp",
                    significant_text(signed_ulp_error(format, element.got, element.truth), error_digits));
  if (expected && !std::isnan(element.got)) {
    text.emplace_back("steps", std::to_string(ordinal_distance(format, element.got, *expected)));
  }
  text.emplace_back("budget", significant_text(element.budget, error_digits));
}

/// What makes the budget of the first inconclusive element so large.
std::string too_large_term(const ElementwiseReport& report) {
  const auto& first = report.first_inconclusive;
  return !first || first->term.empty()
             ? ""
             : fmt::format("; the first, element {}, may be off by {} of {}, most of it from {}",
                           first->index, significant_text(first->budget, error_digits),
                           significant_text(first->size, error_digits), first->term);
}

/// Sets a check's status and reason from the elements judged.
void conclude_elements(Check& check, const ElementwiseReport& report) {
  const auto elements = std::to_string(report.elements);
  const auto worst = report.worst ? "; the worst " + usage_text(report.worst->budget_ratio) : "";
  check.counts = {report.elements, report.judged, report.failing, report.inconclusive};
  if (report.failing > 0) {
    check.status = Status::fail;
    check.reason =
        fmt::format("{} of {} elements ({}) are beyond their budget or not finite", report.failing, elements,
                    percent_text(static_cast<double>(report.failing) / static_cast<double>(report.elements)));
  } else if (report.inconclusive > 0) {
    check.status = Status::inconclusive;
    check.reason = fmt::format(
        "the budgets of {} of {} elements exceed a quarter of what they bound, or are about numbers that may "
        "overflow, and prove nothing{}",
        report.inconclusive, elements, too_large_term(report));
  } else {
    check.status = Status::pass;
    check.reason = fmt::format("all {} elements are within budget{}", elements, worst);
  }
}

}  // namespace

RowPlace row_place(const Shape& leading, std::size_t rows, std::size_t row) {
  if (leading.empty()) {
    return {{}, row};
  }
  std::size_t copies = 1;
  for (const auto size : leading) {
    copies *= size;
  }
  const auto rows_of_copy = rows / copies;
  return {leading_index(leading, row / rows_of_copy), row % rows_of_copy};
}

void place_in_copy(Check& check, const Shape& leading, std::size_t rows) {
  for (auto* evidence : {&check.first_failing, &check.worst}) {
    if (*evidence) {
      const auto place = row_place(leading, rows, (*evidence)->row);
      (*evidence)->row = place.row;
      (*evidence)->leading_index = place.leading_index;
    }
  }
}

std::string to_string(const RowPlace& place) {
  return std::to_string(place.row) + (place.leading_index.empty()
                                          ? std::string()
                                          : std::string(" of ") + to_string(Shape(place.leading_index)));
}

Described described(const RowPlace& place) {
  Described result;
  if (!place.leading_index.empty()) {
    result.emplace_back("leading index", to_string(Shape(place.leading_index)));
  }
  result.emplace_back("row", std::to_string(place.row));
  return result;
}

std::string positions_text(const HeadRotation& rotation, std::span<const std::vector<std::int64_t>> by_axis,
                           std::size_t row) {
  std::string text;
  for (std::size_t axis = 0; axis < by_axis.size(); ++axis) {
    text += (axis == 0 ? "" : ", ") + rotation.map(axis).text(by_axis[axis][row]);
  }
  return text;
}

Described::value_type turning_axis(int axis) {
  return {"turns by", axis == all_axes ? "its positions along all axes"
                                       : fmt::format("the position along axis {}", axis)};
}

bool turns_by_given(const PositionMap& places) {
  return places.scale().is_one() && places.offset().factor == 0;
}

std::optional<std::string> real_position(const PositionMap& places, std::int64_t place) {
  return places.is_plain() ? std::nullopt : std::optional(places.text(place));
}

std::string judged_text(const Counts& counts, const std::string& all) {
  return counts.inconclusive == 0 ? "all " + all : fmt::format("{} of {}", counts.judged, all);
}

std::string left_out_text(const Counts& counts) {
  return counts.inconclusive == 0
             ? ""
             : fmt::format("; the format is too coarse or too narrow to judge the other {}",
                           counts.inconclusive);
}

Check elementwise_check(std::string id, const Contract& contract, Format stored,
                        const ElementwiseReport& report,
                        const std::function<Described(std::size_t index)>& place) {
  Check check{std::move(id)};
  check.required = fmt::format("every element within the budget of the contract {} ({}): {}", contract.id,
                               contract.meaning, contract.budget);
  if (report.map.pairs > 0) {
    check.error_map = report.map;
  }
  if (report.worst) {
    check.greatest_budget_ratio = report.worst->budget_ratio;
  }
  if (const auto& shown = report.failing > 0 ? report.first_failing : report.worst) {
    auto text = place(shown->index);
    tell(*shown, stored, text);
    check.counterexample = std::move(text);
  }
  conclude_elements(check, report);
  return check;
}

}  // namespace vernier
