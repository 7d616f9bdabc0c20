#include "reports/outputs/text/full_text.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "numerics/contracts/contract.hpp"
#include "reference/support/word_list.hpp"
#include "reports/outputs/output.hpp"
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

std::string frequencies_text(const std::vector<RecoveredFrequency>& frequencies) {
  std::string text = frequencies.empty() ? "" : "  Recovered frequencies, in radians per position:\n";
  for (const auto& frequency : frequencies) {
    const auto ratio = ratio_of(frequency);
    text +=
        fmt::format("    pair {}: declared {}, found {} +- {}{}{}\n", frequency.pair,
                    significant_text(frequency.declared, frequency_digits),
                    significant_text(frequency.found, frequency_digits), bound_text(frequency.uncertainty, 2),
                    ratio ? ", ratio " + significant_text(*ratio, frequency_digits) : "",
                    frequency.differs() ? "" : " (as declared)");
  }
  return text;
}

std::string diagnosis_text(const ToldDiagnosis& told) {
  std::string text = fmt::format("finding ({}): {}\n", told.roles, told.found);
  const auto add = [&](std::string_view label, const std::string& sentence) {
    text += sentence.empty() ? "" : fmt::format("  {}: {}\n", label, sentence);
  };
  add("See", joined(told.ids, [](const std::string& id) { return "vernier explain " + id; }));
  add("Evidence", told.evidence);
  for (const auto& sentence : told.equally) {
    add("Equally possible", sentence);
  }
  add("Effect", told.effect);
  add("Fix", told.fix);
  add("Similar", joined(told.similar));
  return text + frequencies_text(told.frequencies);
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
  if (check.worst && !(check.first_failing && is_same(*check.worst, *check.first_failing))) {
    text += element_text("worst", *check.worst);
  }
  if (!check.counterexample.empty()) {
    std::vector<std::string> entries;
    for (const auto& [name, value] : check.counterexample) {
      entries.push_back(fmt::format("{} {}", name, value));
    }
    text += fmt::format("         counterexample: {}\n", fmt::join(entries, "; "));
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
  for (const auto& diagnosis : told_diagnoses(verdict)) {
    text += diagnosis_text(diagnosis);
  }
  for (const auto& check : verdict.checks) {
    text += check_text(check);
  }
  for (const auto& line : stale_waiver_lines(verdict)) {
    text += fmt::format("  {}\n", line);
  }
  const auto reproduce = reproduce_line(verdict);
  return text + kept_sentences(verdict) + (reproduce.empty() ? "" : reproduce + "\n");
}

std::string render_full_text(const Verdict& original) {
  const auto verdict = visible(original);
  return first_line(verdict) + "\n" + full_text_below(verdict);
}

}  // namespace vernier
