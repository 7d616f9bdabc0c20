#include <fmt/core.h>

#include "reports/verdict/checks/checks.hpp"
#include "reports/verdict/checks/elements.hpp"
#include "reports/words/value_text.hpp"

namespace vernier {
namespace {

/// Of rotated vectors: those that may overflow, as their inputs are large, need not be finite.
Check judge_rotated(const RotatedTensor& tensor, const RotatedReport& report) {
  const auto elements = report.elements.elements + report.passed_through;
  Check check{"finite/" + tensor.role(), Status::pass, "",
              "every element is finite, unless it may be beyond the greatest number of the format"};
  check.counts = {elements, elements - report.may_overflow, report.non_finite.count, report.may_overflow};
  check.reason = fmt::format("all {} elements are finite", elements - report.may_overflow);
  if (report.may_overflow > 0) {
    check.reason += ", not counting " + std::to_string(report.may_overflow) + " that may overflow";
  }
  if (const auto first = report.non_finite.first) {
    check.status = Status::fail;
    check.reason =
        fmt::format("{} of {} elements are infinite or not a number", report.non_finite.count, elements);
    check.counterexample = described(tensor, *first);
  }
  return check;
}

}  // namespace

void judge_finite(const AuditedCase& audited, std::vector<Check>& out) {
  for (std::size_t i = 0; i < audited.rotated.size(); ++i) {
    out.push_back(judge_rotated(audited.subject.tensors.all<RotatedTensor>()[i], audited.rotated[i]));
  }
  for (std::size_t i = 0; i < audited.audits.size(); ++i) {
    const auto& statistics = audited.audits[i].statistics;
    const auto bad = statistics.non_finite();
    Check check{"finite/" + audited.subject.tensors.all<TableTensor>()[i].role(), Status::pass, "",
                "every element is finite: encodings are bounded"};
    check.counts = {statistics.count(), statistics.count(), bad, 0};
    check.reason = fmt::format("all {} elements are finite", statistics.count());
    if (const auto place = statistics.first_non_finite()) {
      const auto position = audited.subject.encoding->positions().text(place->position);
      check.status = Status::fail;
      // Elements that are not finite are beyond every budget: where all of those are, these are.
      check.failing_extent = audited.audits[i].failing_extent;
      check.reason =
          fmt::format("{} of {} elements are infinite or not a number, the first at position {}, column {}",
                      bad, statistics.count(), position, place->column);
      const auto& leading = audited.subject.leading;
      check.counterexample = described(
          row_place(leading, audited.subject.positions.size(), static_cast<std::size_t>(place->row)));
      check.counterexample.emplace_back("position", position);
      check.counterexample.emplace_back("column", std::to_string(place->column));
    }
    out.push_back(std::move(check));
  }
}

}  // namespace vernier
