#include <algorithm>
#include <span>

#include <fmt/core.h>

#include "numerics/identification/attribution.hpp"
#include "reports/verdict/checks/checks.hpp"
#include "reports/verdict/checks/elements.hpp"
#include "reports/words/value_text.hpp"

namespace vernier {
namespace {

/// A phase that is none of those its pair is computed from.
struct Unexplained {
  PairSighting seen;
  double beyond;  ///< what its row leaves open, radians
};

struct Findings {
  Counts counts;
  std::optional<Unexplained> first;
  std::optional<FailingExtent> extent;
};

Findings findings_of(const DeviationRows& rows, const Attribution& attribution,
                     std::span<const DoubleDouble> declared) {
  Findings found;
  for (std::size_t row = 0; row < rows.rows(); ++row) {
    rows.visit(row, [&](const PairSighting& seen) {
      ++found.counts.elements;
      if (!attribution.explains(seen.pair)) {
        return;
      }
      ++found.counts.judged;
      if (const auto beyond =
              unexplained_by(attribution, seen, declared[static_cast<std::size_t>(seen.pair)])) {
        ++found.counts.failing;
        found.first = found.first ? found.first : Unexplained{seen, *beyond};
        include(found.extent, FailingExtent::of({seen.position, static_cast<std::size_t>(seen.pair),
                                                 static_cast<std::int64_t>(seen.row)},
                                                seen.pair));
      }
    });
  }
  return found;
}

void conclude(Check& check, const Findings& found, const Attribution& attribution, const CaseView& viewed) {
  check.counts = found.counts;
  check.failing_extent = found.extent;
  const auto phases_found = std::string(attribution.model->description);
  if (!found.first) {
    check.status = Status::pass;
    check.reason = fmt::format("all {} phases judged are {}", found.counts.judged, phases_found);
    return;
  }
  const auto& [seen, beyond] = *found.first;
  const auto axis =
      std::ranges::find(viewed.view.layout().points, seen.pair, &PointLayout::Place::pair)->axis;
  check.status = Status::fail;
  check.reason = fmt::format(
      "{} of {} phases are not, as the others are, {}; the first is off by {} radians more than its own "
      "errors, pair {} at position {}",
      found.counts.failing, found.counts.judged, phases_found, significant_text(beyond, shown_digits),
      seen.pair, viewed.rows.text_along(axis, seen.row));
  check.counterexample = viewed.rows.describe(seen.row);
  check.counterexample.emplace_back("pair", std::to_string(seen.pair));
  check.counterexample.emplace_back("radians beyond its own errors", significant_text(beyond, shown_digits));
}

}  // namespace

void judge_rotated_phases(const AuditedCase& audited, std::string_view /*id*/, std::vector<Check>& out) {
  for (const auto& viewed : *audited.views) {
    const auto& part = viewed.view.parts().front();
    const auto rows = part.input == nullptr ? nullptr : deviation_rows(viewed.view);
    if (!rows || part.model().parameters().compute != Format::binary32) {
      continue;
    }
    Check check{
        "trigonometry/" + part.role, Status::skipped,
        "not attributable: no way of computing float32 phases that was tried explains the vectors alone",
        "every pair is turned by the phase that it was computed from, if that phase is known, within the "
        "errors of sine, cosine and storage. The rounding of the phase itself gives no allowance here"};
    Attribution attribution;
    if (turns_by_given(*audited.subject.encoding)) {
      attribution = attribute_phases(*rows, audited.subject.encoding->rotation()->table.frequencies);
    }
    if (attribution.certified()) {
      conclude(check, findings_of(*rows, attribution, viewed.view.layout().frequencies), attribution, viewed);
    }
    out.push_back(std::move(check));
  }
}

}  // namespace vernier
