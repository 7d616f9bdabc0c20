#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "numerics/identification/frequency_window.hpp"
#include "numerics/identification/settled_pairs.hpp"
#include "reports/verdict/checks/checks.hpp"
#include "reports/verdict/checks/elements.hpp"
#include "reports/words/value_text.hpp"

namespace vernier {
namespace {

/// "position 131000 needs it off by 3.1e-07 of itself at least"
std::string window_bound_text(const PositionMap& places, const FrequencyWindow::Bound& bound,
                              std::string_view at) {
  return (bound.row ? "position " + places.text(bound.row->position) + " needs it off by "
                    : std::string("the contract allows ")) +
         significant_text(bound.value, shown_digits) + " of itself at " + std::string(at);
}

std::string contradiction_text(const PositionMap& places, const FrequencyContradiction& found,
                               const OneFrequencyReport& report) {
  return "no one frequency explains the rows of pair " + std::to_string(found.pair) + ": " +
         window_bound_text(places, found.least, "least") + ", " +
         window_bound_text(places, found.greatest, "most") + "; " + std::to_string(report.failing) + " of " +
         std::to_string(report.judged) +
         " phases disagree with the frequency that most rows of their pair have";
}

void describe(Check& check, const PositionMap& places, const FrequencyContradiction& found,
              const Shape& leading, std::size_t rows) {
  check.counterexample = described(row_place(leading, rows, found.odd_row.row));
  const Described rest{
      {"position", places.text(found.odd_row.position)},
      {"pair", std::to_string(found.pair)},
      {"phase is off by at least", significant_text(found.odd_row.deviation.least, shown_digits)},
      {"and at most", significant_text(found.odd_row.deviation.greatest, shown_digits)},
      {"of it, its own rounding",
       significant_text(std::fabs(found.odd_row.phase) * found.odd_row.row_error, shown_digits)},
      {"rows of this pair that disagree", std::to_string(found.odd_rows)}};
  check.counterexample.insert(check.counterexample.end(), rest.begin(), rest.end());
}

Check check_of(std::string id, const PositionMap& places, const OneFrequencyReport& report,
               const Shape& leading, std::size_t rows) {
  Check check{std::move(id)};
  check.required =
      "every pair keeps one frequency at all positions: its distance from the true one is equal in every "
      "row. Only phase rounding, trigonometry and storage may differ";
  check.counts = {report.elements, report.judged, report.failing, report.inconclusive};
  check.failing_extent = report.failing_extent;
  if (report.left_out > report.judged) {
    check.reason = "most phases are not near the declared ones, as other checks say";
  } else if (report.first) {
    check.status = Status::fail;
    check.reason = contradiction_text(places, *report.first, report);
    describe(check, places, *report.first, leading, rows);
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

/// What the audit of plain tables has settled is not looked at again.
OneFrequencyReport report_of(const AuditedCase& audited, const CaseView& viewed) {
  bool is_accurate = true;
  for (const auto& tensor : audited.tensors) {
    is_accurate = is_accurate && (tensor.view != &viewed || tensor.findings.elements.failing == 0);
  }
  SettledPairs settled;
  if (!viewed.tables.empty()) {
    settled = settled_pairs(audited.subject.tensors.all<TableTensor>(), audited.subject.positions,
                            audited.audits());
  }
  OneFrequencyReport report;
  if (viewed.tables.empty() || !settled.of_all()) {
    report = audit_one_frequency(*deviation_rows(viewed.view, settled.pairs), is_accurate);
  }
  report.elements += settled.couples;
  report.judged += settled.couples;
  return report;
}

/// The positions that a pair turns by.
const PositionMap& map_of(const AuditedCase& audited, const CaseView& viewed, int pair) {
  const auto& points = viewed.view.layout().points;
  const auto found = std::ranges::find(points, pair, &PointLayout::Place::pair);
  return viewed.vectors != nullptr ? viewed.vectors->rotation.map_of(pair)
                                   : audited.subject.encoding->positions_along(
                                         static_cast<std::size_t>(found == points.end() ? 0 : found->axis));
}

}  // namespace

void judge_frequency(const AuditedCase& audited, std::string_view /*id*/, std::vector<Check>& out) {
  for (const auto& viewed : *audited.views) {
    if (viewed.view.has_points() && !viewed.view.layout().frequencies.empty()) {
      const auto report = report_of(audited, viewed);
      out.push_back(
          check_of(viewed.vectors == nullptr ? "frequency/tables" : "frequency/" + roles_of(viewed.view),
                   map_of(audited, viewed, report.first ? report.first->pair : 0), report,
                   viewed.rows.leading, viewed.rows.count()));
    }
  }
}

}  // namespace vernier
