#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "reports/verdict/checks/checks.hpp"
#include "reports/verdict/checks/elements.hpp"
#include "reports/verdict/checks/properties.hpp"
#include "reports/words/value_text.hpp"

namespace vernier {
namespace {

constexpr int norm_digits = 4;

std::string element_text(const RowView& view, const PointLayout::PartColumn& place, double number) {
  const auto format = view.parts()[place.part].format();
  return shortest_text(format, number) + " = " + hex_text(number) + " = " + bits_text(format, number);
}

/// Of tables the cosine and the sine, of vectors the norms before and after.
Described described_worst(const CaseView& viewed, const NormFindings::Worst& worst) {
  const auto& layout = viewed.view.layout();
  const auto& place = layout.points[worst.point];
  const auto& point = worst.at;
  auto result = viewed.rows.describe(worst.row);
  if (layout.is_of_tables) {
    result.emplace_back("pair", std::to_string(place.pair));
    result.emplace_back("cosine", element_text(viewed.view, *place.real, point.z.real()));
    result.emplace_back("sine", element_text(viewed.view, *place.imaginary, point.z.imag()));
    result.emplace_back("cos^2 + sin^2 - A^2", significant_text(worst.excess, norm_digits));
    result.emplace_back("allowed", significant_text(worst.allowed, norm_digits));
    return result;
  }
  // |z| - A L is the difference of the squares over the sum of the norms.
  const double norm = point.radius * point.length;
  const double both = std::abs(point.z) + norm;
  const auto told = [&](double number) {
    return significant_text(std::ldexp(number, point.exponent), norm_digits);
  };
  result.emplace_back("pair", std::to_string(worst.point));
  result.emplace_back("dimensions", fmt::format("{} and {}", place.real->column, place.imaginary->column));
  result.emplace_back("expected norm", told(norm));
  result.emplace_back("norm - expected",
                      told(point.is_finite() ? worst.excess / both : std::abs(point.z) - norm));
  result.emplace_back(
      "allowed",
      told(point.is_finite() ? worst.allowed / both : std::hypot(point.real_error, point.imaginary_error)));
  return result;
}

/// Points that the format cannot judge are left out: what becomes of their elements is judged one by one.
void conclude_norms(Check& check, const CaseView& viewed, const NormFindings& norms) {
  check.counts = {norms.elements, norms.judged, norms.failing, norms.inconclusive};
  const auto pairs = counted(norms.elements, "pair", "pairs");
  if (!norms.worst) {
    if (norms.elements > 0) {
      check.reason = fmt::format("the format is too coarse or too narrow to judge any of {}", pairs);
    }
    return;
  }
  const auto& worst = *norms.worst;
  const auto& layout = viewed.view.layout();
  const auto usage = usage_text(worst.budget_ratio);
  check.greatest_budget_ratio = worst.budget_ratio;
  check.counterexample = described_worst(viewed, worst);
  if (norms.failing == 0) {
    check.status = Status::pass;
    check.reason = fmt::format("{} {}; the worst {}{}", judged_text(check.counts, pairs),
                               layout.is_of_tables ? "lie on the circle" : "keep their norm", usage,
                               left_out_text(check.counts));
    return;
  }
  check.status = Status::fail;
  check.reason =
      layout.is_of_tables
          ? fmt::format("{} of {} leave the circle; the worst, pair {} at position {}, {}", norms.failing,
                        pairs, layout.points[worst.point].pair, viewed.rows.position_text(worst.row), usage)
          : fmt::format("{} of {} change their norm; the worst {}", norms.failing, pairs, usage);
}

}  // namespace

void judge_rotated_norm(const AuditedCase& audited, std::string_view /*id*/, std::vector<Check>& out) {
  for (std::size_t i = 0; i < audited.views->size(); ++i) {
    const auto& viewed = (*audited.views)[i];
    if (!audited.norms[i] || viewed.view.layout().is_of_tables) {
      continue;
    }
    Check check{"norm/" + viewed.view.parts().front().role, Status::skipped, "",
                std::string("the norm of every pair is the amplitude") +
                    (viewed.view.layout().has_scale ? " and the scale" : "") +
                    " times that of the input for any phase, within the errors of the trigonometry and the "
                    "roundings"};
    conclude_norms(check, viewed, *audited.norms[i]);
    out.push_back(std::move(check));
  }
}

bool judge_constant_norm_of_tables(const AuditedCase& audited, std::vector<Check>& out) {
  const auto& property = *property_named("constant-norm");
  auto check = property_check(property, audited.subject.encoding->scheme());
  check.reason = "there are not both a cosine and a sine of any pair";
  const auto found = std::ranges::find_if(
      *audited.views, [](const CaseView& viewed) { return viewed.view.parts().front().sines != nullptr; });
  if (found == audited.views->end()) {
    return false;
  }
  if (const auto& norms = audited.norms[static_cast<std::size_t>(found - audited.views->begin())]) {
    conclude_norms(check, *found, *norms);
  }
  out.push_back(std::move(check));
  return true;
}

}  // namespace vernier
