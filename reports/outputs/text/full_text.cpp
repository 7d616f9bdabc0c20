#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "numerics/contracts/contract.hpp"
#include "reference/support/word_list.hpp"
#include "reports/outputs/output.hpp"
#include "reports/outputs/text/judged_text.hpp"
#include "reports/outputs/told.hpp"
#include "reports/verdict/checks/elements.hpp"
#include "reports/verdict/diagnosis_text.hpp"
#include "reports/words/value_text.hpp"

namespace vernier {
namespace {

std::string place_text(const ElementWitness& e) {
  std::string text = fmt::format("position {}, row {}, column {}", e.position_text(),
                                 to_string(RowPlace{e.leading_index, e.row}), e.column);
  if (e.meaning.component != Component::zero) {
    text += fmt::format(" ({} of pair {})", e.meaning.component == Component::sine ? "sine" : "cosine",
                        e.meaning.pair);
  }
  return text;
}

std::string error_text(const ElementWitness& e) {
  if (!std::isfinite(e.absolute)) {
    return "not a finite number";
  }
  std::string text =
      fmt::format("{} absolute, {} ulp, {} phase roundings", significant_text(e.absolute, error_digits),
                  significant_text(e.ulps, error_digits), significant_text(e.phase_roundings, error_digits));
  if (e.steps) {
    text += fmt::format(", {} of {}", counted(*e.steps, "step", "steps"), traits(e.format).name);
  }
  return text;
}

std::string budget_text(const ElementWitness& e) {
  return fmt::format(
      "{} (phase {}, trig {}, storage {}); {}", significant_text(e.budget.total(), error_digits),
      significant_text(e.budget.phase, error_digits), significant_text(e.budget.trig, error_digits),
      significant_text(e.budget.storage, error_digits), usage_text(e.budget_ratio));
}

std::string element_text(std::string_view title, const ElementWitness& e) {
  return fmt::format(
      "         {} at {}\n"
      "           truth    {}\n"
      "           expected {}\n"
      "           got      {}\n"
      "           error    {}\n"
      "           budget   {}\n",
      title, place_text(e), e.truth, e.expected ? exact_text(e.format, *e.expected) : "undecided",
      exact_text(e.format, e.got), error_text(e), budget_text(e));
}

bool same_place(const ElementWitness& a, const ElementWitness& b) {
  return a.row == b.row && a.column == b.column && a.leading_index == b.leading_index;
}

/// A line for each stage that errors stem from.
std::string split_text(const ErrorSplit& split) {
  std::string text = fmt::format(
      "         errors, at most {}, stem from (shares of their squares; below 0 if a stage cancels others)\n",
      significant_text(split.greatest, error_digits));
  for (const auto& [stage, share, greatest, left] : split.stages) {
    if (const auto percent = std::lround(100 * share); percent != 0) {
      text += fmt::format("           {:12} {:3} %, at most {}; were it exact, at most {}\n", stage, percent,
                          significant_text(greatest, error_digits), significant_text(left, error_digits));
    }
  }
  return text;
}

std::string check_text(const Check& check) {
  std::string status(to_string(check.status));
  if (check.status == Status::fail) {
    status = "FAIL";
  }
  std::string text =
      fmt::format("  {}{}{}: {}", status, std::string(status.size() < 6 ? 6 - status.size() : 1, ' '),
                  check.id, check.reason);
  if (check.status != Status::fail && check.worst) {
    text +=
        fmt::format("; the worst {} at {}", usage_text(check.worst->budget_ratio), place_text(*check.worst));
  }
  return text + "\n" + (check.status == Status::fail ? explanation(check) : "") +
         (check.split ? split_text(*check.split) : "");
}

/// Those that differ from the declared ones first. Empty where all are as declared.
std::string frequencies_text(const Diagnosis& diagnosis) {
  if (std::ranges::none_of(diagnosis.frequencies, &RecoveredFrequency::differs)) {
    return "";
  }
  std::string text;
  for (const auto& frequency : differing_first(diagnosis.frequencies)) {
    const auto ratio = ratio_of(frequency);
    text +=
        fmt::format("    pair {}: declared {}, found {} +- {}{}{}\n", frequency.pair,
                    significant_text(frequency.declared, frequency_digits),
                    significant_text(frequency.found, frequency_digits), bound_text(frequency.uncertainty, 2),
                    ratio ? ", ratio " + significant_text(*ratio, frequency_digits) : "",
                    frequency.differs() ? "" : " (as declared)");
  }
  return "  Recovered frequencies, in radians per position:\n" + text;
}

std::string diagnosis_text(const Verdict& verdict, const Diagnosis& diagnosis) {
  std::string text = fmt::format("finding ({}): {}\n", diagnosis.roles, sentence_of(diagnosis));
  const auto tell = [&](std::string_view title, const std::string& sentence) {
    text += sentence.empty() ? "" : fmt::format("  {}: {}\n", title, sentence);
  };
  if (diagnosis.is_explained()) {
    tell("See", joined(diagnosis.explanations.front().findings, [](const Finding& finding) {
           return "vernier explain " + std::string(finding.kind->id);
         }));
  }
  tell("Evidence", evidence_text(verdict, diagnosis));
  for (const auto& sentence : equal_explanations(diagnosis)) {
    tell("Equally possible", sentence);
  }
  tell("Effect", effect_text(verdict, diagnosis));
  tell("Fix", advice_text(verdict, diagnosis));
  tell("Similar", joined(similar_bugs(diagnosis)));
  return text + frequencies_text(diagnosis);
}

std::string diagnoses_text(const Verdict& verdict) {
  std::string text;
  for (const auto& diagnosis : verdict.diagnosis) {
    text += diagnosis_text(verdict, diagnosis);
  }
  return text;
}

std::string kept_sentences(const Verdict& verdict) {
  std::string text;
  for (const auto& id : verdict.kept_contracts) {
    text += fmt::format("The tensors keep the contract {}: {}. Pass --contract {} if it is intended.\n", id,
                        contract_named(id)->meaning, id);
  }
  return text;
}

}  // namespace

std::string explanation(const Check& check) {
  std::string text = fmt::format("         required: {}\n", check.required);
  if (check.first_failing) {
    text += element_text("first", *check.first_failing);
  }
  if (check.worst && !(check.first_failing && same_place(*check.worst, *check.first_failing))) {
    text += element_text("worst", *check.worst);
  }
  if (!check.counterexample.empty()) {
    text += "         counterexample:";
    for (const auto& [name, value] : check.counterexample) {
      text += fmt::format("{}{} {}", &name == &check.counterexample.front().first ? " " : "; ", name, value);
    }
    text += "\n";
  }
  return text;
}

std::string full_text_below(const Verdict& verdict) {
  const auto contracts = contracts_text(verdict);
  std::string text = fmt::format(
      "{}{}{}\n{}{}", verdict.as_written.empty() ? "" : verdict.as_written + "\n", verdict.encoding,
      rows_text(verdict), verdict.producer.empty() ? "" : fmt::format("made by {}\n", verdict.producer),
      contracts.empty() ? "" : fmt::format("judged: {}\n", contracts));
  text += verdict.arithmetic.empty() ? "" : fmt::format("arithmetic: {}\n", verdict.arithmetic);
  for (const auto& sentence : asking_sentences(verdict)) {
    text += sentence + "\n";
  }
  text += diagnoses_text(verdict);
  for (const auto& check : verdict.checks) {
    text += check_text(check);
  }
  for (const auto& waiver : verdict.stale_waivers) {
    text += fmt::format("  STALE waivers/{} ({}): {}\n", waiver.check, waiver.issue, waiver.problem);
  }
  text += kept_sentences(verdict);
  if (exit_code(verdict) != 0 && !verdict.reproduce.empty()) {
    text += fmt::format("reproduce: {}\n", verdict.reproduce);
  }
  return text;
}

std::string render_full_text(const Verdict& original) {
  const auto verdict = visible(original);
  return first_line(verdict) + "\n" + full_text_below(verdict);
}

}  // namespace vernier
