#include <array>

#include <fmt/core.h>

#include "numerics/views/vector_views.hpp"
#include "reference/support/threads.hpp"
#include "reports/verdict/checks/checks.hpp"
#include "reports/verdict/checks/elements.hpp"
#include "reports/words/value_text.hpp"

namespace vernier {
namespace {

constexpr int scale_digits = 7;

std::string_view required_of(const std::optional<ScaleRule>& rule) {
  // amax, ue8m0, mx
  static constexpr std::array<std::string_view, 3> required{
      "each scale is the greatest magnitude of its block over the largest number of the element type",
      "each scale is the least power of two that is no less than the greatest magnitude of its block over "
      "the "
      "largest number of the element type",
      "each scale is 2^(floor(log2 of the greatest magnitude of its block) - emax of the element type)"};
  return rule ? required[static_cast<std::size_t>(*rule)]
              : "each scale is a finite number, and not 0 beside values that are not";
}

Check check_of(const CaseView& viewed, const BlockScales& blocks) {
  const auto& part = viewed.view.parts().front();
  const auto scales = audit_block_scales(viewed.view, available_threads());
  Check check{"scales/" + part.role, Status::pass, "", std::string(required_of(blocks.rule()))};
  check.counts = {scales.elements, scales.judged, scales.failing, scales.inconclusive};
  const auto scale_count = counted(scales.elements, "scale", "scales");
  if (scales.judged == 0) {
    check.status = Status::inconclusive;
    check.reason = fmt::format("no block of {} has values that say what its scale is", scale_count);
    return check;
  }
  const auto& [kept, broken] = blocks.rule() ? std::pair("follow the rule", "do not follow the rule")
                                             : std::pair("are finite and not 0", "are 0 or not finite");
  check.reason = scales.failing == 0 ? fmt::format("{} {}{}", judged_text(check.counts, scale_count), kept,
                                                   left_out_text(check.counts))
                                     : fmt::format("{} of {} {}", scales.failing, scale_count, broken);
  if (scales.failing > 0) {
    check.status = Status::fail;
    const auto& first = *scales.first_failing;
    const auto per_row = part.columns / blocks.width();
    check.counterexample = viewed.rows.describe(first.index / per_row);
    check.counterexample.emplace_back("block", std::to_string(first.index % per_row));
    check.counterexample.emplace_back("expected",
                                      significant_text(first.truth.approximately(), scale_digits));
    check.counterexample.emplace_back("got", significant_text(first.got, scale_digits));
  }
  return check;
}

}  // namespace

void judge_block_scales(const AuditedCase& audited, std::string_view /*id*/, std::vector<Check>& out) {
  for (const auto& viewed : *audited.views) {
    if (const auto* blocks = viewed.view.parts().front().block_scales()) {
      out.push_back(check_of(viewed, *blocks));
    }
  }
}

}  // namespace vernier
