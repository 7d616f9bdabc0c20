#include "reports/outputs/told.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

#include <fmt/core.h>

#include "reference/support/mapped.hpp"
#include "reference/support/word_list.hpp"
#include "reports/outputs/output.hpp"
#include "reports/verdict/diagnosis_text.hpp"
#include "reports/words/value_text.hpp"

namespace vernier {
namespace {

constexpr double in_percent = 100;

/// Rounded down, so that not all is never told as all.
std::string asked_share_text(double share) {
  const auto least = std::floor(share * in_percent * 100) / 100;
  return least == 0 && share > 0 ? "below 0.01 %" : significant_text(least, shown_digits) + " %";
}

std::string sentence(const Coverage& coverage, const std::optional<std::uint64_t>& seed) {
  const auto& [asked, of, largest_gap] = coverage.positions;
  if (asked == of) {
    return fmt::format("{}: all {} positions were asked for.", coverage.roles, of);
  }
  return fmt::format("{}: {} of {} positions were asked for ({}; largest gap {}{}).", coverage.roles, asked,
                     of, asked_share_text(static_cast<double>(asked) / static_cast<double>(of)), largest_gap,
                     // One run that is left out was not drawn.
                     seed && largest_gap < of - asked ? "; seed " + std::to_string(*seed) : std::string());
}

template <class... Texts>
void show(Texts&... texts) {
  ((texts = one_line(texts)), ...);
}

void show(Check& check) {
  show(check.id, check.reason, check.note, check.required);
  for (auto& [name, value] : check.counterexample) {
    show(name, value);
  }
  for (auto* evidence : {&check.first_failing, &check.worst}) {
    if (*evidence) {
      show((*evidence)->role, (*evidence)->truth);
    }
  }
  if (check.waiver) {
    show(check.waiver->reason, check.waiver->issue, check.waiver->failure);
  }
}

/// Its keys are Vernier's own; its texts may be a model's.
void show(OrderedJson& json) {
  if (json.is_string()) {
    json = one_line(json.get<std::string>());
  } else if (json.is_structured()) {
    for (auto& element : json) {
      show(element);
    }
  }
}

void show(std::vector<Explanation>& explanations) {
  for (auto& explanation : explanations) {
    show(explanation.consequence);
    for (auto& finding : explanation.findings) {
      show(finding.sentence);
      show(finding.edit);
    }
  }
}

std::vector<std::pair<std::string, std::string>> measurements(const Check& check) {
  std::vector<std::pair<std::string, std::string>> result;
  const auto add_count = [&](const char* name, auto count) {
    result.emplace_back(name, std::to_string(count));
  };
  const auto add = [&](const char* name, double value) {
    result.emplace_back(name, shortest_text(Format::binary64, value));
  };
  if (check.counts.elements > 0) {
    add_count("elements", check.counts.elements);
    add_count("judged", check.counts.judged);
    add_count("failing", check.counts.failing);
    add_count("inconclusive", check.counts.inconclusive);
  }
  if (check.greatest_budget_ratio) {
    add("greatest share of the budget used", *check.greatest_budget_ratio);
  }
  if (check.worst) {
    add_count("worst position", check.worst->position);
    add_count("worst column", check.worst->column);
  }
  if (check.statistics) {
    add("greatest error in ulp", check.statistics->ulps().greatest());
    add("greatest absolute error", check.statistics->absolute().greatest());
    add("greatest phase roundings", check.statistics->phase_roundings().greatest());
    add("root mean square absolute error", check.statistics->absolute().rms());
  }
  return result;
}

}  // namespace

std::span<const Output> outputs() {
  static const auto all = make_all(output_makers);
  return all;
}

std::string text_for_file(const Output& output, const Verdict& verdict, std::string_view file, bool in_full) {
  if (output.render_as_json != nullptr && file.ends_with(".json")) {
    return output.render_as_json(verdict);
  }
  return in_full && output.render_in_full != nullptr ? output.render_in_full(verdict)
                                                     : output.render(verdict);
}

std::vector<ToldDiagnosis> told_diagnoses(const Verdict& verdict) {
  return mapped(verdict.diagnosis, [&](const Diagnosis& diagnosis) -> ToldDiagnosis {
    const bool differs = std::ranges::any_of(diagnosis.frequencies, &RecoveredFrequency::differs);
    return {diagnosis.roles,
            sentence_of(diagnosis),
            diagnosis.is_explained()
                ? mapped(diagnosis.explanations.front().findings,
                         [](const Finding& finding) { return std::string(finding.kind->id); })
                : std::vector<std::string>(),
            evidence_text(verdict, diagnosis),
            equal_explanations(diagnosis),
            effect_text(verdict, diagnosis),
            advice_text(verdict, diagnosis),
            similar_bugs(diagnosis),
            differs ? differing_first(diagnosis.frequencies) : std::vector<RecoveredFrequency>()};
  });
}

std::vector<ToldCheck> told_checks(const Verdict& verdict) {
  auto result = mapped(verdict.checks, [&](const auto& check) -> ToldCheck {
    return {check.id,
            check.status,
            std::string(to_string(check.status)),
            with_finding(verdict, check, ""),
            check.reason,
            check.status == Status::fail ? explanation(check) : "",
            measurements(check),
            check.waiver};
  });
  for (const auto& [check, issue, problem] : verdict.stale_waivers) {
    result.push_back({.id = std::string("waivers/") + check,
                      .kind = "stale waiver",
                      .message = fmt::format("{}: {}", issue, problem)});
  }
  return result;
}

std::vector<std::string> stale_waiver_lines(const Verdict& verdict) {
  return mapped(verdict.stale_waivers, [](const StaleWaiver& waiver) {
    return fmt::format("STALE waivers/{} ({}): {}", waiver.check, waiver.issue, waiver.problem);
  });
}

std::vector<std::string> asking_sentences(const Verdict& verdict) {
  auto sentences = mapped(verdict.asking.coverage,
                          [&](const Coverage& coverage) { return sentence(coverage, verdict.seed); });
  sentences.insert(sentences.end(), verdict.asking.notes.begin(), verdict.asking.notes.end());
  return sentences;
}

std::string caution(const Verdict& verdict) {
  const auto share = verdict.asking.least_share();
  return verdict.asking.quick && share < 1
             ? fmt::format("QUICK LOOK at {} of the positions, not the full question",
                           asked_share_text(share))
             : "";
}

Verdict visible(Verdict verdict) {
  show(verdict.name, verdict.producer, verdict.encoding, verdict.source, verdict.reproduce);
  show(verdict.spec);
  for (auto& use : verdict.contracts) {
    show(use.role, use.stored, use.id, use.meaning, use.budget);
  }
  for (auto& check : verdict.checks) {
    show(check);
  }
  for (auto& waiver : verdict.stale_waivers) {
    show(waiver.check, waiver.issue, waiver.problem);
  }
  for (auto& coverage : verdict.asking.coverage) {
    show(coverage.roles);
  }
  for (auto& note : verdict.asking.notes) {
    show(note);
  }
  for (auto& diagnosis : verdict.diagnosis) {
    show(diagnosis.roles, diagnosis.rest);
    show(diagnosis.explanations);
    show(diagnosis.partial);
  }
  return verdict;
}

std::string reproduce_line(const Verdict& verdict) {
  return exit_code(verdict) == 0 || verdict.reproduce.empty() ? "" : "reproduce: " + verdict.reproduce;
}

std::string rows_text(const Verdict& verdict) {
  return verdict.rows == 0 ? std::string()
                           : fmt::format("; {}, positions {} to {}", counted(verdict.rows, "row", "rows"),
                                         verdict.places.text(verdict.least_position),
                                         verdict.places.text(verdict.greatest_position));
}

std::string contracts_text(const Verdict& verdict) {
  return joined(verdict.contracts, [](const ContractUse& use) {
    return fmt::format("{} ({}) by {}", use.role, use.stored, use.id);
  });
}

bool worst_is_first(const Check& check) {
  const auto place = [](const ElementWitness& e) { return std::tie(e.row, e.column, e.leading_index); };
  return check.first_failing && check.worst && place(*check.first_failing) == place(*check.worst);
}

}  // namespace vernier
