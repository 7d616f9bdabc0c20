#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "numerics/identification/frequency_window.hpp"
#include "reports/verdict/checks/checks.hpp"
#include "reports/verdict/checks/elements.hpp"
#include "reports/words/value_text.hpp"

namespace vernier {
namespace {

/// A place along the axis that a pair turns by, as the position that was given.
std::string given_position(const CaseView& viewed, const FrequencyContradiction& found, std::int64_t place) {
  const auto axis =
      std::ranges::find(viewed.view.layout().points, found.pair, &PointLayout::Place::pair)->axis;
  return viewed.rows.text(static_cast<std::size_t>(axis), place);
}

/// "position 131000 needs it off by 3.1e-07 of itself at least"
std::string window_bound_text(const CaseView& viewed, const FrequencyContradiction& found,
                              const FrequencyWindow::Bound& bound, std::string_view at) {
  return (bound.row ? "position " + given_position(viewed, found, bound.row->position) + " needs it off by "
                    : std::string("the contract allows ")) +
         significant_text(bound.value, shown_digits) + " of itself at " + std::string(at);
}

std::string contradiction_text(const CaseView& viewed, const FrequencyContradiction& found,
                               const OneFrequencyReport& report) {
  return "no one frequency explains the rows of pair " + std::to_string(found.pair) + ": " +
         window_bound_text(viewed, found, found.least, "least") + ", " +
         window_bound_text(viewed, found, found.greatest, "most") + "; " + std::to_string(report.failing) +
         " of " + std::to_string(report.judged) +
         " phases disagree with the frequency that most rows of their pair have";
}

void describe(Check& check, const CaseView& viewed, const FrequencyContradiction& found) {
  check.counterexample = described(row_place(viewed.rows.leading, viewed.rows.count(), found.odd_row.row));
  const Described rest{
      {"position", given_position(viewed, found, found.odd_row.position)},
      {"pair", std::to_string(found.pair)},
      {"phase is off by at least", significant_text(found.odd_row.deviation.least, shown_digits)},
      {"and at most", significant_text(found.odd_row.deviation.greatest, shown_digits)},
      {"of it, its own rounding",
       significant_text(std::fabs(found.odd_row.phase) * found.odd_row.row_error, shown_digits)},
      {"rows of this pair that disagree", std::to_string(found.odd_rows)}};
  check.counterexample.insert(check.counterexample.end(), rest.begin(), rest.end());
}

Check check_of(const CaseView& viewed, const OneFrequencyReport& report) {
  Check check{"frequency/" +
              (viewed.view.layout().is_of_tables ? std::string("tables") : roles_of(viewed.view))};
  check.required =
      "every pair keeps one frequency at all positions: its distance from the true one is equal in every "
      "row. Only phase rounding, trigonometry and storage may differ";
  check.counts = {report.elements, report.judged, report.failing, report.inconclusive};
  check.failing_extent = report.failing_extent;
  if (report.left_out > report.judged) {
    check.reason = "most phases are not near the declared ones, as other checks say";
  } else if (report.first) {
    check.status = Status::fail;
    check.reason = contradiction_text(viewed, *report.first, report);
    describe(check, viewed, *report.first);
  } else if (report.inconclusive > 0) {
    check.status = Status::inconclusive;
    check.reason = counted(report.inconclusive, "phase", "phases") +
                   " may be off by a quarter turn, and say nothing of their frequency";
  } else if (report.judged == 0) {
    check.reason = "no row shows a phase";
  } else {
    check.status = Status::pass;
    check.reason = fmt::format("each pair has one frequency, in all {} phases judged", report.judged);
  }
  return check;
}

bool is_accurate(const AuditedCase& audited, const CaseView& viewed) {
  return std::ranges::all_of(audited.tensors, [&](const AuditedTensor& tensor) {
    return tensor.view != &viewed || tensor.findings.elements.failing == 0;
  });
}

}  // namespace

void judge_frequency(const AuditedCase& audited, std::string_view /*id*/, std::vector<Check>& out) {
  for (const auto& viewed : *audited.views) {
    if (viewed.view.has_points() && !viewed.view.layout().frequencies.empty()) {
      out.push_back(
          check_of(viewed, audit_one_frequency(*deviation_rows(viewed.view), is_accurate(audited, viewed))));
    }
  }
}

}  // namespace vernier
