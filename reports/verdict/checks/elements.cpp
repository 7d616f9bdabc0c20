#include "reports/verdict/checks/elements.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <ranges>

#include <fmt/core.h>

#include "numerics/elements/placed_elements.hpp"
#include "numerics/errors/metrics.hpp"
#include "reports/verdict/checks/check_meaning.hpp"
#include "reports/words/value_text.hpp"

namespace vernier {
namespace {

/// Appends what was expected of an element and got, how far off that is, and what it was allowed.
void append_error(const JudgedElement& element, Format format, Described& text) {
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

/// The same of an index, which has no error.
void append_index(const RowView& view, std::size_t part, const JudgedElement& element, Described& text) {
  RowView at_element(view);
  const auto columns = view.parts()[part].columns;
  at_element.go_to(element.index / columns);
  const auto allowed = at_element.allowed(part, element.index % columns);
  const auto index_text = [](double index) { return std::to_string(static_cast<std::int64_t>(index)); };
  text.emplace_back("expected",
                    index_text(allowed.truth->approximately()) +
                        (allowed.instead ? ", on the edge to " + index_text(*allowed.instead) : ""));
  text.emplace_back("got", index_text(element.got));
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

/// Sets a check's requirement, status and reason from the elements judged.
void conclude_elements(Check& check, std::string_view kind, const Contract& contract,
                       const ElementwiseReport& report) {
  check.counts = {report.elements, report.judged, report.failing, report.inconclusive};
  check.status = status_of(report.failing, report.inconclusive);
  const SentenceValues values{
      {"contract", std::string(contract.id)},
      {"meaning", std::string(contract.meaning)},
      {"budget", std::string(contract.budget)},
      {"across",
       contract.of_buckets == BucketTolerance::across_edge
           ? ", or across an edge on which it lies exactly, because a rounded logarithm may fall on "
             "either side"
           : ""},
      {"elements", std::to_string(report.elements)},
      {"failing", std::to_string(report.failing)},
      {"share", share_text(report.failing, report.elements)},
      {"judged", std::to_string(report.judged)},
      {"judged_share", share_text(report.judged, report.elements)},
      {"inconclusive", std::to_string(report.inconclusive)},
      {"worst", report.worst ? "; the worst " + usage_text(report.worst->budget_ratio) : ""},
      {"instead",
       report.instead > 0 ? fmt::format(", {} of them across an edge they lie on", report.instead) : ""},
      {"first", too_large_term(report)}};
  check.required = check_sentence(kind, "required", values);
  check.reason = check_sentence(kind, to_string(check.status), values);
}

}  // namespace

void place_in_copy(Check& check, const Shape& leading, std::size_t rows) {
  for (auto* evidence : {&check.first_failing, &check.worst}) {
    if (*evidence) {
      const auto place = row_place(leading, rows, (*evidence)->row);
      (*evidence)->row = place.row;
      (*evidence)->leading_index = place.leading_index;
    }
  }
}

ElementWitness placed_witness(const TensorPart& part, const Place& place, std::optional<double> expected,
                              double got) {
  ElementWitness result{.role = part.role,
                        .row = static_cast<std::size_t>(place.row),
                        .position = place.position,
                        .column = place.column,
                        .meaning = part.sines->columns[place.column],
                        .format = part.format(),
                        .got = got,
                        .expected = expected};
  if (expected && !std::isnan(got)) {
    result.steps = ordinal_distance(result.format, got, *expected);
  }
  if (const auto& places = part.sines->positions; !places.is_plain()) {
    result.real_position = places.text(place.position);
  }
  return result;
}

bool turns_by_given(const Encoding& encoding) {
  return std::ranges::all_of(std::views::iota(std::size_t{0}, axis_count(encoding)), [&](std::size_t axis) {
    const auto& places = encoding.positions_along(axis);
    return places.scale().is_one() && places.offset().factor == 0;
  });
}

std::string judged_text(const Counts& counts, const std::string& judged_things) {
  return counts.inconclusive == 0 ? "all " + judged_things
                                  : fmt::format("{} of {}", counts.judged, judged_things);
}

std::string left_out_text(const Counts& counts) {
  return counts.inconclusive == 0
             ? ""
             : fmt::format("; the format is too coarse or too narrow to judge the other {}",
                           counts.inconclusive);
}

Check element_check(std::string id, std::string_view kind, const RowView& view, std::size_t part,
                    const TensorFindings& findings) {
  const auto& tensor = view.parts()[part];
  const auto& report = findings.elements;
  Check check{std::move(id)};
  conclude_elements(check, kind, *tensor.contract, report);
  check.failing_extent = findings.failing_extent;
  const auto& shown = report.failing > 0 ? report.first_failing : report.worst;
  const auto described = [&] {
    return tensor.describe(shown->index / tensor.columns, shown->index % tensor.columns);
  };
  if (tensor.holds_indices) {
    if (report.failing > 0) {
      check.counterexample = described();
      append_index(view, part, *shown, check.counterexample);
    }
    return check;
  }
  if (report.map.pairs > 0) {
    check.error_map = report.map;
  }
  if (report.worst) {
    check.greatest_budget_ratio = report.worst->budget_ratio;
  }
  if (shown && !findings.audit) {
    check.counterexample = described();
    append_error(*shown, tensor.format(), check.counterexample);
  }
  return check;
}

}  // namespace vernier
