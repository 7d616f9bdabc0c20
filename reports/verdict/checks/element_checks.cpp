#include <algorithm>
#include <cmath>
#include <string>

#include <fmt/core.h>

#include "numerics/errors/metrics.hpp"
#include "numerics/errors/overflow.hpp"
#include "numerics/views/vector_views.hpp"
#include "reference/numbers/decimal.hpp"
#include "reports/verdict/checks/checks.hpp"
#include "reports/verdict/checks/elements.hpp"
#include "reports/words/value_text.hpp"

namespace vernier {
namespace {

/// The kind of the check of a tensor's elements: that with the longest id with which its own begins, as
/// "accuracy/input_gradient" of "accuracy/input_gradient_k"; else "accuracy/<role>".
std::string kind_of(const TensorPart& part) {
  const auto id = part.family + "/" + part.role;
  std::string_view longest;
  for (const auto& kind : check_kinds) {
    if (id.starts_with(kind.id) && kind.id.size() > longest.size()) {
      longest = kind.id;
    }
  }
  return longest.empty() ? part.family + "/<role>" : std::string(longest);
}

/// The truth in decimal, 20 significant digits of it where they can be proved.
std::string truth_text(const TrigTable& table, const ElementReport& element) {
  constexpr int most_places = 1000;
  const double magnitude = std::fabs(element.truth.approximately());
  const int leading_zeros =
      magnitude == 0 ? 0 : std::max(0, -static_cast<int>(std::floor(std::log10(magnitude))) - 1);
  const auto entry = table.entry(element.place.position, element.place.column);
  return correctly_rounded_decimal(entry, std::min(truth_digits + leading_zeros, most_places))
      .value_or(shortest_text(Format::binary64, element.truth.approximately()));
}

ElementWitness witness_of(const TensorPart& part, const ElementReport& element) {
  const auto format = part.format();
  const auto& table = *part.sines;
  const auto& place = element.place;
  const auto model = part.model();
  auto expected = correctly_rounded(format, table.entry(place.position, place.column));
  if (expected && !std::isfinite(*expected) && part.overflow == Overflow::saturate) {
    expected = rounded_with(part.overflow, format, element.truth.approximately());
  }
  auto result = placed_witness(part, place, expected, element.got);
  result.truth = truth_text(table, element);
  result.absolute = element.error;
  result.ulps = signed_ulp_error(format, element.got, element.truth);
  result.phase_roundings = phase_roundings(
      format, element.error, model.phase(place.position, result.meaning.pair), model.amplitude());
  result.budget = element.budget;
  result.budget_ratio = element.budget_ratio;
  return result;
}

/// Where budgets prove nothing first, and what makes them so large there: at the zeros of a pair's
/// components, which feel the phase most.
std::string too_large_term(const TensorPart& part, std::span<const std::int64_t> positions) {
  const auto model = part.model();
  for (const auto position : positions) {
    for (int pair = 0; pair < model.pairs(); ++pair) {
      const auto budget = model.at(position, pair, 0, model.amplitude());
      if (model.inconclusive(budget)) {
        return fmt::format("; the first, of pair {} at position {}, may be off by {}, most of it from {}",
                           pair, part.sines->positions.text(position),
                           significant_text(budget.total(), error_digits), budget.largest_term());
      }
    }
  }
  return "";
}

/// What the audit of a plain table knows beyond that of any tensor.
void append_audit(Check& check, const TensorPart& part, const Case& subject, const AuditReport& report) {
  check.statistics = report.statistics;
  if (report.worst) {
    check.worst = witness_of(part, *report.worst);
  }
  if (report.first_failing) {
    check.first_failing = witness_of(part, *report.first_failing);
  }
  place_in_copy(check, subject.leading, part.rows);
  if (check.status == Status::inconclusive) {
    check.reason += too_large_term(part, subject.positions);
  }
}

/// What is to be told of vectors that are within their budgets: that they are not computed as the contract
/// says.
std::string narrowness(const RowView& view, double budget_ratio) {
  const auto report = audit_one_rounding(view);
  const auto& part = view.parts().front();
  return report.failing == 0
             ? ""
             : fmt::format(
                   "{}: {} of {} elements looked at are off by more than {} and one rounding to {} make",
                   narrow_arithmetic_text(part.contract->id, budget_ratio), report.failing, report.elements,
                   traits(part.model().parameters().compute).name, traits(part.format()).name);
}

}  // namespace

void judge_elements(const AuditedCase& audited, std::string_view id, std::vector<Check>& out) {
  for (const auto& tensor : audited.tensors) {
    const auto& part = tensor.part();
    if (kind_of(part) != id) {
      continue;
    }
    auto check =
        element_check(part.family + "/" + part.role, id, tensor.view->view, tensor.index, tensor.findings);
    if (tensor.findings.audit) {
      append_audit(check, part, audited.subject, *tensor.findings.audit);
    }
    if (check.status == Status::pass) {
      check.note = narrowness(tensor.view->view, check.greatest_budget_ratio.value_or(0));
      check.reason += check.note.empty() ? "" : "; " + check.note;
    }
    out.push_back(std::move(check));
  }
}

}  // namespace vernier
