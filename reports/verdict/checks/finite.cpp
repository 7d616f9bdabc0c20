#include <fmt/core.h>

#include "reports/verdict/checks/checks.hpp"

namespace vernier {
namespace {

/// What multiplies an input may overflow with it; sines and cosines are bounded.
Check check_of(const AuditedTensor& tensor, bool has_input) {
  const auto& part = tensor.part();
  const auto& [elements, copies, changed, non_finite, may_overflow, extent, audit] = tensor.findings;
  const auto count = elements.elements + copies;
  Check check{"finite/" + part.role, Status::pass, "",
              has_input ? "every element is finite, unless it may be beyond the greatest number of the format"
                        : "every element is finite: encodings are bounded"};
  check.counts = {count, count - may_overflow, non_finite.count, may_overflow};
  check.reason = fmt::format("all {} elements are finite", count - may_overflow);
  if (may_overflow > 0) {
    check.reason += fmt::format(", not counting {} that may overflow", may_overflow);
  }
  if (const auto first = non_finite.first) {
    const auto row = *first / part.columns;
    const auto column = *first % part.columns;
    check.status = Status::fail;
    check.reason = fmt::format("{} of {} elements are infinite or not a number", non_finite.count, count);
    check.counterexample = part.describe(row, column);
    if (!has_input) {
      // Elements that are not finite are beyond every budget: where all of those are, these are.
      check.failing_extent = extent;
      check.reason +=
          fmt::format(", the first at position {}, column {}", tensor.view->rows.position_text(row), column);
    }
  }
  return check;
}

}  // namespace

void judge_finite(const AuditedCase& audited, std::string_view /*id*/, std::vector<Check>& out) {
  for (const bool has_input : {true, false}) {
    for (const auto& tensor : audited.tensors) {
      if (has_input ? tensor.part().input != nullptr : tensor.findings.audit != nullptr) {
        out.push_back(check_of(tensor, has_input));
      }
    }
  }
}

}  // namespace vernier
