#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "numerics/errors/metrics.hpp"
#include "numerics/identification/trigonometry_audit.hpp"
#include "reference/numbers/decimal.hpp"
#include "reference/numbers/sine_cosine.hpp"
#include "reports/verdict/checks/checks.hpp"
#include "reports/verdict/checks/elements.hpp"
#include "reports/words/value_text.hpp"

namespace vernier {
namespace {

/// The sine or cosine of the phase that the element was computed from, times the amplitude.
Real value_of(const TrigTable& table, const TrigonometryError& element, double amplitude) {
  const bool is_sine = table.columns[element.place.column].component == Component::sine;
  return [phase = element.phase, is_sine, amplitude, declared = table.amplitude] {
    const auto both = sine_cosine(enclose(phase));
    const auto factor = amplitude == approximately(declared) ? enclose(declared) : enclose(amplitude);
    return Interval(factor * (is_sine ? both.sine : both.cosine));
  };
}

ElementWitness witness_of(const TensorPart& part, const TrigonometryError& element, double amplitude) {
  const auto format = part.format();
  const auto value = value_of(*part.sines, element, amplitude);
  const auto truth = tight_enclosure(value);
  auto result = placed_witness(part, element.place, correctly_rounded(format, value), element.got);
  result.truth = correctly_rounded_decimal(value, truth_digits)
                     .value_or(shortest_text(Format::binary64, truth.approximately()));
  result.absolute = signed_error(element.got, truth);
  result.ulps = signed_ulp_error(format, element.got, truth);
  result.phase_roundings = phase_roundings(format, result.absolute, std::fabs(element.phase), amplitude);
  result.budget.trig = element.limit;
  result.budget_ratio = std::fabs(result.absolute) / element.limit;
  return result;
}

/// Which phases are known, and how.
std::string knowledge_text(const TrigonometryReport& report, const Attribution* attribution) {
  std::string text;
  if (report.exact_pairs > 0) {
    text =
        counted(static_cast<std::uint64_t>(report.exact_pairs), "pair with frequency 1, whose phase is exact",
                "pairs with frequency 1, whose phases are exact");
  }
  if (report.attributed_pairs > 0) {
    text += (text.empty() ? "" : " and ") +
            counted(static_cast<std::uint64_t>(report.attributed_pairs), "pair", "pairs") +
            " whose phases are found to be " + std::string(attribution->model->description);
  }
  return text;
}

/// How errors grow, where they are more than some damaged rows.
std::string growth_text(const TrigonometryReport& report) {
  const bool widespread = 10 * report.failing >= report.judged;
  return report.growth && widespread
             ? "; the greatest errors grow with the phase to the power " + significant_text(*report.growth, 2)
             : "";
}

void conclude(Check& check, const TrigonometryReport& report, const Attribution* attribution) {
  const auto over = "over " + knowledge_text(report, attribution);
  if (report.failing > 0) {
    check.status = Status::fail;
    check.reason = fmt::format(
        "{} of {} elements are off from the sine or cosine of their own phase by more than its own errors, "
        "{}{}",
        report.failing, report.judged, over, growth_text(report));
  } else {
    check.status = Status::pass;
    check.reason = fmt::format("all {} elements judged are the sine or cosine of their own phase, {}",
                               report.judged, over);
  }
}

/// Whether the pair with frequency 1 holds the phasor that is declared, over all its rows: if it does not,
/// its positions or its frequency are others than declared, and it says nothing of the trigonometry.
bool is_declared_phasor(const std::optional<FittedPhasor>& phasor, double amplitude, std::int64_t span) {
  constexpr double deviations = 4;
  return phasor && phasor->horizon >= span &&
         std::fabs(phasor->frequency - 1) <= deviations * phasor->uncertainty &&
         std::fabs(phasor->phase) <= deviations * phasor->phase_uncertainty + 0x1p-20 &&
         std::fabs(phasor->amplitude / amplitude - 1) <= 0x1p-7;
}

/// How the phases of every pair are known. Where the tensor is not what is declared, frequency 1 has to be
/// seen as well.
std::vector<PhaseKnowledge> knowledge_of(const TensorPart& part, const AuditReport& audit,
                                         const RowView& tables, std::span<const std::int64_t> positions,
                                         const Attribution* attribution) {
  auto knowledge = phase_knowledge(part, attribution);
  const auto [least, greatest] = std::ranges::minmax(positions);
  for (std::size_t i = 0; i < knowledge.size(); ++i) {
    if (knowledge[i] == PhaseKnowledge::exact && audit.failing > 0 &&
        !is_declared_phasor(fit_pair(tables, positions, static_cast<int>(i)), part.model().amplitude(),
                            greatest - least)) {
      const bool attributed = attribution != nullptr && attribution->explains(static_cast<int>(i));
      knowledge[i] = attributed ? PhaseKnowledge::attributed : PhaseKnowledge::unknown;
    }
  }
  return knowledge;
}

Check judge_tensor(const TensorPart& part, const AuditReport& audit, const RowView& tables,
                   std::span<const std::int64_t> positions, const Attribution* attribution) {
  Check check{"trigonometry/" + part.role};
  const auto model = part.model();
  if (!model.judges_computation()) {
    check.reason = fmt::format(
        "the contract {} allows the phase no error, and accuracy/{} already judges the trigonometry",
        part.contract->id, part.role);
    return check;
  }
  const double largest = traits(part.format()).largest();
  if (part.overflow != Overflow::undeclared && model.amplitude() > largest) {
    check.reason = fmt::format("numbers beyond {} are not stored as sines: accuracy/{} judges each element",
                               largest, part.role);
    return check;
  }
  check.required =
      "if the phase of an element is known, the element is its sine or cosine, within 4u of the compute "
      "format (2 ulp at 1) and the storage rounding. An error of the phase gives no allowance here";
  const auto knowledge = knowledge_of(part, audit, tables, positions, attribution);
  const auto report = audit_trigonometry(part, positions, knowledge, attribution);
  if (report.judged == 0) {
    check.reason =
        "not attributable: no pair has a phase that is known exactly, and no float32 frequencies that were "
        "tried explain the table";
    return check;
  }
  check.counts = {report.elements, report.judged, report.failing, 0};
  const double amplitude = attribution != nullptr ? attribution->amplitude : model.amplitude();
  check.worst = witness_of(part, *report.worst, amplitude);
  check.greatest_budget_ratio = check.worst->budget_ratio;
  check.failing_extent = report.failing_extent;
  if (report.first_failing) {
    check.first_failing = witness_of(part, *report.first_failing, amplitude);
  }
  conclude(check, report, attribution);
  return check;
}

bool computes_in_float32(const TensorPart& part) {
  return part.model().parameters().compute == Format::binary32 && part.model().judges_computation();
}

void judge_tables(const AuditedCase& audited, const CaseView& viewed, std::vector<Check>& out) {
  const auto& positions = audited.subject.positions;
  const auto tables = viewed.view.parts();
  std::optional<Attribution> attribution;
  if (std::ranges::all_of(tables, computes_in_float32) && turns_by_given(*audited.subject.encoding)) {
    attribution = attribute_phases(viewed.view, positions);
  }
  std::vector<ErrorSplit> splits;
  if (audited.splits_errors && attribution && attribution->certified()) {
    splits = split_errors(tables, positions, *attribution);
  }
  const auto audits = audited.audits(viewed);
  for (std::size_t i = 0; i < tables.size(); ++i) {
    auto check =
        judge_tensor(tables[i], *audits[i], viewed.view, positions, attribution ? &*attribution : nullptr);
    if (!splits.empty() && check.counts.judged > 0) {
      check.split = std::move(splits[i]);
    }
    place_in_copy(check, audited.subject.leading, tables[i].rows);
    out.push_back(std::move(check));
  }
}

}  // namespace

void judge_trigonometry(const AuditedCase& audited, std::string_view /*id*/, std::vector<Check>& out) {
  for (const auto& viewed : *audited.views) {
    if (viewed.view.parts().front().sines != nullptr) {
      judge_tables(audited, viewed, out);
    }
  }
}

}  // namespace vernier
